"""Streams of changes: each change once and in order, from where the reader had come to."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from palimpsest.api.change_events import ChangeStreamQuery, StreamPosition
from palimpsest.model.change_set import ChangeSetProgress
from palimpsest.model.errors import TransientError
from palimpsest_server.stores.change_sets import DecidedChangeSet
from services.console import change_streams
from services.console.change_streams import ChangeStreams, StreamedEvent
from tests.support.eventually import eventually
from tests.support.server.stores.memories import added, memory
from tests.support.services.console.changes import DecidedChanges
from tests.support.services.console.routes.world import World, Writer
from tests.support.stores.decided_change_sets import decided

ALICE = ChangeStreamQuery(user_id="alice")
EVERYBODY = ChangeStreamQuery()


class Streaming(DecidedChanges):
    """Streams of what a test decides and announces."""

    def __init__(self) -> None:
        super().__init__()
        self.streams = ChangeStreams(self.store, Writer(World()), self.clock)
        self.listeners.append(self.streams.on_change)


def place(event: StreamedEvent) -> tuple[int, int]:
    return event.position.revision, event.position.read


async def next_of(events: AsyncGenerator[StreamedEvent, None]) -> StreamedEvent:
    return await asyncio.wait_for(anext(events), 60)


async def test_a_user_reads_what_is_announced_each_once_and_in_order() -> None:
    streaming = Streaming()
    await streaming.finish(await streaming.decide(1, "before"))
    async with aclosing(streaming.streams.follow(ALICE, None)) as events:
        begun = await next_of(events)
        assert (begun.position.revision, begun.event) == (1, None)
        reading = asyncio.ensure_future(next_of(events))
        await streaming.tell(await streaming.decide(1, "of bob", user_id="bob"))
        await streaming.tell(await streaming.decide(2, "tea", "milk"))
        assert place(await reading) == (2, 1)
        assert place(await next_of(events)) == (2, 2)
        # The announcement of the third is not heard here: the fourth says that it was.
        await streaming.decide(3, "rice")
        await streaming.tell(await streaming.decide(4, "salt"))
        assert [place(await next_of(events)) for _ in range(2)] == [(3, 1), (4, 1)]
    assert streaming.streams.open_streams == 0


async def test_a_reader_goes_on_behind_the_event_that_it_read_last() -> None:
    streaming = Streaming()
    done = [await streaming.decide(each, "tea", "milk") for each in (1, 2, 3)]
    await streaming.finish(*done)
    async with aclosing(streaming.streams.follow(ALICE, StreamPosition(2, 1, 0))) as events:
        await next_of(events)
        assert [place(await next_of(events)) for _ in range(3)] == [(2, 2), (3, 1), (3, 2)]


async def test_a_reader_whose_position_is_ahead_of_the_data_is_told_from_now_on() -> None:
    streaming = Streaming()
    await streaming.finish(await streaming.decide(1, "before"))
    of_a_lost_past = StreamPosition(7, 1, 999_999_999_999_999)
    async with aclosing(streaming.streams.follow(ALICE, of_a_lost_past)) as events:
        assert (await next_of(events)).position.revision == 1
        await streaming.tell(await streaming.decide(2, "tea"))
        assert place(await next_of(events)) == (2, 1)
    async with aclosing(streaming.streams.follow(EVERYBODY, of_a_lost_past)) as events:
        begun = await next_of(events)
        assert begun.position.milliseconds == round(streaming.clock().timestamp() * 1000)
        await streaming.tell(await streaming.decide(3, "rice"))
        told = [place(await next_of(events))]
        while told[-1] != (3, 1):
            # What was decided a moment ago comes again, as after every return.
            told.append(place(await next_of(events)))


async def test_what_is_not_projected_yet_is_not_told() -> None:
    streaming = Streaming()
    late = await streaming.decide(1, "tea")
    async with aclosing(streaming.streams.follow(ALICE, StreamPosition(0, 0, 0))) as events:
        await next_of(events)
        reading = asyncio.ensure_future(next_of(events))
        await asyncio.sleep(0)
        assert not reading.done()
        await streaming.tell(late)
        assert place(await reading) == (1, 1)


async def test_words_are_sent_where_they_are_asked_for() -> None:
    streaming = Streaming()
    await streaming.finish(await streaming.decide(1, "tea"))
    found = []
    for content in (False, True):
        query = ChangeStreamQuery(user_id="alice", content=content)
        async with aclosing(streaming.streams.follow(query, StreamPosition(0, 0, 0))) as events:
            await next_of(events)
            event = (await next_of(events)).event
            assert event is not None
            found.append(event.data.content)
    assert found == [None, "tea of alice"]


async def test_everybodys_changes_come_as_they_are_announced_and_again_after_a_return() -> None:
    streaming = Streaming()
    async with aclosing(streaming.streams.follow(EVERYBODY, None)) as events:
        begun = await next_of(events)
        told = [
            await streaming.decide(1, "tea"),
            await streaming.decide(1, "rice", user_id="bob"),
        ]
        await streaming.tell(*told)
        read = [await next_of(events) for _ in told]
    await streaming.finish(*told)
    async with aclosing(streaming.streams.follow(EVERYBODY, begun.position)) as events:
        await next_of(events)
        again = [await next_of(events) for _ in told]
    assert {each.event for each in read} == {each.event for each in again}


async def test_a_reader_of_everybodys_that_is_too_slow_is_cut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(change_streams, "QUEUED", 2)
    streaming = Streaming()
    events = streaming.streams.follow(EVERYBODY, None)
    await next_of(events)
    await streaming.tell(*[await streaming.decide(each, "tea") for each in range(1, 5)])
    assert [event async for event in events] == []
    assert streaming.streams.open_streams == 0


async def test_streams_end_with_the_service_and_none_is_opened_then() -> None:
    streaming = Streaming()
    events = streaming.streams.follow(ALICE, None)
    await next_of(events)
    reading = asyncio.ensure_future(anext(events, None))
    await asyncio.sleep(0)
    streaming.streams.end()
    assert await asyncio.wait_for(reading, 60) is None
    with pytest.raises(TransientError):
        streaming.streams.require_room()


async def test_a_stream_over_http_is_one_of_server_sent_events() -> None:
    world = World()
    await world.change_sets.append(
        [DecidedChangeSet(change_set=decided("alice", 1, changes=added(memory())).change_set)]
    )
    await world.change_sets.mark([decided("alice", 1).change_set.id], ChangeSetProgress.ANNOUNCED)
    service = world.build()
    async with world.serving(service) as http:
        asking = asyncio.ensure_future(
            http.get(
                "/v1/events/stream",
                params={"user_id": "alice"},
                headers={"Last-Event-ID": "0.0.0"},
            )
        )
        await eventually(lambda: service.streams.open_streams == 1)
        service.end_streams()
        answer = await asking
        refused = await http.get("/v1/events/stream", params={"after": "yesterday"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    lines = answer.text.splitlines()
    assert [line for line in lines if line.startswith(("id: 0", "event:"))] == [
        "id: 0.0.0",
        "event: memory.created",
    ]
    assert any(line.startswith("id: 1.1.") for line in lines)
    assert refused.status_code == 422
