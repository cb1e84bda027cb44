"""What becomes of each event that comes in."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from palimpsest.events.conversations import MessageAdded, RememberRequested, SessionStarted
from palimpsest.events.topics import CANDIDATES
from palimpsest.events.writes import TurnStored
from palimpsest.model.turn import TextSpan, Turn, turn_id
from palimpsest_server.stores.outbox import OutboxEntry, OutboxState
from palimpsest_server.stores.turns import TurnPlacement
from tests.support.services.ingest.sent import ended, remember
from tests.support.services.ingest.world import World
from tests.support.turns import MORNING, message, turn


def turns_sent(world: World) -> list[tuple[str, int | None]]:
    return [
        (turn_stored.turn.message_id, turn_stored.turn.sequence)
        for turn_stored in world.log.of(TurnStored)
    ]


async def test_a_message_is_kept_numbered_and_sent_on(world: World) -> None:
    assert await world.take(message(1, trace="00-abc-def-01"), message(2)) == []

    (first, second) = world.log.of(TurnStored)
    kept = await world.keeping.turns.standing([first.turn.id, second.turn.id])
    assert first.turn == kept[first.turn.id].item
    assert (first.turn.sequence, second.turn.sequence) == (1, 2)
    assert first.received_at == first.turn.received_at == world.clock()
    assert first.trace == "00-abc-def-01"
    assert await world.published(1, 2)
    assert world.log.on(CANDIDATES) == [first, second]


async def test_numbers_go_on_from_batch_to_batch_and_are_each_sessions_own(world: World) -> None:
    await world.take(message(1), message(1, session_id="t"))
    await world.take(message(2), message(2, session_id="t"), message(1, user_id="bo"))

    assert [number for _, number in turns_sent(world)] == [1, 1, 2, 2, 1]


async def test_stamps_from_outside_are_not_believed(world: World) -> None:
    await world.take(message(1, received_at=MORNING - timedelta(days=9), epoch=7))

    (stored,) = world.log.of(TurnStored)
    assert (stored.epoch, stored.received_at) == (0, world.clock())


async def test_a_message_that_comes_again_changes_nothing(world: World) -> None:
    batch = [message(number) for number in range(1, 6)]
    await world.take(*batch)
    published = list(world.log.published)

    assert await world.take(*batch) == []
    assert world.log.published == published
    assert world.count("events_total", way="kafka", type="MessageAdded", outcome="duplicate") == 5


async def test_a_message_twice_in_one_batch_is_taken_once(world: World) -> None:
    assert await world.take(message(1), message(1), message(2)) == []
    assert turns_sent(world) == [("m1", 1), ("m2", 2)]


async def test_a_message_lies_in_the_project_of_its_session_unless_it_names_its_own(
    world: World,
) -> None:
    begun = SessionStarted(
        user_id="lin", session_id="s", project_id="alpha", occurred_at=MORNING, topic="launch"
    )
    await world.take(begun, message(1), message(2, project_id="beta"))
    await world.take(message(3), message(3, session_id="t"))

    assert [turn_stored.turn.project_id for turn_stored in world.log.of(TurnStored)] == [
        "alpha",
        "beta",
        "alpha",
        None,
    ]
    assert [turn_stored.project_id for turn_stored in world.log.of(TurnStored)][:2] == [
        "alpha",
        "beta",
    ]
    assert await world.take(message(1), message(3)) == []
    elsewhere = message(1, project_id="beta")
    assert [event_rejection.event for event_rejection in await world.hand_over([elsewhere])] == [
        elsewhere
    ]


async def test_a_known_id_with_another_body_is_rejected_and_the_rest_is_taken(world: World) -> None:
    await world.take(message(1))

    impostor, other = message(1, text="something else"), message(2)
    twice = [message(3), message(3, speaker="Bo")]
    rejections = await world.hand_over([impostor, other, *twice])

    assert [(rejection.event, rejection.error.reason) for rejection in rejections] == [
        (impostor, "conflicting_duplicate"),
        (twice[1], "conflicting_duplicate"),
    ]
    assert rejections[0].event is impostor
    assert turns_sent(world) == [("m1", 1), ("m2", 2), ("m3", 3)]


async def test_secrets_are_taken_out_before_anything_is_kept(world: World) -> None:
    said = "我的密码是 abc123，记住"
    recalled = TextSpan(start=said.index("，"), end=len(said))
    await world.take(message(1, text=said, injected=(recalled,)), remember("password: hunter2"))

    (stored,), (remembered,) = world.log.of(TurnStored), world.log.of(RememberRequested)
    text = stored.turn.text
    assert text == "我的密码是 [redacted:password]，记住"
    assert [text[span.start : span.end] for span in stored.turn.injected] == ["，记住"]
    assert remembered.content == "password: [redacted:password]"
    assert world.count("redactions_total", kind="password") == 2


async def test_the_same_secret_message_again_is_a_duplicate(world: World) -> None:
    await world.take(message(1, text="password: hunter2"))
    assert await world.take(message(1, text="password: hunter2")) == []
    assert len(world.log.of(TurnStored)) == 1


async def test_what_was_kept_before_redaction_learned_more_is_no_conflict(world: World) -> None:
    kept = turn(1, sequence=None, text="password: hunter2", occurred_at=message(1).occurred_at)
    await world.keeping.turns.accept([kept], now=MORNING)

    assert await world.take(message(1, text="password: hunter2")) == []
    assert turns_sent(world) == [("m1", 1)]


async def test_a_span_outside_of_its_text_is_rejected(world: World) -> None:
    wrong = message(1, injected=(TextSpan(start=5, end=500),))
    assert await world.take(wrong, message(2)) == ["invalid_event"]
    assert turns_sent(world) == [("m2", 1)]


async def test_more_text_than_may_travel_once_secrets_are_marked_is_rejected(world: World) -> None:
    assert await world.take(message(1, text="pwd:abc\n" * 8_000)) == ["too_large"]
    assert await world.take(message(2, speaker="x" * 70_000)) == ["too_large"]


async def test_incognito_is_neither_kept_nor_sent_on(world: World) -> None:
    await world.take(message(1, incognito=True), remember(incognito=True), message(2))

    assert turns_sent(world) == [("m2", 1)]
    assert await world.keeping.turns.standing([turn(1).id]) == {}
    assert world.log.of(RememberRequested) == []
    assert world.count("events_total", way="kafka", type="MessageAdded", outcome="incognito") == 1


async def test_with_memory_off_nothing_is_kept_or_sent_on(world: World) -> None:
    world.users.settle("lin", memory_enabled=False)
    await world.take(message(1), remember(), ended(), message(1, user_id="bo"))

    assert [turn_stored.user_id for turn_stored in world.log.of(TurnStored)] == ["bo"]
    assert world.log.of(RememberRequested) == []
    assert await world.keeping.turns.standing([turn(1).id]) == {}


async def test_what_a_replay_carries_from_an_older_epoch_is_dropped(world: World) -> None:
    world.users.settle("lin", epoch=2)
    await world.take(message(1, epoch=1), message(2, epoch=2), message(3))

    assert [
        (turn_stored.turn.message_id, turn_stored.epoch) for turn_stored in world.log.of(TurnStored)
    ] == [
        ("m2", 2),
        ("m3", 2),
    ]


async def test_what_was_accepted_before_everything_was_forgotten_is_let_go(world: World) -> None:
    accepted = turn(1, sequence=None, occurred_at=message(1).occurred_at)
    await world.keeping.turns.accept([accepted], now=MORNING)
    world.users.settle("lin", epoch=1)

    await world.take(message(1))

    assert world.log.published == []
    kept = await world.keeping.turns.standing([accepted.id])
    assert kept[accepted.id].state is OutboxState.DROPPED


async def test_remember_this_goes_straight_to_the_embedder(world: World) -> None:
    await world.take(remember(vectors=()), remember())

    (event,) = world.log.of(RememberRequested)
    assert event.event_id
    assert (event.received_at, event.epoch) == (world.clock(), 0)
    assert world.log.on(CANDIDATES) == [event]


async def test_an_event_id_with_another_request_is_rejected(world: World) -> None:
    await world.take(remember(event_id="e1"))
    assert await world.take(remember("I like tea.", event_id="e1")) == ["conflicting_duplicate"]
    assert await world.take(remember("I like tea.", event_id="e1", user_id="bo")) == []


async def test_another_owner_of_a_session_was_there_first(world: World) -> None:
    """Its turns stand, and the session has not been told yet."""
    await world.keeping.turns.place(
        [TurnPlacement(turn(n, text="theirs"), False) for n in (8, 9)], now=MORNING
    )
    taken = [turn(n, message_id=f"theirs{n}") for n in (1, 2)]
    await world.keeping.turns.place(
        [TurnPlacement(each, accepted=False) for each in taken], now=MORNING
    )

    await world.take(message(1), message(2))

    assert turns_sent(world) == [("m1", 10), ("m2", 11)]
    assert world.count("collisions_total", what="sequence") == 1


async def test_what_nobody_has_seen_before_is_kept_without_a_look(world: World) -> None:
    await world.take(message(1), message(2))
    looked_up: list[str] = []
    standing = world.keeping.turns.standing

    async def noted(ids: Sequence[str]) -> Mapping[str, OutboxEntry[Turn]]:
        looked_up.extend(ids)
        return await standing(ids)

    world.keeping.turns.standing = noted  # type: ignore[method-assign]
    await world.take(message(3))
    assert looked_up == []

    await world.take(message(3), message(4))
    assert set(looked_up) == {turn_id("lin", "s", f"m{number}") for number in (3, 4)}
    assert turns_sent(world) == [(f"m{number}", number) for number in (1, 2, 3, 4)]


async def test_something_else_on_the_topic_is_rejected(world: World) -> None:
    foreign = TurnStored(event_id="e", user_id="lin", occurred_at=MORNING, turn=turn(1))
    assert await world.take(foreign, message(1)) == ["invalid_event"]
    assert turns_sent(world) == [("m1", 1)]


async def test_a_message_without_an_id_gets_the_same_id_every_time(world: World) -> None:
    await world.take(message(1))
    (stored,) = world.log.of(TurnStored)
    again = World()
    await again.take(MessageAdded.model_validate(message(1).model_dump() | {"event_id": "x"}))
    assert stored.turn.event_id != ""
    assert again.log.of(TurnStored)[0].event_id == stored.event_id
