"""Commands about memories over HTTP, done by the real writer."""

from datetime import timedelta

import pytest

from palimpsest.api.command_requests import ChangeList
from palimpsest.api.resources import CommandResult, MemoryDetail
from palimpsest.model.memory import Status
from tests.support.services.console.routes.joined import joined
from tests.support.services.console.routes.memory_requests import (
    ANN,
    added,
    list_changes,
    patch,
    post,
    problem,
)
from tests.support.services.console.routes.world import World

_SECOND = timedelta(seconds=1)


@pytest.fixture
def world() -> World:
    return joined()


async def test_a_memory_is_added_by_hand_and_answered(world: World) -> None:
    async with world.http as http:
        done = await post(
            http,
            "/v1/memories",
            {"content": "我每天早上喝茶", "kind": "preference", "tags": ["tea"]},
            agent_id="poet",
        )
    assert done.memory is not None
    assert (done.memory.content, done.memory.kind, done.memory.tags) == (
        "我每天早上喝茶",
        "preference",
        ("tea",),
    )
    assert (done.memory.status, done.memory.scope.agent_id) == (Status.ACTIVE, "poet")
    assert (done.revision, done.changed) == (1, 1)


async def test_what_is_added_twice_under_one_key_is_one_memory(world: World) -> None:
    async with world.http as http:
        body = {"content": "drinks tea"}
        first = await post(http, "/v1/memories", body, key="k1")
        world.clock.advance(_SECOND)
        again = await post(http, "/v1/memories", body, key="k1")
        assert again == first
        other = await http.post(
            "/v1/memories",
            params=ANN,
            json={"content": "drinks rain"},
            headers={"Idempotency-Key": "k1"},
        )
    assert problem(other, 409).reason == "conflicting_duplicate"


async def test_secrets_are_taken_out_of_what_is_added_and_edited(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "my password is hunter2")
        assert memory.content == "my password is [redacted:password]"
        answer = await patch(http, memory, content="now my password is hunter3")
        detail = await http.get(f"/v1/memories/{memory.id}", params=ANN)
    assert answer.status_code == 200
    assert "hunter" not in detail.text


