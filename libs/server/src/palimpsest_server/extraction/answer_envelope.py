"""The fields that every answer takes from its question."""

from typing import Any

from palimpsest.events.extractor_answers import ExtractorAnswer
from palimpsest.events.extractor_requests import (
    JudgementRequested,
    ReflectionRequested,
    SummaryRequested,
)


def build_answer_envelope(
    asked: JudgementRequested | ReflectionRequested | SummaryRequested,
    answer: type[ExtractorAnswer],
    provider: str,
) -> dict[str, Any]:
    """Build the envelope of an answer; the same question gives the same event id."""
    return {
        "event_id": answer.derive_id(asked.user_id, asked.question_id),
        "occurred_at": asked.occurred_at,
        "received_at": asked.received_at,
        "epoch": asked.epoch,
        "user_id": asked.user_id,
        "agent_id": asked.agent_id,
        "project_id": asked.project_id,
        "trace": asked.trace,
        "question_id": asked.question_id,
        "provider": provider,
    }
