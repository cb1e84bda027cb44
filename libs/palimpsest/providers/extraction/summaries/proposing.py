"""From an account of a session to the event that proposes it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from palimpsest.contracts.answers import SummaryProposed
from palimpsest.contracts.questions import ExtractionRequested, SummaryRequested
from palimpsest.domain.privacy.own_words import own_words
from palimpsest.domain.scope import Scope
from palimpsest.domain.summaries.summary import LIFE, SessionSummary, summary_id
from palimpsest.domain.turn import Turn
from palimpsest.domain.user import Language, SharingPolicy
from palimpsest.domain.writing import language_of
from palimpsest.providers.extraction.answer_event import taken_over
from palimpsest.providers.extraction.grounding import Flaw
from palimpsest.providers.extraction.proposals_found import ExtractionAnswer
from palimpsest.providers.extraction.proposing import propose
from palimpsest.providers.extraction.summaries.summariser import SessionRead, SummaryAnswer

FAILED = {
    Language.CHINESE: "（摘要生成失败，待重试）",
    Language.ENGLISH: "(The summary could not be made, and will be tried again.)",
}


@dataclass(frozen=True)
class ProposedSummary:
    event: SummaryProposed
    dropped: Counter[Flaw]
    """How many key facts had no sound evidence, by flaw."""


def propose_summary(
    asked: SummaryRequested,
    read: SessionRead,
    answer: SummaryAnswer | None,
    *,
    provider: str,
    now: datetime,
) -> ProposedSummary:
    """The event that follows from an answer. Key facts become candidates like any others."""
    if answer is None:
        return ProposedSummary(_event(asked, read, provider), Counter())
    facts = propose(
        _window(asked, read.turns), ExtractionAnswer(proposals=answer.key_facts), provider=provider
    )
    summary = _summary(asked, read, provider=provider, now=now).model_copy(
        update={
            "text": answer.text,
            "topics": answer.topics,
            "user_intent": answer.user_intent,
            "emotional_tone": answer.emotional_tone,
            "unresolved": answer.unresolved,
            "key_facts": tuple(each.content for each in facts.event.candidates),
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


def placeholder(
    asked: SummaryRequested, read: SessionRead, *, provider: str, now: datetime
) -> SummaryProposed:
    """In the place of a summary that nobody could make."""
    said = "\n".join(own_words(turn) for turn in read.turns)
    language = asked.settings.language or language_of(said)
    summary = _summary(asked, read, provider=provider, now=now).model_copy(
        update={"text": FAILED[language], "failed": True, "language": language}
    )
    return _event(asked, read, provider).model_copy(update={"summary": summary})


def _event(asked: SummaryRequested, read: SessionRead, provider: str) -> SummaryProposed:
    return SummaryProposed(
        **taken_over(asked, "SummaryProposed", provider),
        session_id=asked.session_id,
        aware_of=read.aware_of,
    )


def _summary(
    asked: SummaryRequested, read: SessionRead, *, provider: str, now: datetime
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
    """Where the conversation was; under `user_level` every agent of the user may know of it."""
    if asked.settings.sharing_policy is SharingPolicy.USER_LEVEL:
        return asked.scope.model_copy(update={"agent_id": None})
    return asked.scope


def _window(asked: SummaryRequested, turns: Sequence[Turn]) -> ExtractionRequested:
    """The session as one window, so that its facts are grounded as any others are."""
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
        trigger="session_end",
        fresh=tuple(turns),
        settings=asked.settings,
    )
