"""Corrections of earlier statements: a cue, its target, and the right value.

A cue is a sentence by which people correct themselves: "sorry, I meant Thursday", 说错了，是周四.
Its target is exactly one earlier statement, or none. Applying a correction puts the right value
into every proposal of the target, with the cue's sentence as evidence, and drops proposals that
rest on that sentence alone. Each cue is found once, and its target is chosen once, when its message
has been read. Later proposals from the same messages are corrected by the same corrections.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from palimpsest.model.turn import Role
from palimpsest_language.corrections.correction import (
    AROUND,
    CorrectedMessage,
    CorrectionKind,
    Cue,
    rests_only_on,
)
from palimpsest_language.corrections.cue_table import read_cue_piece
from palimpsest_language.corrections.excuses import leave_excuses_out, widen_spent_words
from palimpsest_language.corrections.names import NameCorrections
from palimpsest_language.corrections.quantities import QuantityCorrections
from palimpsest_language.corrections.slips import SlipCorrections, strip_slips
from palimpsest_language.corrections.substitutions import SubstitutionCorrections
from palimpsest_language.corrections.times import TimeCorrections
from palimpsest_language.corrections.values import ValueCorrections
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.rule_tables import is_enabled, note_match

CORRECTION_KINDS: tuple[CorrectionKind[Any, Any], ...] = (
    TimeCorrections(),
    NameCorrections(),
    ValueCorrections(),
    QuantityCorrections(),
    SubstitutionCorrections(),
    SlipCorrections(),
)
"""Kinds of corrections, in the order in which they are applied to a message."""

MAX_VALUE_WORDS_CHARACTERS = 24
"""Longest words that tell nothing but a value: "hello, my name is Zoe"."""

_JOINS = re.compile(r"^[\s,.;，。；]*(?:(?:and|but|so) )?")
_ASKED_ENDS = ("the user said", "用户回答")
"""Ends of an answer of which nothing is left."""
_PUT_BEHIND = frozenset({"time", "slip"})
"""Kinds of corrections whose words may have been put behind the plan that they correct."""
_SAYS_WRONG = re.compile(read_cue_piece("zh", "<SAYS_WRONG>"), re.IGNORECASE)


@dataclass(frozen=True)
class Correction:
    """A cue with its target; None if no earlier statement can be meant."""

    kind: CorrectionKind[Any, Any]
    cue: Cue
    target: Any | None
    said: CorrectedMessage
    told_anew: list[str] = field(default_factory=list)
    """Contents of proposals that were told again. They rest on the cue alone, and stay."""

    def choose_target(self, proposals: Sequence[Proposal]) -> Self:
        """Return the correction with a target among these proposals, if it has none yet."""
        if self.target is not None:
            return self
        target = self.kind.find_target(self.cue, self._without_cue(proposals), self.said)
        return replace(self, target=target)

    def apply(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """Put the right value into proposals of the target, and drop those of the cue alone."""
        told = self._without_cue(proposals)
        if self.target is None:
            spent = self.kind.is_spent_alone(self.cue, self.said)
            return told if spent else list(proposals)
        return [
            self._leave_cue_out(self.kind.restate(proposal, self.cue, self.target, self.said))
            for proposal in told
        ]

    def _leave_cue_out(self, proposal: Proposal) -> Proposal:
        """Return a statement without the correction itself, which an answer may hold."""
        said = self.cue.citation.quote.strip(AROUND)
        content = proposal.content.casefold()
        own = {quote.message for quote in proposal.evidence} & self.said.user_messages
        words, bare = said, strip_slips(said)
        if own == {self.cue.message} and content.startswith(bare.casefold()):
            words = bare
        begins = content.find(words.casefold())
        if begins < 0 or self.kind.name in _PUT_BEHIND:
            return proposal
        before, behind = proposal.content[:begins], proposal.content[begins + len(words) :]
        left = _JOINS.sub("", behind)
        content = before + left if left.strip(AROUND) else before.rstrip(AROUND)
        if not content or content.endswith(_ASKED_ENDS):
            return proposal
        return proposal.model_copy(update={"content": content, "summary": None})

    def tell_anew(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """Return proposals for the target from an earlier window, with the right value."""
        if self.target is None:
            return []
        anew = self.kind.tell_anew(self.cue, self.target, proposals, self.said)
        self.told_anew.extend(proposal.content for proposal in anew)
        return anew

    def _without_cue(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        return [
            proposal
            for proposal in proposals
            if proposal.content in self.told_anew
            or not rests_only_on(proposal, self.cue, self.said.user_messages)
        ]


@dataclass
class CorrectionPipeline:
    """The corrections of one window."""

    time_zone: str
    kinds: Sequence[CorrectionKind[Any, Any]] = CORRECTION_KINDS
    _made: list[Correction] = field(default_factory=list)

    async def correct(
        self,
        proposals: Sequence[Proposal],
        message: DialogueMessage,
        said_before: Sequence[DialogueMessage],
        *,
        before: Sequence[Proposal],
    ) -> list[Proposal]:
        """Correct the proposals up to this message by this message.

        `before` are proposals of an earlier window; a corrected one is proposed again. The event
        loop gets its turn after each kind, because each reads the whole message.
        """
        found = list(proposals)
        if message.role is not Role.USER or not message.fresh:
            return found
        bare = message.model_copy(update={"text": leave_excuses_out(message.text)})
        said = CorrectedMessage(bare, tuple(said_before), tuple(before), self.time_zone)
        for kind in self.kinds:
            if not is_enabled(f"corrections.{kind.name}"):
                continue
            for cue_alone in kind.find_cues(said):
                if self._is_settled(cue_alone):
                    continue
                spent = widen_spent_words(cue_alone.spent, message.text)
                cue = replace(cue_alone, spent=spent)
                made = Correction(kind, cue, None, said).choose_target(found)
                found = made.apply(found)
                found += made.tell_anew(found)
                self._made.append(made)
                note_match(cue.rule)
                note_match(f"corrections.{kind.name}")
            await asyncio.sleep(0)
        return found

    def _is_settled(self, cue: Cue) -> bool:
        """Tell whether an earlier kind of correction has found a target for the same words."""
        return any(
            made.target is not None
            and made.cue.message == cue.message
            and (cue.citation.quote in made.cue.spent or made.cue.citation.quote in cue.spent)
            for made in self._made
        )

    def correct_added(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """Correct proposals that were added after their messages were read."""
        found = list(proposals)
        for made in self._made:
            found = made.choose_target(found).apply(found)
        return found


def drop_consumed_corrections(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Drop proposals of mere corrections such as 不对，我记错了, if another proposal took them up.

    A proposal took one up if it also rests on an earlier message. What it corrected goes, too:
    你好，我叫张昊 tells no more than the name that is wrong.
    """
    return [
        proposal
        for proposal in proposals
        if not _is_consumed(proposal, proposals) and not _is_corrected(proposal, proposals)
    ]


