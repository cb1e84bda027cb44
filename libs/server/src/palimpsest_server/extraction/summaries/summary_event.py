"""Turn a summary into an event that proposes it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from palimpsest.events.extractor_answers import SummaryProposed
from palimpsest.events.extractor_requests import ExtractionRequested, SummaryRequested
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import LIFE, SessionSummary, summary_id
from palimpsest.model.turn import Turn
from palimpsest.model.user import Language, SharingPolicy
from palimpsest.model.window import WindowTrigger
from palimpsest_language.off_the_record.own_words import own_words
from palimpsest_language.proposals import ExtractionAnswer
from palimpsest_server.extraction.answer_envelope import build_answer_envelope
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.grounding import ProposalFlaw
from palimpsest_server.extraction.summaries.summariser import SessionTranscript, SummaryAnswer

FAILED = {
    Language.CHINESE: "（摘要生成失败，待重试）",
    Language.ENGLISH: "(The summary could not be made, and will be tried again.)",
}


@dataclass(frozen=True)
class ProposedSummary:
    event: SummaryProposed
    dropped: Counter[ProposalFlaw]
    """Number of key facts dropped for unsound evidence, by flaw."""


def propose_summary(
    asked: SummaryRequested,
    read: SessionTranscript,
    answer: SummaryAnswer | None,
    *,
    provider: str,
    now: datetime,
) -> ProposedSummary:
    """Build the event that follows from an answer. Its key facts become candidates like any others."""
    if answer is None:
        return ProposedSummary(_event(asked, read, provider), Counter())
    facts = propose_candidates(
        _window(asked, read.turns), ExtractionAnswer(proposals=answer.key_facts), provider=provider
    )
    summary = _summary(asked, read, provider=provider, now=now).model_copy(
        update={
            "text": answer.text,
            "topics": _topics(read.topic, answer.topics),
            "user_intent": answer.user_intent,
            "emotional_tone": answer.emotional_tone,
            "unresolved": answer.unresolved,
            "key_facts": tuple(candidate.content for candidate in facts.event.candidates),
            "language": answer.language,
        }
    )
    event = _event(asked, read, provider).model_copy(
        update={
            "summary": summary,
            "candidates": facts.event.candidates if answer.proposes_facts else (),
        }
    )
    return ProposedSummary(event, facts.dropped)


def _topics(begun_with: str | None, found: Sequence[str]) -> tuple[str, ...]:
    """Return the topics: the session's own first, so that the summary is found by it."""
    own = [begun_with.strip()] if begun_with and begun_with.strip() else []
    return tuple(dict.fromkeys((*own, *found)))


def build_failed_summary(
    asked: SummaryRequested, read: SessionTranscript, *, provider: str, now: datetime
) -> SummaryProposed:
    """Build the substitute for a summary that could not be made."""
    said = "\n".join(own_words(turn) for turn in read.turns)
    language = asked.settings.language or detect_language(said)
    summary = _summary(asked, read, provider=provider, now=now).model_copy(
        update={"text": FAILED[language], "failed": True, "language": language}
    )
    return _event(asked, read, provider).model_copy(update={"summary": summary})


def _event(asked: SummaryRequested, read: SessionTranscript, provider: str) -> SummaryProposed:
    return SummaryProposed(
        **build_answer_envelope(asked, SummaryProposed, provider),
        session_id=asked.session_id,
        aware_of=read.aware_of,
    )


def _summary(
    asked: SummaryRequested, read: SessionTranscript, *, provider: str, now: datetime
) -> SessionSummary:
    return SessionSummary(
        id=summary_id(asked.user_id, asked.session_id),
        scope=_scope(asked),
        session_id=asked.session_id,
        text="",
        made_by=provider,
        message_count=len(read.turns),
        through=asked.through,
        started_at=read.turns[0].occurred_at,
        ended_at=read.turns[-1].occurred_at,
        made_at=now,
        expires_at=now + LIFE,
        left_out=read.left_out,
        epoch=asked.epoch or 0,
    )


def _scope(asked: SummaryRequested) -> Scope:
    """Return the conversation's scope.

    Under `user_level` every agent of the user may know the summary.
    """
    if asked.settings.sharing_policy is SharingPolicy.USER_LEVEL:
        return asked.scope.model_copy(update={"agent_id": None})
    return asked.scope


def _window(asked: SummaryRequested, turns: Sequence[Turn]) -> ExtractionRequested:
    """Return the session as one window, so that its facts are grounded like any others."""
    return ExtractionRequested(
        event_id=asked.event_id,
        occurred_at=asked.occurred_at,
        received_at=asked.received_at,
        epoch=asked.epoch,
        user_id=asked.user_id,
        agent_id=asked.agent_id,
        project_id=asked.project_id,
        session_id=asked.session_id,
        trace=asked.trace,
        window_id=asked.question_id,
        trigger=WindowTrigger.SESSION_END,
        fresh=tuple(turns),
        settings=asked.settings,
    )
