"""What another message asks not to have remembered is kept as it was said, and nothing follows from it."""

import pytest

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.events.writes import TurnStored
from palimpsest.model.turn import Role
from palimpsest_language.off_the_record.own_words import own_words, searched_text
from tests.support.services.ingest.sent import ended
from tests.support.services.ingest.world import World
from tests.support.turns import message

TOLD = message(1, text="I'm pregnant with twins.")
ANSWER = message(2, text="Congratulations on the twins!")
ASKED = message(3, text="don't remember that")
LATER = message(5, text="I live in Rome.")


def last_sent(world: World) -> dict[str, str]:
    return {
        turn_stored.turn.message_id: searched_text(turn_stored.turn)
        for turn_stored in world.log.of(TurnStored)
    }


def shown(world: World) -> str:
    """All that a model is shown."""
    windows = world.log.of(ExtractionRequested)
    return " ".join(
        own_words(turn) for window in windows for turn in (*window.context, *window.fresh)
    )


@pytest.mark.parametrize("cut", [1, 2, 3])
async def test_it_goes_with_its_answer_whether_it_came_at_once_or_before(
    world: World, cut: int
) -> None:
    everything = (TOLD, ANSWER, ASKED, LATER, ended())
    await world.take(*everything[:cut])
    await world.take(*everything[cut:])

    assert last_sent(world) == {"m1": "[…]", "m2": "[…]", "m3": "[…]", "m5": LATER.text}
    assert shown(world).split() == LATER.text.split()


async def test_what_is_announced_is_withheld_when_it_comes(world: World) -> None:
    await world.take(message(1, text="下面这段别记"))
    await world.take(message(2, role=Role.USER, text="我得了乙肝"), message(3, text="我住在上海"))
    await world.take(ended())

    assert last_sent(world) == {"m1": "[…]", "m2": "[…]", "m3": "我住在上海"}
    assert "乙肝" not in shown(world)


async def test_it_is_still_what_was_said(world: World) -> None:
    await world.take(TOLD)
    await world.take(message(2, role=Role.USER, text=ASKED.text))
    first, again, _ = sorted(
        world.log.of(TurnStored), key=lambda turn_stored: turn_stored.turn.sequence or 0
    )
    assert {first.turn.text, again.turn.text} == {TOLD.text}
    assert first.event_id != again.event_id

    assert await world.take(TOLD) == []
    kept = await world.keeping.turns.standing([first.turn.id])
    assert kept[first.turn.id].item.withheld


async def test_a_message_far_behind_is_out_of_reach(world: World) -> None:
    await world.take(TOLD)
    for number in range(1, 20):
        await world.take(message(2 * number))
    await world.take(ASKED)
    assert last_sent(world)["m1"] == TOLD.text


async def test_a_request_for_everything_on_a_topic_reaches_earlier_sessions(world: World) -> None:
    earlier = message(1, session_id="march", text="I see a therapist on Fridays.")
    other = message(2, session_id="march", role=Role.USER, text="I like quattro formaggi.")
    await world.take(earlier, other)
    await world.take(message(1, text="Please forget everything about my therapy."), ended())

    last = {
        (turn_stored.turn.session_id, turn_stored.turn.message_id): searched_text(turn_stored.turn)
        for turn_stored in world.log.of(TurnStored)
    }
    assert last["march", "m1"] == "[…]"
    assert last["march", "m2"] == other.text
