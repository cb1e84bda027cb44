"""Commands: stored first, done once, waited for, and never lost."""

import asyncio
from datetime import timedelta

import httpx
import pytest

from palimpsest.api.resources import CommandResult, Problem
from palimpsest.events.commands import ForgetMemory, SetSettings
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserSettings
from palimpsest_server.stores.commands import CommandState, StoredCommand
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.services.console.routes.world import GRACE, World

ANN = {"user_id": "ann"}
LATER = timedelta(days=365)


async def forget(
    http: httpx.AsyncClient, memory_id: str = "m1", key: str | None = None
) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await http.post(f"/v1/memories/{memory_id}/forget", params=ANN, headers=headers)


def result(answer: httpx.Response) -> CommandResult:
    assert answer.is_success, answer.text
    return CommandResult.model_validate_json(answer.content)


async def stored(world: World, state: CommandState) -> list[StoredCommand]:
    return list(await world.commands.unfinished(state, since_before=world.clock() + LATER))


class CommandsContract:
    async def test_forgetting_answers_the_revision_and_the_memory_as_it_is_now(
        self, world: World
    ) -> None:
        await world.know(world.memory("m1"))
        async with world.http as http:
            answer = await forget(http)
        assert answer.status_code == 200
        done = result(answer)
        assert (done.applied, done.revision) == (True, 1)
        assert done.memory is not None
        assert done.memory.status is Status.FORGOTTEN

    async def test_a_command_says_who_and_where_and_carries_time_and_epoch(
        self, world: World
    ) -> None:
        world.writer.epochs["ann"] = 4
        await world.know(
            world.memory("m1", Scope(user_id="ann", agent_id="poet", project_id="p"), epoch=4)
        )
        async with world.http as http:
            await http.post(
                "/v1/memories/m1/forget",
                params={**ANN, "agent_id": "poet", "project_id": "p"},
                json={"reason": "not true"},
            )
        (event,) = world.writer.published
        assert isinstance(event, ForgetMemory)
        assert event.scope == Scope(user_id="ann", agent_id="poet", project_id="p")
        assert (event.received_at, event.epoch) == (world.clock(), 4)
        assert event.reason == "not true"

    async def test_a_reason_is_redacted_before_it_is_stored_anywhere(self, world: World) -> None:
        world.writer.works, world.patience = False, timedelta(milliseconds=20)
        await world.know(world.memory("m1"))
        async with world.http as http:
            await http.post(
                "/v1/memories/m1/forget", params=ANN, json={"reason": "my password is hunter2"}
            )
        (command,) = await stored(world, CommandState.PUBLISHED)
        for event in (command.event, world.writer.published[0]):
            assert isinstance(event, ForgetMemory)
            assert event.reason == "my password is [redacted:password]"

    async def test_a_memory_of_the_users_layer_is_forgotten_where_it_lives(
        self, world: World
    ) -> None:
        await world.know(world.memory("m1"))
        async with world.http as http:
            await http.post("/v1/memories/m1/forget", params={**ANN, "agent_id": "poet"})
        assert world.writer.published[0].scope == Scope(user_id="ann")

    async def test_the_console_itself_writes_no_memory(self, world: World) -> None:
        world.writer.works, world.patience = False, timedelta(milliseconds=20)
        known = world.memory("m1")
        await world.know(known)
        async with world.http as http:
            answer = await forget(http)
        assert answer.status_code == 202
        assert result(answer) == CommandResult(command_id=result(answer).command_id, applied=False)
        assert await world.memories.by_ids([known.scope], ["m1"]) == [known]
        assert await world.change_sets.known(["m1"]) == set()

    async def test_what_is_under_way_is_answered_when_asked_again(self, world: World) -> None:
        world.writer.works, world.patience = False, timedelta(milliseconds=20)
        await world.know(world.memory("m1"))
        async with world.http as http:
            first = await forget(http, key="k1")
            world.writer.works = True
            second = await forget(http, key="k1")
            third = await forget(http, key="k1")
        assert (first.status_code, second.status_code, third.status_code) == (202, 200, 200)
        assert result(second) == result(third)
        assert result(second).revision == 1

    async def test_an_announcement_that_never_came_costs_patience_and_no_truth(
        self, world: World
    ) -> None:
        world.writer.announces, world.patience = False, timedelta(milliseconds=20)
        await world.know(world.memory("m1"))
        async with world.http as http:
            answer = await forget(http)
        assert answer.status_code == 200
        assert result(answer).revision == 1

    async def test_with_kafka_away_the_command_waits_and_the_retry_is_the_same_one(
        self,
        world: World,
    ) -> None:
        world.writer.down = True
        await world.know(world.memory("m1"))
        async with world.http as http:
            refused = await forget(http)
            assert refused.status_code == 503
            assert refused.headers["Retry-After"] == "2"
            (waiting,) = await stored(world, CommandState.STORED)
            world.writer.down = False
            world.clock.advance(timedelta(seconds=3))
            accepted = await forget(http)
        assert accepted.status_code == 200
        assert result(accepted).command_id == waiting.event.event_id
        assert await stored(world, CommandState.STORED) == []

    async def test_asking_twice_about_the_same_version_is_one_command(self, world: World) -> None:
        world.writer.works, world.patience = False, timedelta(milliseconds=20)
        await world.know(world.memory("m1"))
        async with world.http as http:
            answers = await asyncio.gather(forget(http), forget(http))
        assert len({result(answer).command_id for answer in answers}) == 1
        assert len(await stored(world, CommandState.PUBLISHED)) == 1

    async def test_forgetting_what_is_forgotten_changes_nothing(self, world: World) -> None:
        await world.know(world.memory("m1"))
        async with world.http as http:
            first, second = await forget(http), await forget(http)
        assert result(first).memory == result(second).memory
        assert result(second).applied
        assert result(second).revision == 2

    async def test_a_key_used_for_something_else_is_a_conflict(self, world: World) -> None:
        async with world.http as http:
            headers = {"Idempotency-Key": "k1"}
            await http.put("/v1/settings", params=ANN, json={"language": "zh"}, headers=headers)
            answer = await http.put(
                "/v1/settings", params=ANN, json={"language": "en"}, headers=headers
            )
        assert answer.status_code == 409
        assert Problem.model_validate_json(answer.content).reason == "conflicting_duplicate"

    async def test_the_same_key_of_two_users_is_two_commands(self, world: World) -> None:
        async with world.http as http:
            for user_id in ("ann", "bob"):
                await http.put(
                    "/v1/settings",
                    params={"user_id": user_id},
                    json={"memory_enabled": False},
                    headers={"Idempotency-Key": "k1"},
                )
        assert len({event.event_id for event in world.writer.published}) == 2

    async def test_settings_have_defaults_until_they_are_changed(self, world: World) -> None:
        async with world.http as http:
            before = await http.get("/v1/settings", params=ANN)
            changed = await http.put(
                "/v1/settings", params=ANN, json={"time_zone": "Asia/Shanghai", "language": "zh"}
            )
            after = await http.get("/v1/settings", params=ANN)
        assert UserSettings.model_validate_json(before.content) == UserSettings()
        settled = UserSettings.model_validate_json(after.content)
        assert (settled.time_zone, settled.language, settled.memory_enabled) == (
            "Asia/Shanghai",
            "zh",
            True,
        )
        assert result(changed).settings == settled
        assert result(changed).revision == 1

    async def test_on_off_and_on_again_are_three_commands(self, world: World) -> None:
        async with world.http as http:
            for enabled in (False, True, False):
                world.clock.advance(timedelta(milliseconds=1))
                await http.put("/v1/settings", params=ANN, json={"memory_enabled": enabled})
            after = await http.get("/v1/settings", params=ANN)
        assert len(world.writer.published) == 3
        assert after.json()["memory_enabled"] is False

    async def test_a_change_that_changes_nothing_answers_what_stands(self, world: World) -> None:
        async with world.http as http:
            answer = await http.put("/v1/settings", params=ANN, json={"memory_enabled": True})
        assert result(answer).settings == UserSettings()

    async def test_bad_settings_are_refused_before_anything_is_stored(self, world: World) -> None:
        async with world.http as http:
            for body, field in [
                ({"time_zone": "Atlantis"}, "time_zone"),
                ({"language": "la"}, "language"),
                ({"sharing_policy": "all"}, "sharing_policy"),
                ({"colour": "red"}, "colour"),
            ]:
                answer = await http.put("/v1/settings", params=ANN, json=body)
                assert answer.status_code == 422
                problem = Problem.model_validate_json(answer.content)
                assert [field.field for field in problem.fields] == [field]
            for ask in (http.get, http.put):
                answer = await ask("/v1/settings", params={**ANN, "colour": "red"})
                assert answer.status_code == 422
        assert await stored(world, CommandState.STORED) == []

    async def test_whoever_died_before_publishing_is_made_good_after_a_moment(
        self, world: World
    ) -> None:
        await world.know(world.memory("m1"))
        world.writer.down = True
        async with world.http as http:
            await forget(http)
        world.writer.down = False
        await world.reconciling.look()
        assert world.writer.published == []
        world.clock.advance(timedelta(seconds=11))
        await world.reconciling.look()
        assert [event.type for event in world.writer.published] == ["ForgetMemory"]
        world.clock.advance(GRACE + timedelta(seconds=1))
        await world.reconciling.look()
        assert await stored(world, CommandState.PUBLISHED) == []
        assert len(world.writer.published) == 1

    async def test_what_was_published_and_had_no_effect_is_published_again_in_order(
        self,
        world: World,
    ) -> None:
        world.writer.works, world.patience = False, timedelta(milliseconds=1)
        async with world.http as http:
            for enabled in (False, True, False):
                world.clock.advance(timedelta(milliseconds=1))
                await http.put("/v1/settings", params=ANN, json={"memory_enabled": enabled})
        world.writer.published.clear()
        await world.reconciling.look()
        assert world.writer.published == []
        world.clock.advance(GRACE + timedelta(seconds=1))
        await world.reconciling.look()
        await world.reconciling.look()
        again = [
            set_settings
            for set_settings in world.writer.published
            if isinstance(set_settings, SetSettings)
        ]
        assert [set_settings.memory_enabled for set_settings in again] == [False, True, False]

    async def test_after_a_lost_log_everything_unfinished_is_sent_at_once(
        self, world: World
    ) -> None:
        world.writer.works, world.patience = False, timedelta(milliseconds=1)
        await world.know(world.memory("m1"))
        async with world.http as http:
            await forget(http)
        world.writer.published.clear()
        world.writer.works = True
        world.clock.advance(timedelta(milliseconds=1))
        await world.reconciling.look(lost_before=world.clock())
        (again,) = world.writer.published
        assert isinstance(again, ForgetMemory)
        await world.reconciling.look(lost_before=world.clock() + timedelta(milliseconds=1))
        assert await stored(world, CommandState.PUBLISHED) == []
        assert len(world.writer.published) == 1

    async def test_the_watch_outlives_a_broker_that_is_away(self, world: World) -> None:
        await world.know(world.memory("m1"))
        world.writer.down = True
        async with world.http as http:
            await forget(http)
        world.clock.advance(timedelta(seconds=11))
        watching = asyncio.create_task(world.reconciling.watch(log_was_lost=True))
        await asyncio.sleep(0.05)
        assert not watching.done()
        watching.cancel()
        world.writer.down = False
        await world.reconciling.look()
        assert len(world.writer.published) == 1

    async def test_two_who_wait_for_the_same_change_both_hear_of_it(self, world: World) -> None:
        world.writer.works = False
        await world.know(world.memory("m1"))
        async with world.http as http:
            waiting = [asyncio.create_task(forget(http, key="k1")) for _ in range(2)]
            await world.writer.heard_of(2)
            await world.writer.work()
            answers = await asyncio.gather(*waiting)
        assert [answer.status_code for answer in answers] == [200, 200]


class TestOnTwins(CommandsContract):
    @pytest.fixture
    def world(self) -> World:
        return World()


@pytest.mark.embedded
class TestOnMongoDB(CommandsContract):
    @pytest.fixture
    def world(self, database: MongoDatabase) -> World:
        return World.on(database)