def _is_corrected(proposal: Proposal, proposals: Sequence[Proposal]) -> bool:
    """Tell whether short words are stated as an attribute that a later message set right."""
    if proposal.attribute is not None or len(proposal.evidence) != 1:
        return False
    words, message = proposal.evidence[0].quote.strip(AROUND), proposal.evidence[0].message
    return len(words) <= MAX_VALUE_WORDS_CHARACTERS and any(
        other.attribute is not None
        and any(cited.message > message for cited in other.evidence)
        and any(
            cited.message == message and cited.quote.strip(AROUND) == words
            for cited in other.evidence
        )
        for other in proposals
    )


def _is_consumed(proposal: Proposal, proposals: Sequence[Proposal]) -> bool:
    if proposal.attribute is not None:
        return False
    if not all(_SAYS_WRONG.match(cited.quote) for cited in proposal.evidence):
        return False
    return any(_takes_up(other, proposal) for other in proposals if other is not proposal)


def _takes_up(other: Proposal, proposal: Proposal) -> bool:
    first = min(cited.message for cited in proposal.evidence)
    rests_on_earlier = any(cited.message < first for cited in other.evidence)
    return rests_on_earlier and all(
        any(_overlap(quote, cited) for quote in other.evidence) for cited in proposal.evidence
    )


def _overlap(quote: MessageQuote, other: MessageQuote) -> bool:
    within = quote.quote in other.quote or other.quote in quote.quote
    return quote.message == other.message and within
