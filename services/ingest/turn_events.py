"""The event that follows from a turn that ingest keeps."""

from palimpsest.events.envelope import derive_event_id
from palimpsest.events.writes import TurnStored
from palimpsest.model.turn import Turn


def build_turn_stored(turn: Turn) -> TurnStored:
    """Another event once it is withheld: then it is to become searchable by nothing it says."""
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
