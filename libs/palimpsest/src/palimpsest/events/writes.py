"""Events that the services send to the consolidator, beside answers and commands."""

from typing import Literal

from palimpsest.api.recall import RecordType
from palimpsest.events.embeddable_event import EmbeddableEvent, MemoryText, VectorCarrier
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.model.turn import Turn
from palimpsest.model.value_types import Identifier, Instant, Value
from palimpsest.model.vectors import EmbeddableText


class TurnStored(VectorCarrier):
    """A raw turn that is to become searchable."""

    type: Literal["TurnStored"] = "TurnStored"
    turn: Turn


def build_turn_stored(turn: Turn) -> TurnStored:
    """Build the event of a turn; a withheld turn makes another event, without searchable content."""
    withheld = ("withheld",) if turn.withheld else ()
    return TurnStored(
        event_id=derive_event_id("TurnStored", turn.user_id, turn.id, *withheld),
        occurred_at=turn.occurred_at,
        received_at=turn.received_at,
        epoch=turn.epoch,
        user_id=turn.user_id,
        agent_id=turn.agent_id,
        project_id=turn.project_id,
        session_id=turn.session_id,
        trace=turn.trace,
        turn=turn,
    )


class ReprojectionRequested(EmbeddableEvent):
    """Make the vectors of these memories again, at the versions named."""

    type: Literal["ReprojectionRequested"] = "ReprojectionRequested"
    memories: tuple[MemoryText, ...]

    def texts(self) -> tuple[EmbeddableText, ...]:
        return tuple(
            EmbeddableText(dense=memory.text, sparse=memory.text) for memory in self.memories
        )


class SummaryReprojectionRequested(EmbeddableEvent):
    """Make the vectors of this summary again, at the version named."""

    type: Literal["SummaryReprojectionRequested"] = "SummaryReprojectionRequested"
    session_id: Identifier
    version: int
    text: EmbeddableText

    def texts(self) -> tuple[EmbeddableText, ...]:
        return (self.text,)


class TodoDue(Event):
    """The consolidator's event to itself: a todo's reminder is due."""

    type: Literal["TodoDue"] = "TodoDue"
    todo_id: str
    remind_at: Instant
    """The time of the reminder. If the todo has another by now, this event is outdated."""


class RankedResult(Value):
    """A result of a recall, as it was ranked."""

    id: str
    signs: tuple[float, ...]
    """The features of its score, unweighted, in the order of the ranking features."""


class PresentedResult(Value):
    """A result of a recall, as it was returned."""

    id: str
    record: RecordType
    score: float


class MemoriesAccessed(Event):
    """One recall and its results. Its memories are counted once for each recall id."""

    type: Literal["MemoriesAccessed"] = "MemoriesAccessed"
    recall_id: str
    memory_ids: tuple[str, ...]
    returned: tuple[RankedResult, ...] = ()
    """Results of the default ranking, turns included, from which weights are tuned."""
    query: str = ""
    """The question without secrets; empty if it may not be stored."""
    results: tuple[PresentedResult, ...] = ()
    """Returned results, best first: the trace that its user reads."""
