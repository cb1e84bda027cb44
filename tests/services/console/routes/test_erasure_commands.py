"""Erasing for good over HTTP, by the real writer."""

from datetime import timedelta

import pytest

from palimpsest.api.resources import CommandResult
from palimpsest.model.memory import Evidence, Status
from palimpsest.model.session_summary import summary_id
from palimpsest.model.turn import turn_id
from palimpsest.model.window import Window, WindowTrigger
from tests.support.services.console.routes.joined import joined
from tests.support.services.console.routes.memory_requests import (
    ANN,
    added,
    list_changes,
    post,
    problem,
)
from tests.support.services.console.routes.world import World
from tests.support.turns import turn

_SECOND = timedelta(seconds=1)


@pytest.fixture
def world() -> World:
    return joined()


async def test_a_memory_is_purged_and_its_past_with_it(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea")
        done = await post(http, f"/v1/memories/{memory.id}/purge")
        refused = await http.post(f"/v1/changes/{done.change_set_id}/undo", params=ANN)
        under_way = (await http.get("/v1/erasures", params=ANN)).json()["erasures"]
    assert done.memory is not None
    assert (done.memory.status, done.memory.content) == (Status.PURGED, "")
    assert problem(refused, 409).reason == "purged"
    assert [one["change_set_id"] for one in under_way] == [done.change_set_id]


async def test_an_agents_echo_goes_with_a_purged_memory_and_a_persons_words_are_told(
    world: World,
) -> None:
    said = Evidence(quote="I'm allergic to sesame.", session_id="s", message_id="m1")
    allergy = world.memory(
        "allergy", content="The user is allergic to sesame", value="sesame", evidence=(said,)
    )
    await world.know(allergy)
    texts = (
        "I'm allergic to sesame.",
        "Understood, I'll keep sesame out of everything.",
        "What can I cook tonight?",
        "Miso aubergine, for instance.",
        "Is there sesame in it?",
    )
    turns = [turn(number, user_id="ann", text=text) for number, text in enumerate(texts, start=1)]
    world.said.kept_turns += turns
    async with world.http as http:
        answer = await http.post("/v1/memories/allergy/purge", params={**ANN, "dry_run": "true"})
        look = CommandResult.model_validate_json(answer.content)
        done = await post(http, "/v1/memories/allergy/purge")
    assert look.would_go == {"memories": 1, "turns": 2}
    assert [(message.beginning, message.goes) for message in look.repeated_by] == [
        (texts[1], True),
        (texts[4], False),
    ]
    assert done.repeated_by == look.repeated_by
    (decided,) = await world.erasures.of_user("ann")
    assert set(decided.erasure.turn_ids) == {turns[0].id, turns[1].id}


async def test_with_a_purged_memory_goes_what_it_quotes_and_what_else_rests_on_that_is_told(
    world: World,
) -> None:
    said = Evidence(quote="I am Priya, from Leeds", session_id="s", message_id="m1")
    name = world.memory("name", content="The user is called Priya", evidence=(said,))
    city = world.memory("city", content="The user lives in Leeds", evidence=(said,))
    other = world.memory(
        "other", evidence=(said.model_copy(update={"message_id": "m2"}),), valid_until=None
    )
    await world.know(name, city, other)
    await world.namespaces.register([name.scope.namespace])
    message = turn_id("ann", "s", "m1")
    world.said.kept_turns.append(turn(1, user_id="ann"))
    world.said.kept_windows.append(
        Window(
            id="w1",
            user_id="ann",
            session_id="s",
            first_sequence=1,
            last_sequence=1,
            trigger=WindowTrigger.IDLE,
        )
    )
    async with world.http as http:
        answer = await http.post("/v1/memories/city/purge", params={**ANN, "dry_run": "true"})
        look = CommandResult.model_validate_json(answer.content)
        done = await post(http, "/v1/memories/city/purge")
        again = await http.get("/v1/memories/name", params=ANN)
    assert look.would_go == {"memories": 1, "turns": 1}
    assert [memory.content for memory in look.also_said] == ["The user is called Priya"]
    assert [memory.id for memory in done.also_said] == ["name"]
    assert again.json()["memory"]["status"] == "active"
    (decided,) = await world.erasures.of_user("ann")
    assert decided.erasure.memory_ids == ("city",)
    assert decided.erasure.turn_ids == (message,)
    assert decided.erasure.window_ids == ("w1",)
    assert decided.erasure.summary_ids == (summary_id("ann", "s"),)


async def test_everything_is_forgotten_only_by_who_says_twice_whose(world: World) -> None:
    async with world.http as http:
        memory = await added(http, "drinks tea")
        path = "/v1/forget-everything"
        wrong = await http.post(path, params=ANN, json={"confirm_user_id": "bob"})
        assert problem(wrong, 422).reason == "invalid_event"
        dry = await http.post(path, params=ANN, json={"dry_run": True})
        assert dry.json()["kept"] == {"counts": {"ann": 0}}
        assert (await http.get(f"/v1/memories/{memory.id}", params=ANN)).status_code == 200

        done = await http.post(path, params=ANN, json={"confirm_user_id": "ann"})
        assert done.json()["result"]["applied"] is True
        # Nothing is gone yet, and nothing is shown any more.
        assert (await http.get("/v1/memories", params=ANN)).json()["memories"] == []
        assert (await http.get(f"/v1/memories/{memory.id}", params=ANN)).status_code == 404
        (left,) = (await list_changes(http)).changes
        world.clock.advance(_SECOND)
        again = await added(http, "drinks tea")
    assert [change.record for change in left.changes] == ["erasure"]
    assert (again.epoch, len(again.evidence)) == (1, 1)


async def test_a_project_is_deleted_for_good(world: World) -> None:
    async with world.http as http:
        await post(http, "/v1/memories", {"content": "nine chapters"}, project_id="novel")
        answer = await http.delete("/v1/projects/novel", params=ANN)
        done = CommandResult.model_validate_json(answer.content)
    assert done.memory is not None
    assert (done.changed, done.memory.status) == (1, Status.PURGED)
