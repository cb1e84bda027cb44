"""Sessions are summed up when they are over: once, again when they go on, and in spite of failures."""

from datetime import timedelta

import pytest

from palimpsest.events.conversations import SessionStarted
from palimpsest.events.extractor_answers import SummaryProposed
from palimpsest.events.extractor_requests import SummaryRequested
from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.errors import PermanentError
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import CHAT_SERVICE, summary_id
from palimpsest.model.user import UserSettings
from palimpsest_server.extraction.summaries.summariser import SummaryAnswer, SummaryInput
from palimpsest_server.stores.decided_erasures import SUMMARIZED_STAGES, DecidedErasure
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress
from palimpsest_server.stores.turns import TurnPlacement
from services.extractor.session_transcript import TranscriptReader
from services.extractor.summary_schedule import (
    FIRST_RETRY_DELAY,
    MAXIMUM_SUMMARY_ATTEMPTS,
    build_summary_need,
    build_summary_request,
)
from tests.support.clock import SettableClock
from tests.support.server.domain.session_summaries import summary as standing_summary
from tests.support.services.extractor.ended_sessions import TALK, happen, proposed, windowed
from tests.support.services.extractor.world import World
from tests.support.stores.ledger import InMemoryLedger
from tests.support.turns import MORNING


async def test_an_ended_session_is_summed_up_over_the_whole_of_it(world: World) -> None:
    await happen(world, windowed(*TALK[:2], trigger="rounds"))
    assert await world.summing_up.look() == 0, "it may go on"
    await happen(world, windowed(*TALK[2:], name="w2", context=2))
    assert await world.summing_up.look() == 1
    async with world.running():
        await world.until(lambda: proposed(world))
    [event] = proposed(world)
    assert event.summary is not None
    assert (event.summary.message_count, event.summary.through) == (4, 4)
    assert event.summary.made_by == "local"
    assert "Berlin" in " ".join(event.summary.key_facts)
    assert event.candidates == (), "its windows had them"
    assert await world.summing_up.look() == 0


@pytest.mark.parametrize("topic", ["Where to live", "搬家的打算"])
async def test_a_summary_is_found_by_the_topic_that_its_session_was_begun_with(
    world: World, topic: str
) -> None:
    begun = SessionStarted(user_id="ana", session_id="s1", topic=topic, occurred_at=world.clock())
    await world.sessions.advance([SessionProgress(key=SessionKey("ana", "s1"), started=begun)])
    await happen(world, windowed(*TALK))
    assert await world.summing_up.look() == 1
    async with world.running():
        await world.until(lambda: proposed(world))
    [event] = proposed(world)
    assert event.summary is not None
    assert event.summary.topics[0] == topic
    assert topic in event.summary.embedded_text


async def test_silence_ends_it_too_and_so_does_the_mark_that_ingest_keeps(
    world: World, clock: SettableClock
) -> None:
    await happen(world, windowed(*TALK, trigger="rounds"))
    clock.advance(timedelta(minutes=29))
    assert await world.summing_up.look() == 0
    clock.advance(timedelta(minutes=1))
    assert await world.summing_up.look() == 1
    await happen(world, windowed(*TALK[:2], name="w2", trigger="rounds", context=4))
    key = SessionKey("ana", "s1")
    await world.sessions.advance([SessionProgress(key=key, ended_through=6)])
    assert await world.summing_up.look() == 1


async def test_a_session_that_went_on_after_its_end_is_not_over_though_it_does_not_say_so_yet(
    world: World,
) -> None:
    key = SessionKey("ana", "s1")
    await world.sessions.advance([SessionProgress(key=key, last_sequence=2, ended_through=2)])
    await world.intake.handle([windowed(*TALK[:2], name="w2", trigger="rounds", context=2)])
    assert await world.summing_up.look() == 0

    await world.sessions.advance([SessionProgress(key=key, last_sequence=4, ended_through=4)])
    assert await world.summing_up.look() == 1


