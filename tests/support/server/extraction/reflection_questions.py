"""Requests for a reflection."""

from typing import Any

from palimpsest.events.extractor_requests import ReflectionMemory, ReflectionRequested
from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language


def question(shown: int = 4, **fields: Any) -> ReflectionRequested:
    return ReflectionRequested.model_validate(
        {
            "event_id": "e",
            "occurred_at": "2026-03-01T10:00:00Z",
            "user_id": "ann",
            "question_id": "q",
            "memories": [
                ReflectionMemory(
                    memory_id=f"id of {number}",
                    version=number,
                    text=f"Trained indoors, {number}",
                    kind=Kind.EVENT,
                    occurred_at="2026-02-27T20:00:00Z",
                )
                for number in range(1, shown + 1)
            ],
            "through": "2026-03-01T08:00:00Z",
            "language": Language.ENGLISH,
            "time_zone": "Asia/Shanghai",
            **fields,
        }
    )
