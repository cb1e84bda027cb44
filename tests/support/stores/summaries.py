"""Summaries of sessions of two users."""

from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary, summary_id

ANN, BEN = Scope(user_id="ann"), Scope(user_id="ben")


NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)


def summary(
    session: str, *, scope: Scope = ANN, hours_ago: int = 0, **fields: Any
) -> SessionSummary:
    ended_at = NOW - timedelta(hours=hours_ago)
    return SessionSummary.model_validate(
        {
            "id": summary_id(scope.user_id, session),
            "scope": scope,
            "session_id": session,
            "text": session,
            "made_by": "local",
            "message_count": 3,
            "through": 3,
            "started_at": ended_at,
            "ended_at": ended_at,
            "made_at": ended_at,
            "expires_at": NOW + timedelta(days=1),
            "epoch": 0,
            **fields,
        }
    )