async def test_it_is_asked_once_for_the_same_messages_and_again_when_they_are_more(
    world: World,
) -> None:
    first = windowed(*TALK)
    for _ in range(2):
        await happen(world, first)
        await world.summing_up.look()
    async with world.running():
        await world.until(lambda: len(world.publisher.published) == 2)
        await happen(world, windowed("I sold the boat.", name="w2", context=4))
        await world.summing_up.look()
        await world.until(lambda: len(proposed(world)) == 2)
    assert [event.summary and event.summary.through for event in proposed(world)] == [4, 5]


@pytest.mark.parametrize("together", [True, False])
async def test_an_earlier_window_that_is_sent_once_more_leaves_the_whole_to_be_summed_up(
    world: World, *, together: bool
) -> None:
    first = windowed("Thanks", "Noted.", trigger="rounds")
    second = windowed(*TALK[:2], name="w2", context=2)
    for extraction_requested in (first, second):
        await world.turns.place(
            [TurnPlacement(turn, accepted=False) for turn in extraction_requested.fresh],
            now=world.clock(),
        )
    # The process that numbered the turns ended before it wrote down how far the session is.
    ended = SessionProgress(key=SessionKey("ana", "s1"), last_sequence=2, ended_through=4)
    await world.sessions.advance([ended])
    for batch in [[second, first]] if together else [[second], [first]]:
        await world.intake.handle(batch)
    assert await world.summing_up.look() == 1
    event = await summed_up(world, 1)
    assert event.summary is not None
    assert event.summary.through == 4


async def test_a_session_is_summed_up_to_its_end_though_its_last_window_is_not_sent(
    world: World,
) -> None:
    first, last = windowed(*TALK[:3], trigger="rounds"), windowed("Bye", name="w2", context=3)
    for extraction_requested in (first, last):
        await world.turns.place(
            [TurnPlacement(turn, accepted=False) for turn in extraction_requested.fresh],
            now=world.clock(),
        )
    ended = SessionProgress(key=SessionKey("ana", "s1"), last_sequence=2, ended_through=4)
    await world.sessions.advance([ended])
    await world.intake.handle([first])
    assert await world.summing_up.look() == 1
    event = await summed_up(world, 1)
    assert event.summary is not None
    assert event.summary.through == 4


async def test_small_talk_gets_an_answer_and_no_summary(world: World) -> None:
    await happen(world, windowed("Hello!", "Hi!", "Thanks", "Bye"))
    await world.summing_up.look()
    async with world.running():
        await world.until(lambda: proposed(world))
    assert proposed(world)[0].summary is None


class Failing:
    name = "failing"

    def __init__(self) -> None:
        self.asked: list[SummaryInput] = []

    async def summarise(self, asked: SummaryInput) -> SummaryAnswer | None:
        self.asked.append(asked)
        raise PermanentError("it will never work")


async def test_a_failure_leaves_a_placeholder_and_is_tried_again_later(
    clock: SettableClock,
) -> None:
    summariser = Failing()
    world = World(InMemoryLedger(), clock, summariser=summariser)
    await happen(world, windowed(*TALK))
    async with world.running():
        for attempt in range(MAXIMUM_SUMMARY_ATTEMPTS):
            assert await world.summing_up.look() == 1
            assert await world.summing_up.look() == 0, "not at once"
            await world.until(lambda: len(proposed(world)) == attempt + 1)  # noqa: B023
            clock.advance(FIRST_RETRY_DELAY * 2**attempt)
        assert await world.summing_up.look() == 0, "until the session goes on"
    assert len(summariser.asked) == MAXIMUM_SUMMARY_ATTEMPTS
    assert all(
        summary_proposed.summary is not None and summary_proposed.summary.failed
        for summary_proposed in proposed(world)
    )
    assert all(summary_proposed.texts() == () for summary_proposed in proposed(world)), (
        "nothing of it is embedded"
    )
    assert not world.dead_lettered


async def test_of_an_older_epoch_nothing_is_summed_up(world: World) -> None:
    await happen(world, windowed(*TALK))
    world.states.epochs["ana"] = 1
    assert await world.summing_up.look() == 1
    leases = await world.ledger.lease(limit=9, until=world.clock(), now=world.clock())
    assert not any(isinstance(lease.request, SummaryRequested) for lease in leases)


