"""Evidence or nothing: a proposal stands on words that were said, by whom the kind allows."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from palimpsest.domain.kinds import KINDS, EvidenceSource
from palimpsest.domain.turn import Role, Turn
from palimpsest.providers.extraction.injection import Quotation, is_planted
from palimpsest.providers.extraction.messages import own_words
from palimpsest.providers.extraction.provider import Citation, ExtractionAnswer, Proposal
from palimpsest.providers.extraction.rights import states_rights_or_instructions

MINIMUM_QUOTE_CHARACTERS = 2

AGENT_CONFIDENCE = 0.6
"""What only an agent said starts no higher."""

_SOURCE_OF_ROLE = {Role.USER: EvidenceSource.USER, Role.AGENT: EvidenceSource.AGENT}


class Flaw(StrEnum):
    """Why a proposal was dropped."""

    EMPTY = "empty"
    NO_SUCH_MESSAGE = "no_such_message"
    NOT_FRESH = "not_fresh"
    QUOTE_NOT_FOUND = "quote_not_found"
    SPEAKER_NOT_ALLOWED = "speaker_not_allowed"
    RIGHTS_OR_INSTRUCTIONS = "rights_or_instructions"
    PLANTED = "planted"
    """Rights or orders that an attack wanted remembered, whoever said so."""


@dataclass(frozen=True)
class Quoted:
    """Words found in a turn."""

    turn: Turn
    quote: str


@dataclass(frozen=True)
class GroundedProposal:
    proposal: Proposal
    evidence: tuple[Quoted, ...]

    @property
    def said_by(self) -> Role:
        """The user where any of the evidence is theirs."""
        roles = {quoted.turn.role for quoted in self.evidence}
        return Role.USER if Role.USER in roles else Role.AGENT

    @property
    def confidence(self) -> float:
        ceiling = 1.0 if self.said_by is Role.USER else AGENT_CONFIDENCE
        return min(self.proposal.confidence, ceiling)


@dataclass(frozen=True)
class Grounded:
    """What stands, and how many were dropped for which flaw."""

    proposals: tuple[GroundedProposal, ...]
    dropped: Counter[Flaw]


def ground(answer: ExtractionAnswer, turns: Sequence[Turn], *, first_fresh: int) -> Grounded:
    """Keep the proposals whose evidence holds.

    Args:
        answer: what the provider said.
        turns: of the window, as they were numbered, from 1.
        first_fresh: the number of the first turn that was not seen before.
    """
    texts = [_comparable(own_words(turn)) for turn in turns]
    kept: list[GroundedProposal] = []
    dropped: Counter[Flaw] = Counter()
    for proposal in answer.proposals:
        checked = _Check(proposal, turns, texts, first_fresh).result()
        if isinstance(checked, Flaw):
            dropped[checked] += 1
        else:
            kept.append(checked)
    return Grounded(tuple(kept), dropped)


@dataclass(frozen=True)
class _Check:
    proposal: Proposal
    turns: Sequence[Turn]
    texts: Sequence[str]
    first_fresh: int

    def result(self) -> GroundedProposal | Flaw:
        if not self.proposal.content.strip():
            return Flaw.EMPTY
        flaws = {citation: self._flaw(citation) for citation in self.proposal.evidence}
        sound = [citation for citation, flaw in flaws.items() if flaw is None]
        if not sound:
            return next((flaw for flaw in flaws.values() if flaw), Flaw.EMPTY)
        if all(citation.message < self.first_fresh for citation in sound):
            return Flaw.NOT_FRESH
        grounded = GroundedProposal(
            self.proposal,
            tuple(Quoted(self.turns[each.message - 1], each.quote.strip()) for each in sound),
        )
        if grounded.said_by is Role.AGENT and self._states_rights(sound):
            return Flaw.RIGHTS_OR_INSTRUCTIONS
        return Flaw.PLANTED if self._is_planted(grounded) else grounded

    def _flaw(self, citation: Citation) -> Flaw | None:
        if not 1 <= citation.message <= len(self.turns):
            return Flaw.NO_SUCH_MESSAGE
        turn = self.turns[citation.message - 1]
        if _SOURCE_OF_ROLE.get(turn.role) not in KINDS[self.proposal.kind].evidence_from:
            return Flaw.SPEAKER_NOT_ALLOWED
        quote = _comparable(citation.quote)
        if len(quote) < MINIMUM_QUOTE_CHARACTERS:
            return Flaw.QUOTE_NOT_FOUND
        return None if quote in self.texts[citation.message - 1] else Flaw.QUOTE_NOT_FOUND

    def _states_rights(self, sound: Sequence[Citation]) -> bool:
        said = (self.proposal.content, self.proposal.value or "", *(each.quote for each in sound))
        return any(states_rights_or_instructions(text) for text in said)

    def _is_planted(self, grounded: GroundedProposal) -> bool:
        quotations = [
            Quotation(quoted.quote, own_words(quoted.turn)) for quoted in grounded.evidence
        ]
        proposal = self.proposal
        statements = (proposal.content, proposal.summary, proposal.value)
        return is_planted([each for each in statements if each], quotations)


def is_quoted(quote: str, turn: Turn) -> bool:
    """Whether these words were said in this turn, by whoever spoke there."""
    words = _comparable(quote)
    return len(words) >= MINIMUM_QUOTE_CHARACTERS and words in _comparable(own_words(turn))


def _comparable(text: str) -> str:
    """A quote may differ from what was said in case, width and spacing, in nothing else."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
