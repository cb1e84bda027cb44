"""Grounding: keep a proposal only if its evidence was said, by a speaker that its kind allows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from palimpsest.model.field_rules import list_words
from palimpsest.model.kind_properties import EvidenceSource
from palimpsest.model.kinds import KINDS
from palimpsest.model.memory import WORD_RULES
from palimpsest.model.turn import Role, Turn
from palimpsest_language.detail_support.source_words import SourceText, SourceWords
from palimpsest_language.detail_support.unsupported_detail import (
    DetailSort,
    find_unsupported_detail,
)
from palimpsest_language.memory_injection.planted_memories import EvidenceQuotation, is_planted
from palimpsest_language.memory_injection.rights_claims import states_rights_or_instructions
from palimpsest_language.off_the_record.own_words import own_images, own_words
from palimpsest_language.proposals import ExtractionAnswer, MessageQuote, Proposal
from palimpsest_language.redaction.redactor import redact
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_server.domain.pictures import is_viewable_picture
from palimpsest_server.extraction.citable_words import (
    MINIMUM_QUOTE_CHARACTERS,
    CitableWords,
    find_citable_words,
    normalize_quote,
)

AGENT_CONFIDENCE = 0.6
"""Highest initial confidence of a memory that only an agent stated, or only a picture shows."""

SCREENED_FIELDS = tuple(
    name for name, rule in WORD_RULES.items() if rule.is_screened and name in Proposal.model_fields
)
"""Fields of a proposal that are checked for planted and invented details, as declared at the fields of
a memory."""

_SOURCE_OF_ROLE = {Role.USER: EvidenceSource.USER, Role.AGENT: EvidenceSource.AGENT}


class ProposalFlaw(StrEnum):
    """The reason why a proposal was dropped."""

    EMPTY = "empty"
    NO_SUCH_MESSAGE = "no_such_message"
    NO_SUCH_MEMORY = "no_such_memory"
    TOO_FEW_MEMORIES = "too_few_memories"
    TOO_MANY = "too_many"
    """More findings in memories than people want to read at once."""
    TOO_LONG = "too_long"
    """The words in the place of several memories are longer than these."""
    NOT_FRESH = "not_fresh"
    QUOTE_NOT_FOUND = "quote_not_found"
    NOT_OWN_WORDS = "not_own_words"
    """The words are quoted, pasted, said in a role or only to be worked on, so nobody states them."""
    SPEAKER_NOT_ALLOWED = "speaker_not_allowed"
    RIGHTS_OR_INSTRUCTIONS = "rights_or_instructions"
    NOT_STORABLE = "not_storable"
    """Content read off a picture that may not be stored."""
    INVENTED_NUMBER = "invented_number"
    """A number that nobody said and that does not follow from anything said."""
    INVENTED_DATE = "invented_date"
    INVENTED_NAME = "invented_name"
    PLANTED = "planted"
    """Rights or orders that an attack tried to have remembered, whoever said them."""


_INVENTED = {
    DetailSort.NUMBER: ProposalFlaw.INVENTED_NUMBER,
    DetailSort.DATE: ProposalFlaw.INVENTED_DATE,
    DetailSort.NAME: ProposalFlaw.INVENTED_NAME,
}


@dataclass(frozen=True)
class GroundedQuote:
    """Words found in a turn, or in a model's description of its pictures."""

    turn: Turn
    quote: str
    seen: str | None = None
    """The model's whole description, if the words come from it."""

    @property
    def text(self) -> str:
        return own_words(self.turn) if self.seen is None else self.seen


@dataclass(frozen=True)
class GroundedProposal:
    proposal: Proposal
    evidence: tuple[GroundedQuote, ...]

    @property
    def said_by(self) -> Role:
        """The role of the user if any evidence is theirs, else of the agent."""
        roles = {quoted.turn.role for quoted in self.evidence}
        return Role.USER if Role.USER in roles else Role.AGENT

    @property
    def confidence(self) -> float:
        sure = self.said_by is Role.USER and not self.only_seen
        return min(self.proposal.confidence, 1.0 if sure else AGENT_CONFIDENCE)

    @property
    def only_seen(self) -> bool:
        """Return whether nobody said any of the evidence, and pictures alone show it."""
        return all(quoted.seen is not None for quoted in self.evidence)


@dataclass(frozen=True)
class GroundingResult:
    """The grounded proposals, and the number dropped by flaw."""

    proposals: tuple[GroundedProposal, ...]
    dropped: Counter[ProposalFlaw]


def ground_proposals(
    answer: ExtractionAnswer,
    turns: Sequence[Turn],
    *,
    first_fresh: int,
    participants: Sequence[str] = (),
    time_zone: str = "UTC",
) -> GroundingResult:
    """Keep the proposals whose evidence holds.

    Args:
        answer: the provider's answer.
        turns: of the window, as they were numbered, from 1.
        first_fresh: the number of the first turn that was not seen before.
        participants: the names of the participants.
        time_zone: IANA name of the zone in which the user's days begin.
    """
    texts = [normalize_quote(own_words(turn)) for turn in turns]
    citable = find_citable_words(
        turns, (quote for proposal in answer.proposals for quote in proposal.evidence)
    )
    seen = {
        description.message: description.description
        for description in answer.seen
        if 1 <= description.message <= len(turns)
        and any(map(is_viewable_picture, own_images(turns[description.message - 1])))
    }
    kept: list[GroundedProposal] = []
    dropped: Counter[ProposalFlaw] = Counter()
    for proposal in answer.proposals:
        context = (participants, time_zone)
        checked = _Check(proposal, turns, texts, citable, seen, first_fresh, *context).result()
        if isinstance(checked, ProposalFlaw):
            dropped[checked] += 1
        else:
            kept.append(checked)
    return GroundingResult(tuple(kept), dropped)


