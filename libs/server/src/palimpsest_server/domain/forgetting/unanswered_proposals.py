"""Archive proposals that nobody answered, so that they wait neither for ever nor in any number."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from palimpsest.model.memory import Memory, Status
from palimpsest_server.domain.consolidation.review import AWAITING_REVIEW_REASON
from palimpsest_server.domain.consolidation.status_transitions import change_status

ANSWERED_WITHIN = timedelta(days=90)
"""Time since the proposal was last said. A memory that its user doubted waits without limit."""
MOST_WAITING = 200
"""Maximum for each user and agent, because nobody reads a longer list of questions."""

UNANSWERED = "nobody said yes to it"
TOO_MANY_WAIT = "too many wait for a yes"


def archive_unanswered(waiting: Iterable[Memory], *, now: datetime) -> list[Memory]:
    """Return proposals that stop waiting, as archived memories, which can be restored.

    If more wait than allowed, those said longest ago go first; pinned memories stay.
    """
    pending = [
        memory for memory in waiting if memory.status is Status.PENDING and not memory.pinned
    ]
    over = [memory for memory in pending if _is_unanswered(memory, now)]
    left = sorted((memory for memory in pending if memory not in over), key=_last_said)
    return [
        *(change_status(memory, Status.ARCHIVED, reason=UNANSWERED) for memory in over),
        *(
            change_status(memory, Status.ARCHIVED, reason=TOO_MANY_WAIT)
            for memory in left[: max(len(left) - MOST_WAITING, 0)]
        ),
    ]


def _is_unanswered(memory: Memory, now: datetime) -> bool:
    return (
        memory.status_reason == AWAITING_REVIEW_REASON
        and now - _last_said(memory)[0] > ANSWERED_WITHIN
    )


def _last_said(memory: Memory) -> tuple[datetime, str]:
    heard = (
        evidence.received_at for evidence in memory.evidence if evidence.received_at is not None
    )
    return max((memory.recorded_at, *heard)), memory.id
