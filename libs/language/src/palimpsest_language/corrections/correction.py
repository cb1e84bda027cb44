"""The parts of a correction: its cue, its message, and the protocol of a kind of correction."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.plans.plan_moves import EXCHANGE_MESSAGES, find_last_message
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.time_expressions.sentence_times import UtteranceTime

AROUND = " .,!?;:…。，！？；："
"""Marks that are stripped from a quote before it is looked for in a cue."""

MAX_MESSAGES_BETWEEN = 8
"""The most messages back that a correction reaches if it can mean one statement alone."""
MAX_CUE_CHARACTERS = 80
"""The longest cue; longer sentences say more than the correction."""


@dataclass(frozen=True)
class Cue:
    """A sentence that corrects an earlier statement."""

    rule: str
    """The row of the table that matches it."""
    citation: MessageQuote
    """The evidence for the right value."""
    spent: str
    """Words that say nothing but the correction: a proposal that rests only on them is no memory.
    """

    @property
    def message(self) -> int:
        return self.citation.message


CueT = TypeVar("CueT", bound=Cue)
TargetT = TypeVar("TargetT")


@dataclass(frozen=True)
class CorrectedMessage:
    """A message of the user's, with the messages and proposals before it."""

    message: DialogueMessage
    said_before: Sequence[DialogueMessage]
    before: Sequence[Proposal]
    """Proposals of an earlier window."""
    time_zone: str

    @property
    def at(self) -> UtteranceTime:
        return UtteranceTime(self.message.occurred_at, self.time_zone)

    @property
    def question(self) -> str:
        """The agent's message right before; "" if there is none."""
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
        """The whole message, then its sentences."""
        whole = self.message.text.strip()
        yield from dict.fromkeys((whole, *map(str.strip, split_sentences(self.message.text))))


class CorrectionKind(Protocol[CueT, TargetT]):
    """A kind of correction: of a time, a name, a value, a quantity."""

    name: str

    def find_cues(self, said: CorrectedMessage) -> Iterable[CueT]:
        """Find the sentences of the message that correct something of this kind."""
        ...

    def find_target(
        self, cue: CueT, told: Sequence[Proposal], said: CorrectedMessage
    ) -> TargetT | None:
        """Choose the only possible target; None if there is none, or several."""
        ...

    def restate(
        self, proposal: Proposal, cue: CueT, target: TargetT, said: CorrectedMessage
    ) -> Proposal:
        """Return the proposal with the right value; unchanged if it does not contain the target."""
        ...

    def tell_anew(
        self, cue: CueT, target: TargetT, told: Sequence[Proposal], said: CorrectedMessage
    ) -> list[Proposal]:
        """Return new proposals for the target from an earlier window, with the right value."""
        ...

    def is_spent_alone(self, cue: CueT, said: CorrectedMessage) -> bool:
        """Tell whether the cue says nothing else, even without a target."""
        ...


def list_latest_told(proposals: Sequence[Proposal], cue: Cue) -> list[Proposal]:
    """List the proposals of the last message of the exchange before the cue that has any."""
    near = [
        proposal
        for proposal in proposals
        if 0 <= cue.message - find_last_message(proposal) <= EXCHANGE_MESSAGES
        and not _holds(proposal, cue)
    ]
    last = max(map(find_last_message, near), default=0)
    return [proposal for proposal in near if find_last_message(proposal) == last]


def _holds(proposal: Proposal, cue: Cue) -> bool:
    """Tell whether the cue is among the words of the proposal."""
    words = cue.citation.quote.strip(AROUND)
    return any(cited.message == cue.message and words in cited.quote for cited in proposal.evidence)


def list_told_farther_back(proposals: Sequence[Proposal], cue: Cue) -> list[Proposal]:
    """List the proposals of the messages before the exchange, where a correction may reach."""
    return [
        proposal
        for proposal in proposals
        if EXCHANGE_MESSAGES < cue.message - find_last_message(proposal) <= MAX_MESSAGES_BETWEEN
        and cue.citation not in proposal.evidence
    ]


def rests_only_on(proposal: Proposal, cue: Cue, user_messages: Collection[int]) -> bool:
    """Tell whether the user's only words for the proposal are those of the cue."""
    is_own = False
    for quote in proposal.evidence:
        if quote.message not in user_messages:
            continue
        if quote.message != cue.message or quote.quote.strip(AROUND) not in cue.spent:
            return False
        is_own = True
    return is_own