@dataclass(frozen=True)
class _Check:
    proposal: Proposal
    turns: Sequence[Turn]
    texts: Sequence[str]
    citable: Mapping[int, CitableWords]
    """Words that may be cited, by message number; of the messages that are cited."""
    seen: Mapping[int, str]
    """A model's description of a message's pictures, by message number."""
    first_fresh: int
    participants: Sequence[str]
    time_zone: str

    def result(self) -> GroundedProposal | ProposalFlaw:
        if not self.proposal.content.strip():
            return ProposalFlaw.EMPTY
        flaws = {citation: self._flaw(citation) for citation in self.proposal.evidence}
        sound = [citation for citation, flaw in flaws.items() if flaw is None]
        if not sound:
            return next((flaw for flaw in flaws.values() if flaw), ProposalFlaw.EMPTY)
        if all(citation.message < self.first_fresh for citation in sound):
            return ProposalFlaw.NOT_FRESH
        grounded = GroundedProposal(
            self.proposal,
            tuple(map(self._quoted, sound)),
        )
        doubtful = grounded.said_by is Role.AGENT or grounded.only_seen
        if doubtful and self._states_rights(sound):
            return ProposalFlaw.RIGHTS_OR_INSTRUCTIONS
        if any(
            grounded_quote.seen for grounded_quote in grounded.evidence
        ) and self._holds_a_secret(sound):
            return ProposalFlaw.NOT_STORABLE
        return self._flaw_of_words(grounded) or grounded

    def _flaw(self, citation: MessageQuote) -> ProposalFlaw | None:
        if not 1 <= citation.message <= len(self.turns):
            return ProposalFlaw.NO_SUCH_MESSAGE
        turn = self.turns[citation.message - 1]
        if _SOURCE_OF_ROLE.get(turn.role) not in KINDS[self.proposal.kind].evidence_from:
            return ProposalFlaw.SPEAKER_NOT_ALLOWED
        quote = normalize_quote(citation.quote)
        if len(quote) < MINIMUM_QUOTE_CHARACTERS:
            return ProposalFlaw.QUOTE_NOT_FOUND
        if self.citable[citation.message].hold(citation.quote, self.proposal.subject):
            return None
        seen = self.seen.get(citation.message)
        if seen and quote in normalize_quote(seen):
            return None
        is_said = quote in self.texts[citation.message - 1]
        return ProposalFlaw.NOT_OWN_WORDS if is_said else ProposalFlaw.QUOTE_NOT_FOUND

    def _quoted(self, citation: MessageQuote) -> GroundedQuote:
        said = self.citable[citation.message].hold(citation.quote, self.proposal.subject)
        seen = None if said else self.seen[citation.message]
        return GroundedQuote(self.turns[citation.message - 1], citation.quote.strip(), seen)

    def _flaw_of_words(self, grounded: GroundedProposal) -> ProposalFlaw | None:
        if self._is_planted(grounded):
            return ProposalFlaw.PLANTED
        invented = find_unsupported_detail(self._statements(), self._sources())
        return None if invented is None else _INVENTED[invented]

    def _sources(self) -> SourceWords:
        """Collect the sources of a proposal: its messages, those they answer, and names before them.

        A message may support a detail even if its speaker is not one that the kind allows.
        """
        numbers = {citation.message for citation in self.proposal.evidence}
        cited = sorted(number for number in numbers if 1 <= number <= len(self.turns))
        answered = {number - 1 for number in cited} - {0, *cited}
        seen = [self._source(number, self.seen[number]) for number in cited if number in self.seen]
        return SourceWords(
            cited=(*map(self._source, cited), *seen),
            answered=tuple(map(self._source, sorted(answered))),
            earlier=tuple(map(self._source, range(1, cited[-1]))),
            names=(
                *self.participants,
                *(turn.speaker for turn in self.turns if turn.speaker),
                *(turn.agent_id for turn in self.turns if turn.agent_id),
            ),
        )

    def _source(self, number: int, text: str | None = None) -> SourceText:
        turn = self.turns[number - 1]
        said = UtteranceTime(turn.occurred_at, self.time_zone)
        return SourceText(own_words(turn) if text is None else text, said)

    def _states_rights(self, sound: Sequence[MessageQuote]) -> bool:
        return any(map(states_rights_or_instructions, self._stated(sound)))

    def _holds_a_secret(self, sound: Sequence[MessageQuote]) -> bool:
        """Return whether a proposal holds a secret: ingest redacts messages, but not pictures."""
        return any(redact(text).findings for text in self._stated(sound))

    def _stated(self, sound: Sequence[MessageQuote]) -> list[str]:
        return [*self._statements(), *(message_quote.quote for message_quote in sound)]

    def _statements(self) -> list[str]:
        """Return the texts of the proposal that are checked for planted and invented details."""
        held = (list_words(getattr(self.proposal, name)) for name in SCREENED_FIELDS)
        return [text for texts in held for text in texts if text]

    def _is_planted(self, grounded: GroundedProposal) -> bool:
        quotations = [EvidenceQuotation(quoted.quote, quoted.text) for quoted in grounded.evidence]
        return is_planted(self._statements(), quotations)
