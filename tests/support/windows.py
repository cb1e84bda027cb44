"""Windows of conversations, as ingest sends them to the extractor."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from palimpsest.events.envelope import derive_event_id
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.identifiers import derive_id
from palimpsest.model.turn import ImageReference, Role, TextSpan, Turn, turn_id
from palimpsest.model.user import UserSettings

STARTED = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def said(
    text: str,
    *,
    role: Role = Role.USER,
    speaker: str | None = None,
    agent_id: str | None = None,
    project_id: str | None = None,
    images: tuple[ImageReference, ...] = (),
    injected: tuple[TextSpan, ...] = (),
) -> Turn:
    """A turn that `window` puts into its place."""
    return Turn(
        id="",
        event_id="",
        user_id="u",
        agent_id=agent_id,
        project_id=project_id,
        session_id="s",
        message_id="m",
        role=role,
        speaker=speaker,
        text=text,
        images=images,
        injected=injected,
        occurred_at=STARTED,
        received_at=STARTED,
        epoch=0,
    )


def window(
    *fresh: Turn | str,
    user: str = "ana",
    session: str = "s1",
    name: str = "w1",
    context: Sequence[Turn | str] = (),
    agent_id: str | None = None,
    participants: tuple[str, ...] = (),
    topic: str | None = None,
    settings: UserSettings | None = None,
    epoch: int = 0,
) -> ExtractionRequested:
    """A window of these turns; a text is something the user said."""
    turns = [
        _placed(turn if isinstance(turn, Turn) else said(turn), number, user, session, name, epoch)
        for number, turn in enumerate([*context, *(fresh or ("I live in Berlin.",))], start=1)
    ]
    return ExtractionRequested(
        event_id=derive_event_id("ExtractionRequested", user, session, name),
        occurred_at=STARTED,
        received_at=STARTED,
        epoch=epoch,
        user_id=user,
        agent_id=agent_id,
        session_id=session,
        window_id=derive_id("window", user, session, name),
        trigger="rounds",
        fresh=tuple(turns[len(context) :]),
        context=tuple(turns[: len(context)]),
        participants=participants,
        topic=topic,
        settings=settings or UserSettings(),
    )


def _placed(turn: Turn, number: int, user: str, session: str, name: str, epoch: int) -> Turn:
    message_id = f"{name}-{number}"
    at = STARTED + timedelta(minutes=number)
    return turn.model_copy(
        update={
            "id": turn_id(user, session, message_id),
            "event_id": derive_event_id("MessageAdded", user, session, message_id),
            "user_id": user,
            "session_id": session,
            "message_id": message_id,
            "occurred_at": at,
            "received_at": at,
            "epoch": epoch,
            "sequence": number,
        }
    )