def erased(*turns: str, revision: int = 5) -> DecidedErasure:
    erasure = Erasure(epoch=0, turn_ids=turns, summary_ids=(summary_id("ana", "s1"),))
    return DecidedErasure(
        id="e",
        user_id="ana",
        revision=revision,
        decided_at=MORNING,
        known_since=MORNING,
        erasure=erasure,
    )


async def summed_up(world: World, times: int) -> SummaryProposed:
    """What was proposed last, once it was so often."""
    async with world.running():
        await world.until(lambda: len(proposed(world)) == times)
    return proposed(world)[-1]


async def test_nothing_is_asked_while_messages_are_being_erased_and_then_of_what_is_left(
    world: World, clock: SettableClock
) -> None:
    first = windowed(*TALK)
    await happen(world, first)
    await world.summing_up.look()
    assert "Berlin" in str((await summed_up(world, 1)).summary)

    gone = first.fresh[0]
    await world.erasures.put([erased(gone.id)])
    anew = build_summary_need(first, due_at=clock()).model_copy(update={"anew": "e"})
    await world.needs.note_anew([anew])
    await world.intake.handle([first])
    assert await world.summing_up.look() == 0, "though its window came once more"

    for stage in SUMMARIZED_STAGES:
        await world.erasures.mark_completed("e", stage)
    world.states.going = (PendingErasure(erasure=erased(gone.id).erasure, revision=5),)
    assert await world.summing_up.look() == 1
    event = await summed_up(world, 2)
    assert event.summary is not None
    assert "Berlin" not in event.model_dump_json()
    assert (event.summary.message_count, event.aware_of) == (3, 5)
    assert await world.summing_up.look() == 0


async def test_what_was_taken_back_is_left_out_and_that_is_said(world: World) -> None:
    first = windowed(*TALK)
    await happen(world, first)
    told = frozenset({first.fresh[0].id})
    world.states.not_told = {summary_id("ana", "s1"): told}
    await world.summing_up.look()
    event = await summed_up(world, 1)
    assert event.summary is not None
    assert event.summary.left_out == tuple(told)
    assert "Berlin" not in event.model_dump_json()


async def test_what_was_said_in_a_project_stays_in_it(world: World, clock: SettableClock) -> None:
    request = windowed(*TALK)
    inside = [turn.model_copy(update={"project_id": "atlas"}) for turn in request.fresh[:2]]
    await happen(world, request.model_copy(update={"fresh": (*inside, *request.fresh[2:])}))
    sessions = TranscriptReader(world.turns, world.summaries, world.erasures, world.states)
    session = Session(id=SessionKey("ana", "s1").id, user_id="ana", session_id="s1")

    async def read(project_id: str | None) -> tuple[str, ...]:
        need = build_summary_need(
            request.model_copy(update={"project_id": project_id}), due_at=clock()
        )
        asked = build_summary_request(need, session, UserSettings(), clock())
        return tuple(turn.text for turn in (await sessions.read(asked)).turns)

    assert await read(None) == await read("zephyr") == TALK[2:]
    assert await read("atlas") == TALK


async def test_a_chat_services_words_are_no_source_where_they_may_tell_it(
    world: World, clock: SettableClock
) -> None:
    first = windowed(*TALK)
    await happen(world, first)
    standing = standing_summary(through=0, made_by=CHAT_SERVICE, text="She lives in Berlin.")
    own = summary_id("ana", "s1")
    await world.summaries.write(
        [standing.model_copy(update={"id": own, "scope": Scope(user_id="ana")})]
    )
    sessions = TranscriptReader(world.turns, world.summaries, world.erasures, world.states)
    need = build_summary_need(first, due_at=clock())
    session = Session(id=need.id, user_id="ana", session_id="s1")
    asked = build_summary_request(need, session, UserSettings(), clock())
    assert (await sessions.read(asked)).published == "She lives in Berlin."
    world.states.not_told = {own: frozenset({first.fresh[0].id})}
    assert (await sessions.read(asked)).published is None
