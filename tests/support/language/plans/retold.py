"""A plan that several messages speak of."""

from typing import Any

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Evidence
from tests.support.server.domain.consolidation.samples import candidate, day


def told(content: str, when: str, *messages: int, at: int, **fields: Any) -> Candidate:
    """By these messages, each said on the day of its number."""
    time = {
        "words": when,
        "starts_at": day(at).isoformat(),
        "ends_at": day(at + 1).isoformat(),
        "granularity": "day",
        "all_day": True,
    }
    evidence = tuple(
        Evidence(
            quote=f"{message}: {content}",
            session_id="s",
            message_id=f"m{message}",
            said_at=day(message),
        )
        for message in messages
    )
    return candidate(
        content,
        on=messages[-1],
        **{"kind": Kind.EVENT, "data": {"time": time}, "evidence": evidence, **fields},
    )
