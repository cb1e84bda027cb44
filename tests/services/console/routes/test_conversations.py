"""Conversations over HTTP: what each changed, and taking that back, done by the real writer."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from palimpsest.api.conversations import (
    ConversationList,
    ConversationMessages,
    SessionChangeList,
    SessionUndoResult,
)
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.topics import CANDIDATES
from palimpsest.model.memory import Status
from palimpsest_server.stores.sessions import SessionKey, SessionProgress
from palimpsest_server.stores.turns import TurnPlacement
from tests.support.services.console.routes.joined import joined
from tests.support.services.console.routes.world import World
from tests.support.turns import turn

ANN = {"user_id": "ann"}


@pytest.fixture
def world() -> World:
    return joined()


async def remembered(world: World, content: str, session_id: str, **fields: Any) -> None:
    """Have it remembered in a conversation, as ingest hands on what was asked there."""
    world.clock.advance(timedelta(minutes=1))
    event = RememberRequested(
        event_id=f"{session_id} {content}",
        occurred_at=world.clock(),
        received_at=world.clock(),
        epoch=0,
        user_id="ann",
        session_id=session_id,
        message_id=content,
        content=content,
        **fields,
    )
    await world.writer.publish(CANDIDATES, [event])


async def undo(http: httpx.AsyncClient, session_id: str, **query: Any) -> SessionUndoResult:
    answer = await http.post(f"/v1/conversations/{session_id}/undo", params={**ANN, **query})
    assert answer.status_code == 200, answer.text
    return SessionUndoResult.model_validate_json(answer.content)


async def active(http: httpx.AsyncClient) -> set[str]:
    answer = await http.get("/v1/memories", params=ANN)
    return {memory["content"] for memory in answer.json()["memories"]}


def lives_in(city: str) -> dict[str, str]:
    return {"subject": "user", "attribute": "city", "value": city}


async def test_a_conversation_is_undone_after_a_look_that_changes_nothing(world: World) -> None:
    await remembered(world, "lives in Boston", "monday", **lives_in("Boston"))
    await remembered(world, "lives in Denver", "tuesday", **lives_in("Denver"))
    await remembered(world, "likes tea", "tuesday")
    async with world.http as http:
        look = await undo(http, "tuesday", dry_run=True)
        assert await active(http) == {"lives in Denver", "likes tea"}
        assert (look.result, look.conflicts, look.left) == (None, (), 0)
        assert {
            memory_put_back.after.content: memory_put_back.after.status
            for memory_put_back in look.put_back
        } == {
            "lives in Denver": Status.FORGOTTEN,
            "likes tea": Status.FORGOTTEN,
            "lives in Boston": Status.ACTIVE,
        }
        done = await undo(http, "tuesday")
        assert done.put_back == look.put_back
        assert done.result is not None
        assert (done.result.applied, done.result.changed) == (True, 3)
        assert await active(http) == {"lives in Boston"}
        again = await undo(http, "tuesday")
        assert (again.put_back, again.conflicts, again.result) == ((), (), None)
        back = await http.post(f"/v1/changes/{done.result.change_set_id}/undo", params=ANN)
        assert back.status_code == 200, back.text
        assert await active(http) == {"lives in Denver", "likes tea"}


async def test_what_was_changed_again_since_is_told_with_the_later_change(world: World) -> None:
    await remembered(world, "lives in Boston", "monday", **lives_in("Boston"))
    await remembered(world, "likes tea", "monday")
    await remembered(world, "lives in Denver", "tuesday", **lives_in("Denver"))
    async with world.http as http:
        done = await undo(http, "monday")
        assert [memory_put_back.after.content for memory_put_back in done.put_back] == ["likes tea"]
        (conflict,) = done.conflicts
        (later,) = SessionChangeList.model_validate_json(
            (await http.get("/v1/conversations/tuesday/changes", params=ANN)).content
        ).changes
        assert conflict.refusal.change_set_id == later.id
        assert conflict.changed_again == conflict.memory_ids
        assert await active(http) == {"lives in Denver"}


async def test_what_each_conversation_changed_is_told_of_it_alone(world: World) -> None:
    for at in range(3):
        await remembered(world, f"likes tea {at}", "monday")
    await remembered(world, "likes milk", "tuesday", agent_id="poet")
    async with world.http as http:

        async def changed(session_id: str, **query: Any) -> SessionChangeList:
            path = f"/v1/conversations/{session_id}/changes"
            answer = await http.get(path, params={**ANN, **query})
            return SessionChangeList.model_validate_json(answer.content)

        first = await changed("monday", limit=2)
        rest = await changed("monday", limit=2, cursor=first.next_cursor)
        assert [
            change_set.memory_changes[0].after.content
            for change_set in (*first.changes, *rest.changes)
        ] == [
            "likes tea 2",
            "likes tea 1",
            "likes tea 0",
        ]
        assert rest.next_cursor is None
        assert len((await changed("tuesday", agent_id="poet")).changes) == 1
        assert (await changed("tuesday", agent_id="coder")).changes == ()
        assert (await undo(http, "tuesday", agent_id="coder")).put_back == ()
        assert len((await undo(http, "tuesday", agent_id="poet")).put_back) == 1


async def test_conversations_are_listed_and_read_as_they_can_be_seen(world: World) -> None:
    said = [turn(at, text=f"message {at}") for at in range(1, 6)]
    own = [turn(at, text="hush", session_id="own", agent_id="poet") for at in (1, 2)]
    for talk in (said, own):
        await world.turns.place(
            [TurnPlacement(one, accepted=False) for one in talk], now=world.clock()
        )
        key = SessionKey.of(talk[0])
        await world.sessions.advance([SessionProgress(key=key, last_sequence=len(talk))])
    whose = {"user_id": said[0].user_id}
    async with world.http as http:

        async def listed(**query: Any) -> ConversationList:
            answer = await http.get("/v1/conversations", params={**whose, **query})
            return ConversationList.model_validate_json(answer.content)

        (seen,) = (await listed()).conversations
        assert (seen.session_id, seen.messages) == (said[0].session_id, 5)
        first = await listed(agent_id="poet", limit=1)
        second = await listed(agent_id="poet", limit=1, cursor=first.next_cursor)
        both = {
            conversation.session_id
            for conversation in (*first.conversations, *second.conversations)
        }
        assert both == {said[0].session_id, "own"}
        assert second.next_cursor is None
        everywhere = {talk.session_id for talk in (await listed(everywhere=True)).conversations}
        assert everywhere == both
        of_agents = {
            agent_id: [
                talk.session_id
                for talk in (await listed(everywhere=True, agent_id=agent_id)).conversations
            ]
            for agent_id in ("poet", "cook")
        }
        assert {*of_agents["poet"]} == both
        assert of_agents["cook"] == [said[0].session_id], "nothing of another agent"
        in_project: dict[str, str | bool] = {**whose, "everywhere": True, "project_id": "p"}
        refused = await http.get("/v1/conversations", params=in_project)
        assert refused.status_code == 422
        path = f"/v1/conversations/{said[0].session_id}"
        page = ConversationMessages.model_validate_json(
            (await http.get(path, params={**whose, "limit": 2})).content
        )
        assert ([message.text for message in page.messages], page.next_after) == (
            ["message 1", "message 2"],
            2,
        )
        hidden = await http.get("/v1/conversations/own", params=whose)
        assert hidden.status_code == 404
        opened = await http.get("/v1/conversations/own", params={**whose, "everywhere": True})
        assert [message["text"] for message in opened.json()["messages"]] == ["hush", "hush"]
