from datetime import UTC, datetime

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.change_set import Cause, ChangeSet, change_set_id
from services.console.change_waiters import ChangeWaiters

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def announced(user_id: str, event_id: str) -> ChangeSetAnnounced:
    cause = Cause(event_id=event_id, type="SetSettings", occurred_at=NOON, received_at=NOON)
    change_set = ChangeSet(
        id=change_set_id(user_id, event_id),
        user_id=user_id,
        revision=1,
        epoch=0,
        cause=cause,
        actor="user",
        reason="settings changed",
        decided_at=NOON,
        changes=(),
    )
    return ChangeSetAnnounced(
        event_id="announcement", occurred_at=NOON, user_id=user_id, change_set=change_set
    )


async def test_a_change_of_somebody_else_under_the_same_event_id_is_not_mine() -> None:
    announcements = ChangeWaiters()
    with announcements.expect("ann", "e1") as expected:
        await announcements.on_change(announced("mallory", "e1"))
        assert not expected.done()
        await announcements.on_change(announced("ann", "e1"))
        assert (await expected).user_id == "ann"
