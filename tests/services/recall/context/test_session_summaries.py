"""What a context says of earlier talks, and of the one that goes on."""

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.model.prompt_markers import CLOSING, OPENING
from palimpsest.model.scope import Scope
from palimpsest_language.question_intents.question_times import names_a_past_time
from palimpsest_server.domain.ranking.extract_features import extract_summary_features
from palimpsest_server.models.token_counter import get_token_counter
from tests.support.server.domain.ranking.phrasings import DO_NOT, REFER
from tests.support.services.recall.talks import SAID, talked
from tests.support.services.recall.world import NOW, World

ADA = Scope(user_id="ada")


async def test_what_was_talked_about_last_time_is_answered_by_summaries(world: World) -> None:
    await talked(world, "They planned the garden.", days_ago=3)
    told = await world.context("what did we talk about last time?")
    assert "They planned the garden." in told.text
    assert "They planned the garden." not in (await world.context("garden?")).text


async def test_a_summary_that_was_recalled_is_told_once(world: World) -> None:
    garden = await talked(world, "They planned the garden and its roses.", days_ago=3)
    await talked(world, "They spoke of Rome.", days_ago=1, session="later")
    await world.project(garden.id, RecordType.SUMMARY, ADA, garden.text)
    told = await world.context("what did we say about the garden roses?", citations=True)
    assert told.text.count(garden.text) == 1
    assert "Rome" not in told.text
    assert told.citations == ()


async def test_the_running_summary_counts_and_is_kept_within_the_budget(world: World) -> None:
    running = " ".join(f"Then they spoke of tea number {number}." for number in range(40))
    await talked(world, running, days_ago=0)
    for form in ("blended", "default"):
        told = await world.context("xyzzy", session_id="s", format=form, token_budget=100)
        inside = told.system_prompt.partition(OPENING)[2].partition(CLOSING)[0]
        assert told.block == ""
        assert inside.startswith("\nThen they spoke of tea number 0.")
        assert inside.endswith(".\n")
        assert told.tokens == get_token_counter()(f"{OPENING}{inside}{CLOSING}")
        assert 50 < told.tokens <= 100
        assert told.running_summary == running
    for form in ("layered", "gated", "companion", "profile"):
        told = await world.context("xyzzy", session_id="s", format=form, token_budget=100)
        assert told.tokens == get_token_counter()(told.block)


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_before_it_is_summed_up_a_conversation_is_told_in_its_own_sentences(
    world: World, language: str
) -> None:
    texts = [*SAID[language], *("ok" for _ in range(9))]
    for number, text in enumerate(texts, start=1):
        await world.said(text, sequence=number, found=False)
    told = await world.context("xyzzy", session_id="s", format="blended")
    first, second, third = SAID[language]
    assert told.running_summary is not None
    assert first in told.running_summary
    assert second in told.running_summary
    assert third not in told.running_summary, "it is among the last messages"
    assert told.running_summary in told.system_prompt
    companion = await world.context("xyzzy", session_id="s", format="companion")
    assert companion.running_summary is not None
    assert third in companion.running_summary
    assert (await world.context("xyzzy", session_id="s", last_messages=12)).running_summary is None
    unseen = await world.context("xyzzy", session_id="s", incognito=True)
    assert unseen.running_summary is None
    world.states.erase("ada", epoch=1)
    assert (await world.context("xyzzy", session_id="s")).running_summary is None


async def test_the_summary_that_stands_is_told_in_place_of_its_sentences(world: World) -> None:
    for number, text in enumerate([*SAID["en"], *("ok" for _ in range(9))], start=1):
        await world.said(text, sequence=number, found=False)
    await talked(world, "So far they spoke of sailing.", days_ago=0)
    told = await world.context("xyzzy", session_id="s")
    assert told.running_summary == "So far they spoke of sailing."


async def test_the_conversation_that_goes_on_is_no_earlier_one(world: World) -> None:
    await talked(world, "They planned the garden.", days_ago=3, session="earlier")
    await talked(world, "So far they said hello.", days_ago=0)
    told = await world.context("what did we talk about last time?", session_id="s")
    assert "They planned the garden." in told.text
    assert "So far they said hello." not in told.text
    assert told.system_prompt.count("So far they said hello.") == 1


async def test_recall_too_answers_what_was_talked_about_last_time_by_summaries_first(
    world: World,
) -> None:
    garden = await talked(world, "They planned the garden and its roses.", days_ago=3)
    await world.project(garden.id, RecordType.SUMMARY, ADA, garden.text)
    await world.said("the garden needs roses", sequence=20)
    first, *others = (await world.recall("what did we say about the garden roses?")).results
    assert (first.record, first.content) == (RecordType.SUMMARY, garden.text)
    assert others
    (turn,) = (await world.recall("which roses for the garden?")).results
    assert turn.record is RecordType.TURN
    only = await world.recall("what did we say about the garden roses?", records=["turn"])
    assert {result.record for result in only.results} == {RecordType.TURN}


async def test_every_way_to_ask_about_last_time_leads_to_the_talk(world: World) -> None:
    garden = await talked(world, "They planned the garden, 他们计划了花园。", days_ago=3)
    await world.project(garden.id, RecordType.SUMMARY, ADA, garden.text)
    # Those that name a time ask for the talks of that time.
    refer = [one for one in REFER if not names_a_past_time(one, now=NOW, time_zone="UTC")]
    for number, question in enumerate(refer, start=1):
        await world.said(f"{question}, {number}", sequence=10 * number)
    for question in refer:
        first, *_ = (await world.recall(question)).results
        assert (first.record, first.id) == (RecordType.SUMMARY, garden.id), question
        assert (await world.context(question)).text.count(garden.text) == 1, question
    for question in DO_NOT:
        results = (await world.recall(question)).results
        assert all(result.record is not RecordType.SUMMARY for result in results), question


async def test_where_nothing_is_named_the_latest_talk_is_told(world: World) -> None:
    await talked(world, "They planned the garden.", days_ago=3)
    answer = await world.recall("what did we talk about last time?")
    assert [result.content for result in answer.results] == ["They planned the garden."]
    assert (await world.recall("xyzzy plugh")).results == ()


async def test_where_a_time_is_named_the_talks_of_that_time_are_told(world: World) -> None:
    old = await talked(world, "They planned the garden.", days_ago=30, session="old")
    await world.project(
        old.id,
        RecordType.SUMMARY,
        ADA,
        old.text,
        features=extract_summary_features(old),
        session_id="old",
    )
    await talked(world, "They chose a lamp.", days_ago=1, session="new")
    for question in ("What did we talk about in January?", "一月份我们聊了什么"):
        told = (await world.context(question)).text
        assert "They planned the garden." in told, question
        assert "They chose a lamp." not in told, question
        # Its format recalls nothing else: so there it is asked for the talks themselves.
        told = (await world.context(question, format="profile")).text
        assert "They planned the garden." in told, question
        assert "They chose a lamp." not in told, question
    assert (await world.context("What did we talk about last May?")).text == ""
