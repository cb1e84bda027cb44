"""The events that follow from what ingest keeps."""

from collections.abc import Sequence

from palimpsest.contracts.envelope import derived_event_id
from palimpsest.contracts.events import ExtractionRequested, TurnStored
from palimpsest.domain.turn import Turn
from palimpsest.domain.user import UserSettings
from palimpsest.domain.windows import Window
from palimpsest.stores.sessions import Session


def extraction_requested_id(window: Window) -> str:
    return derived_event_id("ExtractionRequested", window.user_id, window.id)


def turn_stored(turn: Turn) -> TurnStored:
    return TurnStored(
        event_id=derived_event_id("TurnStored", turn.user_id, turn.id),
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


def extraction_requested(
    window: Window,
    *,
    fresh: Sequence[Turn],
    context: Sequence[Turn],
    session: Session,
    settings: UserSettings,
) -> ExtractionRequested:
    """The window as an event. It carries the lowest epoch of what is in it.

    It speaks for the one agent that took part, or for none where there were
    several; its project is that of the last message, or the session's.
    """
    last = fresh[-1]
    traces = [turn.trace for turn in fresh if turn.trace is not None]
    agents = {turn.agent_id for turn in (*fresh, *context)} - {None}
    return ExtractionRequested(
        event_id=extraction_requested_id(window),
        occurred_at=last.occurred_at,
        received_at=max(turn.received_at for turn in fresh),
        epoch=min(turn.epoch for turn in (*fresh, *context)),
        user_id=window.user_id,
        agent_id=next(iter(agents)) if len(agents) == 1 else None,
        project_id=last.project_id or session.project_id,
        session_id=window.session_id,
        trace=traces[-1] if traces else None,
        window_id=window.id,
        trigger=window.trigger.value,
        fresh=tuple(fresh),
        context=tuple(context),
        participants=session.participants,
        settings=settings,
    )
