"""Apply feedback: it changes the importance and the confidence of a memory, or ends it.

| verdict | importance | confidence | and |
| --- | --- | --- | --- |
| helpful | up by a tenth of its distance to 1 | likewise | |
| wrong | a fifth less | halved | it waits for confirmation (pending), and is not recalled |
| outdated | a fifth less | | it no longer holds from then on (superseded), and is history |

If several memories are named together, as the results of one recall, it is unknown which was meant.
Each then changes by its share of these amounts. No confidence is lowered, and no memory is hidden.
Confidence is computed from the evidence again when more evidence is found.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from palimpsest.model.feedback import FeedbackVerdict
from palimpsest.model.memory import Memory, Status
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import change_status

HELPFUL_GAIN = 0.1
"""Share of the distance to 1 that importance gains."""
IMPORTANCE_LOSS = 0.2
CONFIDENCE_LOSS = 0.5

WRONG_REASON = "said to be wrong"
OUTDATED_REASON = "said to be outdated"

_STANDING = frozenset({Status.PENDING, Status.ACTIVE, Status.SUPERSEDED})
_SHORTEST = timedelta(milliseconds=1)
_DIGITS = 6


class FeedbackOutcome(StrEnum):
    """The effect of a verdict on one memory."""

    HELPFUL = "found helpful"
    WRONG = "found wrong"
    OUTDATED = "found outdated"
    LESS = "found less useful"
    """The memory was one of several, and not named as the one meant."""
    UNKNOWN = "no such memory"
    NOT_STANDING = "no longer standing"
    """The memory was forgotten, archived or rejected before, so the verdict changes nothing."""


_ALONE = {
    FeedbackVerdict.HELPFUL: FeedbackOutcome.HELPFUL,
    FeedbackVerdict.WRONG: FeedbackOutcome.WRONG,
    FeedbackVerdict.OUTDATED: FeedbackOutcome.OUTDATED,
}


def apply_feedback(
    known: Overlay,
    memory_ids: Sequence[str],
    verdict: FeedbackVerdict,
    *,
    at: datetime,
    agent_id: str | None = None,
) -> list[FeedbackOutcome]:
    """Put the changes that follow from a verdict into `known`; return one outcome for each memory.

    Args:
        known: must hold the memories of these ids.
        memory_ids: one id, or several of which it is unknown which was meant.
        verdict: the user's verdict on them.
        at: when it was given; an outdated memory no longer holds from then on.
        agent_id: the agent that received the verdict, which knows no other agent's memories; None if
            the user's chat service received it.
    """
    distinct = list(dict.fromkeys(memory_ids))
    memories = [_find(known, memory_id, agent_id) for memory_id in distinct]
    return [_one(known, memory, verdict, at=at, among=len(distinct)) for memory in memories]


def _find(known: Overlay, memory_id: str, agent_id: str | None) -> Memory | None:
    memory = known.get(memory_id)
    if memory is None or agent_id is None or memory.scope.agent_id in {None, agent_id}:
        return memory
    return None


def _one(
    known: Overlay, memory: Memory | None, verdict: FeedbackVerdict, *, at: datetime, among: int
) -> FeedbackOutcome:
    if memory is None:
        return FeedbackOutcome.UNKNOWN
    if memory.status not in _STANDING:
        return FeedbackOutcome.NOT_STANDING
    if verdict is FeedbackVerdict.HELPFUL:
        known.put(_more(memory, HELPFUL_GAIN / among))
        return FeedbackOutcome.HELPFUL
    less = memory.model_copy(
        update={"importance": round(memory.importance * (1 - IMPORTANCE_LOSS / among), _DIGITS)}
    )
    if among > 1:
        known.put(less)
        return FeedbackOutcome.LESS
    known.put(_wrong(less) if verdict is FeedbackVerdict.WRONG else _outdated(less, at))
    return _ALONE[verdict]


def _more(memory: Memory, share: float) -> Memory:
    return memory.model_copy(
        update={
            name: round(value + share * (1 - value), _DIGITS)
            for name, value in (
                ("importance", memory.importance),
                ("confidence", memory.confidence),
            )
        }
    )


def _wrong(memory: Memory) -> Memory:
    doubted = memory.model_copy(
        update={"confidence": round(memory.confidence * (1 - CONFIDENCE_LOSS), _DIGITS)}
    )
    if memory.status is not Status.ACTIVE:
        return doubted
    return change_status(doubted, Status.PENDING, reason=WRONG_REASON)


def _outdated(memory: Memory, at: datetime) -> Memory:
    """Return the ended memory. It held for at least a moment, and no longer than its own end."""
    end = max(at, memory.valid_from + _SHORTEST)
    ended: dict[str, Any] = {"valid_until": min(end, memory.valid_until or end)}
    over = memory.model_copy(update=ended)
    if memory.status is not Status.ACTIVE:
        return over
    return change_status(over, Status.SUPERSEDED, reason=OUTDATED_REASON)
