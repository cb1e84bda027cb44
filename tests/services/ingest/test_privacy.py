"""What a deployment settles about kinds of secrets, on both ways into it."""

from collections.abc import Mapping

import pytest

from palimpsest.events.topics import CONVERSATIONS
from palimpsest.events.writes import TurnStored
from palimpsest_language.redaction.policy import SecretHandling, SecretKind
from tests.support.services.ingest.world import World
from tests.support.turns import message, turn

CARD = "4111111111111111"
PHONE = "13812345678"


def world_with(handling: Mapping[SecretKind, SecretHandling]) -> World:
    return World(privacy=handling)


def texts(world: World) -> list[str]:
    return [stored.turn.text for stored in world.log.of(TurnStored)]


async def test_what_is_blocked_is_rejected_and_what_stands_beside_it_is_not() -> None:
    world = world_with({SecretKind.CARD: SecretHandling.BLOCK})

    assert await world.take(message(1, text=f"卡号 {CARD}"), message(2)) == ["not_storable"]

    assert texts(world) == ["message number 2"]
    assert await world.keeping.turns.standing([turn(1).id]) == {}
    assert world.count("events_total", way="kafka", type="MessageAdded", outcome="invalid") == 1


async def test_what_is_blocked_is_refused_over_http_with_the_reason() -> None:
    world = world_with({SecretKind.CARD: SecretHandling.BLOCK})
    fields = message(1, text=f"卡号 {CARD}").model_dump(mode="json", exclude={"event_id"})

    (result,) = await world.accepting.accept([fields])

    assert (result.status, result.problem and result.problem.reason) == (422, "not_storable")
    assert CARD not in result.model_dump_json()
    assert world.log.on(CONVERSATIONS) == []
    assert await world.keeping.turns.standing([turn(1).id]) == {}


@pytest.mark.parametrize(
    ("handling", "kept"),
    [
        ({}, f"打 {PHONE}，密码是 [redacted:password]"),
        (
            {SecretKind.PHONE: SecretHandling.REDACT},
            "打 [redacted:phone]，密码是 [redacted:password]",
        ),
        ({SecretKind.PASSWORD: SecretHandling.ALLOW}, f"打 {PHONE}，密码是 abc123"),
    ],
)
async def test_each_kind_is_handled_as_it_was_settled(
    handling: Mapping[SecretKind, SecretHandling], kept: str
) -> None:
    world = world_with(handling)
    await world.take(message(1, text=f"打 {PHONE}，密码是 abc123"))
    assert texts(world) == [kept]


@pytest.mark.parametrize("before", [SecretHandling.ALLOW, SecretHandling.REDACT])
async def test_another_setting_makes_no_conflict_of_what_is_sent_again(
    before: SecretHandling,
) -> None:
    said = message(1, text=f"打 {PHONE}")
    world = world_with({SecretKind.PHONE: before})
    await world.take(said)

    after = SecretHandling.REDACT if before is SecretHandling.ALLOW else SecretHandling.ALLOW
    world.privacy = {SecretKind.PHONE: after}
    world.start()

    assert await world.take(said.model_copy(update={"received_at": world.clock()})) == []
    assert len(texts(world)) == 1


async def test_another_number_under_the_same_id_is_a_conflict_where_numbers_are_kept() -> None:
    world = World()
    await world.take(message(1, text=f"打 {PHONE}"))
    again = message(1, text="打 13912345678").model_copy(update={"received_at": world.clock()})
    assert await world.take(again) == ["conflicting_duplicate"]
