"""The promises of every store of commands."""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.events.commands import ForgetMemory, SetSettings
from palimpsest.model.errors import ConflictingDuplicate
from palimpsest.model.user import Language
from palimpsest_server.stores.commands import CommandState, CommandStore, StoredCommand

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def forget(number: int, *, memory_id: str = "m1", at: datetime = NOON) -> StoredCommand:
    event = ForgetMemory(
        event_id=f"c{number}",
        occurred_at=at,
        received_at=at,
        epoch=3,
        user_id="小明",
        agent_id="a_b",
        memory_id=memory_id,
    )
    return StoredCommand(id=event.event_id, user_id="小明", event=event, accepted_at=at, since=at)


class CommandStoreContract:
    async def test_what_was_accepted_comes_back_whole(self, store: CommandStore) -> None:
        event = SetSettings(
            event_id="c1",
            occurred_at=NOON,
            received_at=NOON,
            epoch=1,
            user_id="ann",
            language=Language.CHINESE,
            time_zone="Asia/Shanghai",
        )
        command = StoredCommand(id="c1", user_id="ann", event=event, accepted_at=NOON, since=NOON)
        assert await store.accept(command) == command
        (found,) = await store.unfinished(CommandState.STORED, since_before=NOON + SECOND)
        assert found == command

    async def test_a_retry_is_the_command_that_stands(self, store: CommandStore) -> None:
        await store.accept(forget(1))
        await store.published(["c1"], NOON)
        standing = await store.accept(forget(1, at=NOON + SECOND))
        assert standing.state is CommandState.PUBLISHED
        assert standing.event.received_at == NOON

    async def test_another_request_under_the_same_id_is_a_conflict(
        self, store: CommandStore
    ) -> None:
        await store.accept(forget(1))
        with pytest.raises(ConflictingDuplicate):
            await store.accept(forget(1, memory_id="m2"))
        (command,) = await store.unfinished(CommandState.STORED, since_before=NOON + SECOND)
        assert command == forget(1)

    async def test_states_only_go_forward(self, store: CommandStore) -> None:
        await store.accept(forget(1))
        await store.confirmed(["c1"], NOON + SECOND)
        await store.published(["c1"], NOON + 2 * SECOND)
        await store.confirmed(["c1"], NOON + 3 * SECOND)
        for state in (CommandState.STORED, CommandState.PUBLISHED):
            assert await store.unfinished(state, since_before=NOON + 9 * SECOND) == []
        assert (await store.accept(forget(1))).since == NOON + SECOND

    async def test_only_what_has_waited_long_enough_is_unfinished_the_longest_first(
        self, store: CommandStore
    ) -> None:
        for number, seconds in [(1, 3), (2, 1), (3, 2), (4, 9)]:
            await store.accept(forget(number, at=NOON + seconds * SECOND))
        commands = await store.unfinished(CommandState.STORED, since_before=NOON + 5 * SECOND)
        assert [command.id for command in commands] == ["c2", "c3", "c1"]
        commands = await store.unfinished(CommandState.STORED, since_before=NOON + SECOND)
        assert commands == []
        commands = await store.unfinished(
            CommandState.STORED, since_before=NOON + 99 * SECOND, limit=2
        )
        assert [command.id for command in commands] == ["c2", "c3"]

    async def test_what_is_published_again_waits_anew(self, store: CommandStore) -> None:
        await store.accept(forget(1))
        await store.published(["c1"], NOON + SECOND)
        await store.published(["c1"], NOON + 5 * SECOND)
        commands = await store.unfinished(CommandState.PUBLISHED, since_before=NOON + 3 * SECOND)
        assert commands == []
        commands = await store.unfinished(CommandState.PUBLISHED, since_before=NOON + 6 * SECOND)
        assert [command.id for command in commands] == ["c1"]

    async def test_nothing_and_strangers_are_no_trouble(self, store: CommandStore) -> None:
        await store.accept(forget(1))
        await store.published([], NOON)
        await store.confirmed(["nobody"], NOON)
        commands = await store.unfinished(CommandState.STORED, since_before=NOON + SECOND)
        assert [command.id for command in commands] == ["c1"]