async def test_an_edit_is_a_new_version_with_the_old_one_in_its_history(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea", subject="ann")
        answer = await patch(http, memory, content="drinks green tea", subject=None)
        detail = MemoryDetail.model_validate_json(
            (await http.get(f"/v1/memories/{memory.id}", params=ANN)).content
        )
    done = CommandResult.model_validate_json(answer.content)
    assert done.memory == detail.memory
    assert (detail.memory.content, detail.memory.subject) == ("drinks green tea", None)
    latest, first = detail.history
    assert (latest.reason, latest.actor) == ("edited", "user")
    assert latest.before is not None
    assert (latest.before.content, first.before) == ("drinks tea", None)


async def test_an_edit_asked_for_again_under_its_key_is_the_same_edit(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea")
        answers = [
            await http.patch(
                f"/v1/memories/{memory.id}",
                params=ANN,
                json={"content": "drinks green tea"},
                headers={"Idempotency-Key": "k1"},
            )
            for _ in range(2)
        ]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["memory"]["version"] == 2


async def test_an_edit_of_an_older_version_is_a_conflict(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea")
        await patch(http, memory, importance=0.3)
        late = await patch(http, memory, content="drinks rain", version=1)
    assert problem(late, 409).reason == "changed_meanwhile"


async def test_a_memory_is_pinned_confirmed_forgotten_and_restored(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea")
        path = f"/v1/memories/{memory.id}"
        states = []
        for step in ("pin", "pin", "unpin", "confirm", "forget", "restore"):
            done = await post(http, f"{path}/{step}")
            assert done.memory is not None
            states.append((step, done.changed, done.memory.pinned, done.memory.status.value))
        refused = await http.post(f"{path}/reject", params=ANN)
    assert states == [
        ("pin", 1, True, "active"),
        ("pin", 0, True, "active"),
        ("unpin", 1, False, "active"),
        ("confirm", 0, False, "active"),
        ("forget", 1, False, "forgotten"),
        ("restore", 1, False, "active"),
    ]
    assert problem(refused, 409).reason == "not_allowed"


async def test_memories_are_merged_into_the_first_named(world: World) -> None:
    async with world.http as http:
        tea, rain = await added(http, "drinks tea"), await added(http, "walks in the rain")
        done = await post(
            http,
            "/v1/memories/merge",
            {"memory_ids": [tea.id, rain.id], "content": "drinks tea, walks in the rain"},
        )
        missing = await http.post(
            "/v1/memories/merge", params=ANN, json={"memory_ids": [tea.id, "unknown"]}
        )
    assert done.memory is not None
    assert (done.memory.id, len(done.memory.evidence), done.changed) == (tea.id, 3, 2)
    assert problem(missing, 404).message == "no memory of this id can be seen from here"


async def test_a_project_is_closed_and_its_closing_undone(world: World) -> None:
    async with world.http as http:
        await post(http, "/v1/memories", {"content": "nine chapters"}, project_id="novel")
        closed = await post(http, "/v1/projects/novel/close")
        world.clock.advance(_SECOND)
        again = await post(http, "/v1/projects/novel/close")
        undone = await post(http, f"/v1/changes/{closed.change_set_id}/undo")
    assert (closed.changed, again.changed, undone.changed) == (1, 0, 1)
    assert undone.memory is not None
    assert undone.memory.status is Status.ACTIVE


async def test_all_changes_of_a_user_are_read_page_by_page_the_newest_first(
    world: World,
) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea")
        await post(http, f"/v1/memories/{memory.id}/pin")
        await added(http, "walks in the rain")
        await http.post("/v1/memories", params={"user_id": "bob"}, json={"content": "Bob's"})
        first = await list_changes(http, limit=2)
        second = await list_changes(http, limit=2, cursor=first.next_cursor)
        of_one = await list_changes(http, memory_id=memory.id)
    assert [change.revision for change in first.changes] == [3, 2]
    assert [change.revision for change in second.changes] == [1]
    assert (first.next_cursor, second.next_cursor) == (2, None)
    assert [change.reason for change in of_one.changes] == ["pinned", "added"]


async def test_an_undo_says_which_later_change_is_in_the_way(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea")
        await patch(http, memory, content="drinks green tea")
        await patch(http, memory, content="drinks black tea")
        third, second, _ = (await list_changes(http)).changes
        refused = await http.post(f"/v1/changes/{second.id}/undo", params=ANN)
        done = await post(http, f"/v1/changes/{third.id}/undo")
        unknown = await http.post("/v1/changes/unknown/undo", params=ANN)
    assert problem(refused, 409).change_set_id == third.id
    assert done.memory is not None
    assert done.memory.content == "drinks green tea"
    assert problem(unknown, 404).reason == "not_found"


async def test_a_language_goes_back_to_following_the_conversation(world: World) -> None:
    async with world.http as http:
        for body in ({"language": "zh", "time_zone": "Asia/Shanghai"}, {"language": None}):
            answer = await http.put("/v1/settings", params=ANN, json=body)
            done = CommandResult.model_validate_json(answer.content)
    assert done.settings is not None
    assert (done.settings.language, done.settings.time_zone) == (None, "Asia/Shanghai")


async def test_a_tier_is_set_by_whoever_runs_the_deployment_and_stays(world: World) -> None:
    async with world.http as http:
        answer = await http.put("/v1/settings/tier", params=ANN, json={"tier": "growth"})
        await http.put("/v1/settings", params=ANN, json={"language": "zh"})
        settings = (await http.get("/v1/settings", params=ANN)).json()
    assert answer.status_code == 200
    assert (settings["tier"], settings["language"]) == ("growth", "zh")


async def test_a_namespace_is_looked_after_when_it_is_asked_for(world: World) -> None:
    async with world.http as http:
        brief = await added(http, "is in a hurry", kind="context")
        lasting = await added(http, "drinks tea", kind="preference")
        world.clock.advance(timedelta(days=8))
        done = await post(http, "/v1/maintenance", key="once")
        world.clock.advance(timedelta(days=1))
        again = await post(http, "/v1/maintenance", key="once")
        nothing = await post(http, "/v1/maintenance", agent_id="poet")
        gone = (await http.get(f"/v1/memories/{brief.id}", params=ANN)).json()["memory"]
        stays = (await http.get(f"/v1/memories/{lasting.id}", params=ANN)).json()["memory"]
        undone = await post(http, f"/v1/changes/{done.change_set_id}/undo")
    assert (gone["status"], stays["status"]) == ("forgotten", "active")
    assert (done.changed, again.change_set_id, nothing.changed) == (1, done.change_set_id, 0)
    assert undone.memory is not None
    assert undone.memory.status is Status.ACTIVE


async def test_an_edit_that_names_nothing_is_refused(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea")
        for nothing in ({}, {"content": None}, {"version": 1}):
            refused = await patch(http, memory, **nothing)
            assert refused.status_code == 422, refused.text
            assert "nothing" in refused.text
        stays = await http.get(f"/v1/memories/{memory.id}", params=ANN)
    assert stays.json()["memory"]["version"] == 1


async def test_what_changed_nothing_is_no_part_of_the_history(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea")
        await post(http, f"/v1/memories/{memory.id}/pin")
        for number in range(3):
            await post(http, "/v1/maintenance", key=str(number))
        params = {**ANN, "limit": "1"}
        pinned = ChangeList.model_validate_json(
            (await http.get("/v1/changes", params=params)).content
        )
        rest = {**params, "cursor": str(pinned.next_cursor)}
        first = ChangeList.model_validate_json((await http.get("/v1/changes", params=rest)).content)
    assert [change.cause.type for change in pinned.changes] == ["PinMemory"]
    assert [change.cause.type for change in first.changes] == ["RememberRequested"]
    assert first.next_cursor is None


async def test_an_edit_of_another_version_than_if_match_names_changes_nothing(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "likes tea")
        path = f"/v1/memories/{memory.id}"
        tag = (await http.get(path, params=ANN)).headers["ETag"]
        assert tag == '"1"'
        edited = await http.patch(
            path, params=ANN, json={"content": "likes coffee"}, headers={"If-Match": tag}
        )
        assert (edited.status_code, edited.headers["ETag"]) == (200, '"2"')
        for stale in (tag, f"W/{edited.headers['ETag']}", "nonsense"):
            late = await http.patch(
                path, params=ANN, json={"content": "likes milk"}, headers={"If-Match": stale}
            )
            assert problem(late, 412).reason == "precondition_failed"
        whichever = await http.patch(
            path, params=ANN, json={"content": "likes cocoa"}, headers={"If-Match": '"1", "2"'}
        )
        assert whichever.status_code == 200
        for named in (whichever.headers["ETag"], "*"):
            stale_body = await http.patch(
                path,
                params=ANN,
                json={"content": "likes water", "version": 1},
                headers={"If-Match": named},
            )
            assert problem(stale_body, 412).reason == "precondition_failed"
        unconditional = await http.patch(
            path, params=ANN, json={"content": "likes juice"}, headers={"If-Match": "*"}
        )
        assert unconditional.status_code == 200
