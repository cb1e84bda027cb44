"""Turn a day's actions into the events that a chat service would send."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby

from palimpsest.events.conversations import MessageAdded, RememberRequested, SessionEnded
from palimpsest.events.envelope import Event
from palimpsest.model.turn import Role
from palimpsest_lab.simulation.user_actions import StatementForm, UserAction, UserActionType

MESSAGES_OF_A_SESSION = 8
"""Fewer than fill a window: each conversation is understood once, at its end."""

THE_USER = "user"
"""The subject of every statement."""


@dataclass
class DayEvents:
    """The events of a day in their order, and what is to be waited for."""

    events: list[Event] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    """Ids of what is to be remembered: each leaves a change."""
    conversations: list[str] = field(default_factory=list)
    """Of whom: each leaves a change as well, for somebody said something in it."""


def build_day_events(acts: Iterable[UserAction]) -> DayEvents:
    """The events for these acts of one day. Commands are none of them."""
    day = DayEvents()
    spoken: dict[str, list[UserAction]] = {}
    for act in acts:
        if act.doing is UserActionType.FORGET:
            continue
        if act.person.form is StatementForm.REMEMBERED and act.doing is not UserActionType.CHAT:
            event = _remember(act)
            day.events.append(event)
            day.requests.append(event.event_id)
        else:
            spoken.setdefault(act.person.user_id, []).append(act)
    for messages in spoken.values():
        for session in _sessions(messages):
            day.events += _conversation(session)
            if any(act.doing is not UserActionType.CHAT for act in session):
                day.conversations.append(session[0].person.user_id)
    return day


def _sessions(acts: Sequence[UserAction]) -> Iterable[list[UserAction]]:
    """Split actions into sessions; late ones come from a device that was not connected."""
    for late, same in groupby(acts, key=lambda act: act.doing is UserActionType.LATE):
        together = list(same)
        size = 1 if late else MESSAGES_OF_A_SESSION
        for start in range(0, len(together), size):
            yield together[start : start + size]


def _conversation(acts: Sequence[UserAction]) -> Iterable[Event]:
    first, last = acts[0], acts[-1]
    session_id = f"session-{first.id}"
    for act in acts:
        yield MessageAdded(
            user_id=act.person.user_id,
            session_id=session_id,
            message_id=act.id,
            occurred_at=act.occurred_at,
            role=Role.USER,
            text=act.text,
        )
    yield SessionEnded(
        user_id=first.person.user_id,
        session_id=session_id,
        occurred_at=last.occurred_at + timedelta(seconds=1),
    )


def _remember(act: UserAction) -> RememberRequested:
    about = {} if act.attribute is None else {"attribute": act.attribute, "value": act.value}
    return RememberRequested(
        event_id=act.id,
        user_id=act.person.user_id,
        message_id=act.id,
        occurred_at=act.occurred_at,
        content=act.text,
        kind=act.kind,
        importance=act.importance,
        subject=THE_USER,
        ended=act.doing is UserActionType.STOP,
        **about,
    )
