"""Preview the memories that messages would leave, and why the other sentences leave none.

Nothing is read or stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palimpsest.api.extraction_preview import LeftOutReason, LeftOutWords
from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.turn import Role, Turn
from palimpsest_language.clauses.sentences import split_declarative_sentences, split_sentences
from palimpsest_language.off_the_record.own_words import own_text, own_words
from palimpsest_language.proposals import ExtractionAnswer
from palimpsest_language.vocabulary.chit_chat import is_chit_chat_text
from palimpsest_server.extraction.citable_words import normalize_quote
from palimpsest_server.extraction.extraction_window import list_window_turns
from palimpsest_server.extraction.grounding import ground_proposals


@dataclass(frozen=True)
class _Refused:
    """A proposal whose evidence does not hold, by one of its quotes."""

    message: int
    quote: str
    flaw: str


def list_left_out_words(
    window: ExtractionRequested, answer: ExtractionAnswer, proposed: CandidatesProposed
) -> tuple[LeftOutWords, ...]:
    """Return the words of a window on which no candidate rests, in their order."""
    turns = list_window_turns(window)
    kept = {
        (piece.message_id, normalize_quote(piece.quote))
        for candidate in proposed.candidates
        for piece in candidate.evidence
    }
    closing = {
        normalize_quote(completion_claim.evidence.quote) for completion_claim in answer.finished
    }
    refused = list(_find_refused(window, answer, turns))
    return tuple(
        words
        for number, turn in enumerate(turns, start=1)
        for words in _explain_turn(
            number,
            turn,
            kept={quote for message_id, quote in kept if message_id == turn.message_id},
            closing=closing,
            refused=[one for one in refused if one.message == number],
        )
    )


def _find_refused(
    window: ExtractionRequested, answer: ExtractionAnswer, turns: Sequence[Turn]
) -> Iterator[_Refused]:
    for proposal in answer.proposals:
        alone = answer.model_copy(update={"proposals": (proposal,)})
        result = ground_proposals(
            alone,
            turns,
            first_fresh=len(window.context) + 1,
            participants=window.participants,
            time_zone=window.settings.time_zone,
        )
        for flaw in result.dropped:
            for citation in proposal.evidence:
                yield _Refused(citation.message, normalize_quote(citation.quote), flaw.value)


def _explain_turn(
    number: int,
    turn: Turn,
    *,
    kept: set[str],
    closing: set[str],
    refused: Sequence[_Refused],
) -> Iterator[LeftOutWords]:
    whole = LeftOutReason.TOOL if turn.role is Role.TOOL else None
    if turn.said and not own_text(turn):
        whole = LeftOutReason.OFF_THE_RECORD
    if whole is not None:
        yield LeftOutWords(message=number, words=turn.text, reason=whole)
        return
    own, stated = normalize_quote(own_words(turn)), set(split_declarative_sentences(turn.text))
    for sentence in split_sentences(turn.text) or (turn.text,):
        said = normalize_quote(sentence)
        if not said or _shares_words(said, kept):
            continue
        flaw = next((one.flaw for one in refused if _shares_words(said, {one.quote})), None)
        reason = LeftOutReason.UNSOUND
        if flaw is None:
            reason = _find_reason(sentence, turn, is_own=said in own, is_stated=sentence in stated)
            reason = LeftOutReason.COMPLETION if _shares_words(said, closing) else reason
        yield LeftOutWords(message=number, words=sentence, reason=reason, flaw=flaw)


def _find_reason(sentence: str, turn: Turn, *, is_own: bool, is_stated: bool) -> LeftOutReason:
    if not is_own:
        return LeftOutReason.NOT_OWN_WORDS
    if is_chit_chat_text(sentence):
        return LeftOutReason.CHIT_CHAT
    if not is_stated:
        return LeftOutReason.QUESTION
    return LeftOutReason.AGENT if turn.role is Role.AGENT else LeftOutReason.NOTHING_LASTING


def _shares_words(said: str, quotes: set[str]) -> bool:
    """Return whether a sentence holds one of these quotes, or is part of one."""
    return any(quote and (quote in said or said in quote) for quote in quotes)
