"""Summaries of one session, made locally or by a model."""

from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary, summary_id

LOCAL, MODEL = "local", "openai/m-1"


NOW = datetime(2026, 3, 4, tzinfo=UTC)


def summary(made_by: str = MODEL, through: int = 4, **fields: Any) -> SessionSummary:
    return SessionSummary.model_validate(
        {
            "id": summary_id("ann", "s1"),
            "scope": Scope(user_id="ann"),
            "session_id": "s1",
            "text": f"{made_by} up to {through}.",
            "made_by": made_by,
            "message_count": through,
            "through": through,
            "started_at": NOW,
            "ended_at": NOW,
            "made_at": NOW,
            "expires_at": NOW + timedelta(days=1),
            "epoch": 0,
            **fields,
        }
    )
