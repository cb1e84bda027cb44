"""The parts of a correction: its cue, the message that it stands in, and what a kind of it does."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.time_expressions.sentence_times import UtteranceTime

AROUND = " .,!?;:…。，！？；："
"""Stripped from a quote before it is looked for in the words of a cue."""

MAX_CUE_CHARACTERS = 80
"""A longer sentence says something else besides."""


@dataclass(frozen=True)
class Cue:
    """A sentence by which somebody corrects what was told."""

    rule: str
    """The row of the table that it fits."""
    citation: MessageQuote
    """The evidence for the right value."""
    spent: str
    """The words that say nothing else: what rests on them alone is no memory."""

    @property
    def message(self) -> int:
        return self.citation.message


CueT = TypeVar("CueT", bound=Cue)
TargetT = TypeVar("TargetT")


@dataclass(frozen=True)
class CorrectedMessage:
    """A message of the user's, with what was said and told before it."""

    message: DialogueMessage
    said_before: Sequence[DialogueMessage]
    before: Sequence[Proposal]
    """Told in an earlier window."""
    time_zone: str

    @property
    def at(self) -> UtteranceTime:
        return UtteranceTime(self.message.occurred_at, self.time_zone)

    @property
    def question(self) -> str:
        """The words of the agent right before; "" where the user goes on."""
        last = self.said_before[-1] if self.said_before else None
        return last.text if last is not None and last.role is Role.AGENT else ""

    @cached_property
    def user_messages(self) -> frozenset[int]:
        """The numbers of the user's messages up to this one."""
        own = (
            dialogue_message.number
            for dialogue_message in self.said_before
            if dialogue_message.role is Role.USER
        )
        return frozenset((self.message.number, *own))

    def sentences(self) -> Iterator[str]:
        """The message as a whole, then its sentences."""
        whole = self.message.text.strip()
        yield from dict.fromkeys((whole, *map(str.strip, split_sentences(self.message.text))))


class CorrectionKind(Protocol[CueT, TargetT]):
    """One sort of thing that is told wrong: a time, a name, a value, a quantity."""

    name: str

    def find_cues(self, said: CorrectedMessage) -> Iterable[CueT]:
        """Find the sentences of the message that correct something of this kind."""
        ...

    def find_target(
        self, cue: CueT, told: Sequence[Proposal], said: CorrectedMessage
    ) -> TargetT | None:
        """Choose the one thing that is meant; None where there is none, or several."""
        ...

    def restate(
        self, proposal: Proposal, cue: CueT, target: TargetT, said: CorrectedMessage
    ) -> Proposal:
        """The proposal with the right value; the same where it does not tell the target."""
        ...

    def tell_anew(
        self, cue: CueT, target: TargetT, told: Sequence[Proposal], said: CorrectedMessage
    ) -> list[Proposal]:
        """Return what an earlier window told of the target, with the right value."""
        ...

    def is_spent_alone(self, cue: CueT, said: CorrectedMessage) -> bool:
        """Tell whether the cue says nothing else even where it has no target."""
        ...


def rests_only_on(proposal: Proposal, cue: Cue, user_messages: Collection[int]) -> bool:
    """Tell whether the words of the cue are all that the user said of the target."""
    is_own = False
    for each in proposal.evidence:
        if each.message not in user_messages:
            continue
        if each.message != cue.message or each.quote.strip(AROUND) not in cue.spent:
            return False
        is_own = True
    return is_own
