"""Builds the event that requests extraction of a window; repeated, it is the same event."""

from collections.abc import Sequence

from palimpsest.events.envelope import derive_event_id
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserSettings
from palimpsest.model.window import Window


def derive_extraction_request_id(window: Window) -> str:
    return derive_event_id("ExtractionRequested", window.user_id, window.id)


def build_extraction_requested(
    window: Window,
    *,
    fresh: Sequence[Turn],
    context: Sequence[Turn],
    participants: tuple[str, ...],
    project_id: str | None,
    settings: UserSettings,
    topic: str | None = None,
) -> ExtractionRequested:
    """Build the event of a window. It carries the lowest epoch of the window's turns.

    Its agent is the one that took part, or None with several. Its project is that of the last
    message, otherwise the session's.
    """
    last = fresh[-1]
    traces = [turn.trace for turn in fresh if turn.trace is not None]
    agents = {turn.agent_id for turn in (*fresh, *context)} - {None}
    return ExtractionRequested(
        event_id=derive_extraction_request_id(window),
        occurred_at=last.occurred_at,
        received_at=max(turn.received_at for turn in fresh),
        epoch=min(turn.epoch for turn in (*fresh, *context)),
        user_id=window.user_id,
        agent_id=next(iter(agents)) if len(agents) == 1 else None,
        project_id=last.project_id or project_id,
        session_id=window.session_id,
        trace=traces[-1] if traces else None,
        window_id=window.id,
        trigger=window.trigger,
        fresh=tuple(fresh),
        context=tuple(context),
        participants=participants,
        topic=topic,
        settings=settings,
    )
