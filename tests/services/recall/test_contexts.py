"""The context of a prompt, out of what is stored."""

from datetime import timedelta

import pytest

from palimpsest.contracts.recall import Record
from palimpsest.domain.change_set import MemoryChange
from palimpsest.domain.clock import Clock
from palimpsest.domain.context.marking import CLOSING, OPENING
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Relation, RelationType, Status
from palimpsest.domain.profiles.profile import cold_start
from palimpsest.domain.ranking.asked_times import names_a_time_that_is_over
from palimpsest.domain.ranking.signs import signs_of_summary
from palimpsest.domain.scope import Scope
from palimpsest.domain.summaries.summary import SessionSummary
from palimpsest.domain.user import Language, UserSettings, UserState
from palimpsest.providers.hashing import HashingEmbedder
from palimpsest.providers.tokens import token_counter
from palimpsest.stores.memories_memory import InMemoryMemories
from palimpsest.stores.sessions import SessionKey, SessionProgress
from palimpsest.stores.turns_memory import InMemoryTurns
from palimpsest.stores.vector_memory import InMemoryVectorStore
from tests.libs.domain.ranking.phrasings import DO_NOT, REFER
from tests.services.recall.world import NOW, World

ADA = Scope(user_id="ada")


@pytest.fixture
def world(clock: Clock) -> World:
    vectors = InMemoryVectorStore(HashingEmbedder.model)
    return World(InMemoryMemories(), InMemoryTurns(), vectors, clock)


async def talked(world: World, text: str, *, days_ago: int, session: str = "s") -> SessionSummary:
    ended = NOW - timedelta(days=days_ago)
    return await world.summed_up(text, ended=ended, session=session, found=False)


async def test_the_block_is_marked_stands_in_the_prompt_and_is_counted(world: World) -> None:
    await world.remembered("Ada drinks oolong tea", kind=Kind.PREFERENCE)
    told = await world.context("oolong tea", format="gated", system_prompt="Be brief.")
    assert told.text == "Background about the user:\n- Ada drinks oolong tea"
    assert told.block == f"{OPENING}\n{told.text}\n{CLOSING}"
    assert told.system_prompt == f"You are an AI assistant.\n\n{told.block}\n\nBe brief."
    assert told.tokens == token_counter()(told.block)


async def test_each_line_is_cited(world: World) -> None:
    memory = await world.remembered("Ada drinks oolong tea")
    turn = await world.said("oolong tea from the market", sequence=20)
    told = await world.context("oolong tea", citations=True)
    behind = {one.id: (one.number, one.record) for one in told.citations}
    assert {record for _, record in behind.values()} == {Record.MEMORY, Record.TURN}
    assert f"- Ada drinks oolong tea [{behind[memory.id][0]}]" in told.text
    assert f"oolong tea from the market [{behind[turn.id][0]}]" in told.text


async def test_a_budget_is_kept_to_and_only_what_is_in_the_block_is_cited(world: World) -> None:
    for number in range(1, 20):
        await world.said(f"oolong tea number {number} " + "with milk " * 8, sequence=5 * number)
    told = await world.context("oolong tea", token_budget=120)
    assert 60 < told.tokens <= 120
    assert 0 < len(told.citations) < 10


async def test_nothing_recalled_is_each_formats_own_nothing(world: World) -> None:
    zh = {"language": "zh"}
    assert (await world.context("xyzzy", format="layered", **zh)).text == "暂无相关历史记忆。"
    for name in ("default", "blended", "gated", "companion"):
        told = await world.context("xyzzy", format=name, **zh)
        assert (told.block, told.text, told.tokens) == ("", "", 0)
    told = await world.context(format="profile", **zh)
    assert told.text == "## 关于用户\n新用户，尚无信息"


async def test_a_conversation_starts_with_the_latest_talks_in_one_call(world: World) -> None:
    for number in range(7):
        await talked(world, f"talk {number}", days_ago=number, session=f"s{number}")
    told = await world.context(format="profile", token_budget=2_000)
    assert told.text.index("talk 0") < told.text.index("talk 4")
    assert "talk 6" in told.text  # at most ten under a budget
    assert "Principles" in told.system_prompt


async def test_what_was_talked_about_last_time_is_answered_by_summaries(world: World) -> None:
    await talked(world, "They planned the garden.", days_ago=3)
    told = await world.context("what did we talk about last time?")
    assert "They planned the garden." in told.text
    assert "They planned the garden." not in (await world.context("garden?")).text


async def test_a_summary_that_was_recalled_is_told_once(world: World) -> None:
    garden = await talked(world, "They planned the garden and its roses.", days_ago=3)
    await talked(world, "They spoke of Rome.", days_ago=1, session="later")
    await world.project(garden.id, Record.SUMMARY, ADA, garden.text)
    told = await world.context("what did we say about the garden roses?", citations=True)
    assert told.text.count(garden.text) == 1
    assert "Rome" not in told.text
    assert told.citations == ()


async def test_a_message_stands_for_the_memory_that_only_repeats_it(world: World) -> None:
    turn = await world.said("I drank oolong tea yesterday, it was lovely", speaker="Ada")
    memory = await world.remembered("Ada drank oolong tea yesterday", quotes=turn)
    told = await world.context("oolong tea", citations=True)
    assert [one.id for one in told.citations] == [turn.id]
    assert "Ada drank" not in told.text
    assert "Ada drank" in (await world.context("oolong tea", format="layered")).text
    await world.memories.apply(
        [MemoryChange(before=memory, after=memory.model_copy(update={"version": 2}))]
    )
    assert "Ada drank" in (await world.context("oolong tea")).text


async def test_the_last_messages_and_the_running_summary_come_along(world: World) -> None:
    for number in range(1, 13):
        await world.said(f"message {number}", sequence=number)
    await talked(world, "So far they said hello.", days_ago=0)
    told = await world.context("hello", session_id="s", format="gated")
    assert [one.text for one in told.messages] == [f"message {n}" for n in range(3, 13)]
    assert told.running_summary == "So far they said hello."
    assert len((await world.context("x", session_id="s", format="companion")).messages) == 5
    assert len((await world.context("x", session_id="s", last_messages=2)).messages) == 2
    assert (await world.context("x", session_id="other")).messages == ()
    assert (await world.context("x")).messages == ()


async def test_what_stands_in_the_messages_is_not_said_again(world: World) -> None:
    for number in range(1, 14):
        await world.said(f"oolong tea number {number}", sequence=number)
    await world.said("what about oolong tea?", sequence=14)
    earlier = await world.said("oolong tea from the market", session="earlier", sequence=1)
    told = await world.context("what about oolong tea?", session_id="s")
    assert told.messages[0].text == "oolong tea number 5"
    assert "oolong tea number 3" in told.text, "it is not among the last"
    assert "oolong tea from the market" in told.text
    assert all(one.text not in told.text for one in told.messages)
    assert earlier.id in {one.id for one in told.citations}
    few = await world.context("what about oolong tea?", session_id="s", last_messages=0)
    assert "oolong tea number 12" in few.text
    assert "what about" not in few.text, "a question tells nothing of itself"


async def test_a_message_before_the_question_is_not_said_again(world: World) -> None:
    await world.said("I found oolong tea, and jasmine.", sequence=1)
    told = await world.context("oolong tea?", context=["I found oolong tea, and jasmine"])
    assert "jasmine" not in told.text


async def test_the_running_summary_counts_and_is_kept_within_the_budget(world: World) -> None:
    running = " ".join(f"Then they spoke of tea number {number}." for number in range(40))
    await talked(world, running, days_ago=0)
    for form in ("blended", "default"):
        told = await world.context("xyzzy", session_id="s", format=form, token_budget=100)
        inside = told.system_prompt.partition(OPENING)[2].partition(CLOSING)[0]
        assert told.block == ""
        assert inside.startswith("\nThen they spoke of tea number 0.")
        assert inside.endswith(".\n")
        assert told.tokens == token_counter()(f"{OPENING}{inside}{CLOSING}")
        assert 50 < told.tokens <= 100
        assert told.running_summary == running
    for form in ("layered", "gated", "companion", "profile"):
        told = await world.context("xyzzy", session_id="s", format=form, token_budget=100)
        assert told.tokens == token_counter()(told.block)


SAID = {
    "en": (
        "I am planning a sailing trip to Norway in June.",
        "The sailing boat needs a new mast before the trip.",
        "My sister Ella comes along on the sailing trip.",
    ),
    "zh": ("我打算六月去挪威航海旅行。", "航海之前帆船要换一根桅杆。", "我妹妹也一起去航海旅行。"),
}


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


async def test_only_what_stands_in_the_block_is_cited_or_counted_as_recalled(world: World) -> None:
    await narrated(world, "Ada is a baker.", version=1)
    await world.remembered("Ada drinks oolong tea")
    told = await world.context("oolong tea", format="profile", policy="layered")
    assert "oolong" not in told.text
    assert (told.citations, told.recall_id) == ((), None)
    await world.access_log.flush()
    assert world.published.accesses == []


async def test_citations_are_as_the_user_has_settled_unless_the_request_says(world: World) -> None:
    await world.remembered("Ada drinks oolong tea")
    assert "[1]" not in (await world.context("oolong tea")).text
    world.states.by_user["ada"] = UserState(settings=UserSettings(citations=True))
    assert "[1]" in (await world.context("oolong tea")).text
    assert "[1]" not in (await world.context("oolong tea", citations=False)).text


async def test_a_reader_is_told_that_their_own_write_is_not_there_yet(world: World) -> None:
    assert (await world.context("oolong tea", min_revision=1)).stale
    assert not (await world.context("oolong tea", min_revision=0)).stale
    assert not (await world.context("oolong tea")).stale
    assert not (await world.context("oolong tea", min_revision=1, incognito=True)).stale


async def test_what_contradicts_is_shown_as_such(world: World) -> None:
    tea = await world.remembered("Ada likes oolong tea")
    await world.remembered(
        "Ada hates oolong tea",
        relations=(Relation(type=RelationType.CONTRADICTS, memory_id=tea.id),),
    )
    told = await world.context("oolong tea")
    assert told.text.count("conflicts with") == 2
    assert "ask the user" in told.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            {"attribute": "release_date", "value": "May 3"},
            {"attribute": "release_date", "value": "May 10"},
        ),
        ({"attribute": "city", "value": "Kiel"}, {"attribute": "home_city", "value": "Rome"}),
        (
            {"attribute": "likes", "value": "spicy food"},
            {"attribute": "avoids", "value": "spicy food"},
        ),
    ],
)
async def test_two_values_of_one_attribute_in_two_scopes_contradict(
    world: World, one: dict[str, str], other: dict[str, str]
) -> None:
    agents = Scope(user_id="ada", agent_id="coach")
    turn = await world.said("Ada told of the plan", sequence=1)
    await world.remembered("Ada told of the plan A", quotes=turn, details=one)
    await world.remembered("Ada told of the plan B", agents, details=other)
    told = await world.context("plan", agent_id="coach")
    assert told.text.count("conflicts with") == 2
    for name in ("layered", "gated", "companion"):
        written = await world.context("Ada told of the plan", agent_id="coach", format=name)
        assert "Where these conflict, ask the user." in written.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"attribute": "likes", "value": "tea"}, {"attribute": "likes", "value": "coffee"}),
        ({"attribute": "city", "value": "Kiel"}, {"attribute": "city", "value": "kiel"}),
        (
            {"attribute": "city", "value": "Kiel", "subject": "Bob"},
            {"attribute": "city", "value": "Rome"},
        ),
        (
            {"attribute": "city", "value": "Kiel", "status": Status.SUPERSEDED, "valid_until": NOW},
            {"attribute": "city", "value": "Rome"},
        ),
    ],
)
async def test_what_can_both_be_so_is_not_marked(
    world: World, one: dict[str, object], other: dict[str, object]
) -> None:
    await world.remembered("Ada told of the plan A", details=one)
    await world.remembered(
        "Ada told of the plan B", Scope(user_id="ada", agent_id="coach"), details=other
    )
    told = await world.context("What was the plan before?", agent_id="coach")
    assert "the plan" in told.text
    assert "conflict" not in told.text


async def test_memory_off_and_incognito_read_nothing_and_record_nothing(world: World) -> None:
    await world.remembered("Ada drinks oolong tea")
    await world.said("oolong tea", sequence=1)
    told = await world.context("oolong tea", incognito=True, session_id="s")
    assert (told.block, told.citations, told.messages) == ("", (), ())
    world.states.turn_memory_off("ada")
    told = await world.context("oolong tea", format="profile", session_id="s")
    assert (told.block, told.citations, told.messages) == ("", (), ())
    assert not told.memory_enabled
    await world.access_log.flush()
    assert world.published.accesses == []


async def test_the_language_is_the_users_else_the_questions(world: World) -> None:
    await world.remembered("用户喜欢乌龙茶", kind=Kind.PREFERENCE)
    assert "## 用户偏好" in (await world.context("乌龙茶", format="layered")).text
    world.states.by_user["ada"] = UserState(settings=UserSettings(language=Language.ENGLISH))
    assert "## User Preferences" in (await world.context("乌龙茶", format="layered")).text


@pytest.mark.parametrize("query", ["ok", "12345", "Kafka?", "👍"])
async def test_a_question_in_no_language_is_answered_in_the_users(world: World, query: str) -> None:
    await world.said("我在上海工作。", sequence=1)
    await world.sessions.advance([SessionProgress(key=SessionKey("ada", "s"))])
    assert (await world.context(query, format="layered")).text == "暂无相关历史记忆。"
    english = await world.context(query, format="layered", user_id="bob")
    assert english.text == "No related memories yet."
    asked = await world.context("what about oranges?", format="layered")
    assert asked.text == "No related memories yet."


async def test_a_stranger_is_met_in_the_language_that_they_write_in(world: World) -> None:
    await world.said("我在上海工作。", sequence=1)
    await world.sessions.advance([SessionProgress(key=SessionKey("ada", "s"))])
    stranger = "## 关于用户\n新用户，尚无信息"
    english = {"system_prompt": "You are a cook."}
    assert (await world.context(format="profile", session_id="s", **english)).text == stranger
    elsewhere = await world.context(format="profile", session_id="another", **english)
    assert elsewhere.text == stranger
    asked = await world.context(format="profile", language="en")
    assert "A new user; nothing is known yet." in asked.text
    world.states.turn_memory_off("ada")
    off = await world.context(format="profile", **english)
    assert "Principles" in off.system_prompt, "what is stored shows nowhere"


async def test_nothing_of_another_user_is_in_it(world: World) -> None:
    await world.remembered("Bob drinks oolong tea", Scope(user_id="bob"))
    await world.said("oolong tea", Scope(user_id="bob"), session="s")
    told = await world.context("oolong tea", session_id="s")
    assert (told.block, told.messages) == ("", ())


async def test_recall_too_answers_what_was_talked_about_last_time_by_summaries_first(
    world: World,
) -> None:
    garden = await talked(world, "They planned the garden and its roses.", days_ago=3)
    await world.project(garden.id, Record.SUMMARY, ADA, garden.text)
    await world.said("the garden needs roses", sequence=20)
    first, *others = (await world.recall("what did we say about the garden roses?")).results
    assert (first.record, first.content) == (Record.SUMMARY, garden.text)
    assert others
    (turn,) = (await world.recall("which roses for the garden?")).results
    assert turn.record is Record.TURN
    only = await world.recall("what did we say about the garden roses?", records=["turn"])
    assert {one.record for one in only.results} == {Record.TURN}


async def test_every_way_to_ask_about_last_time_leads_to_the_talk(world: World) -> None:
    garden = await talked(world, "They planned the garden, 他们计划了花园。", days_ago=3)
    await world.project(garden.id, Record.SUMMARY, ADA, garden.text)
    # Those that name a time ask for the talks of that time.
    refer = [one for one in REFER if not names_a_time_that_is_over(one, now=NOW, time_zone="UTC")]
    for number, question in enumerate(refer, start=1):
        await world.said(f"{question}, {number}", sequence=10 * number)
    for question in refer:
        first, *_ = (await world.recall(question)).results
        assert (first.record, first.id) == (Record.SUMMARY, garden.id), question
        assert (await world.context(question)).text.count(garden.text) == 1, question
    for question in DO_NOT:
        results = (await world.recall(question)).results
        assert all(one.record is not Record.SUMMARY for one in results), question


async def test_where_nothing_is_named_the_latest_talk_is_told(world: World) -> None:
    await talked(world, "They planned the garden.", days_ago=3)
    answer = await world.recall("what did we talk about last time?")
    assert [one.content for one in answer.results] == ["They planned the garden."]
    assert (await world.recall("xyzzy plugh")).results == ()


async def test_where_a_time_is_named_the_talks_of_that_time_are_told(world: World) -> None:
    old = await talked(world, "They planned the garden.", days_ago=30, session="old")
    await world.project(
        old.id, Record.SUMMARY, ADA, old.text, signs=signs_of_summary(old), session_id="old"
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


async def narrated(world: World, narrative: str, *, version: int, epoch: int = 0) -> None:
    cold = cold_start("ada", Language.ENGLISH, epoch=epoch, now=NOW)
    fields = {"id": f"{epoch}-{version}", "version": version, "narrative": narrative}
    await world.profiles.write([cold.model_copy(update=fields)])


@pytest.mark.parametrize("form", ["profile", "default"])
async def test_who_the_user_is_is_told_as_the_latest_account_has_it(
    world: World, form: str
) -> None:
    await narrated(world, "Ada lives in Berlin.", version=1)
    await narrated(world, "Ada lives in Hamburg; before that it was Berlin.", version=2)
    told = await world.context(format=form)
    assert "Ada lives in Hamburg; before that it was Berlin." in told.text
    assert "Ada lives in Berlin." not in told.text


async def test_an_account_from_before_all_was_forgotten_is_told_to_nobody(world: World) -> None:
    await narrated(world, "Ada lives in Berlin.", version=1)
    world.states.by_user["ada"] = UserState(epoch=1)
    told = await world.context(format="profile")
    assert "Berlin" not in told.text
    assert "A new user; nothing is known yet." in told.text


async def test_other_formats_and_a_memory_that_is_off_tell_no_account(world: World) -> None:
    await narrated(world, "Ada lives in Berlin.", version=1)
    assert "Berlin" not in (await world.context(format="gated")).text
    world.states.by_user["ada"] = UserState(settings=UserSettings(memory_enabled=False))
    assert "Berlin" not in (await world.context(format="profile")).block


async def test_one_fact_said_six_ways_leaves_room_in_the_block_for_others(world: World) -> None:
    oolong = ["我喜欢喝乌龙茶", "我最爱喝乌龙", "乌龙茶是我最喜欢喝的茶", "平时我都喝乌龙茶", "我只喜欢喝乌龙茶", "我就爱喝乌龙茶"]  # fmt: skip
    others = ["早上我要喝一杯意式浓缩", "周末偶尔喝点红酒"]
    for content in [*oolong, *others]:
        await world.remembered(content, kind=Kind.PREFERENCE)
    whole = await world.context("我喜欢喝什么？")
    assert all(content in whole.text for content in [*oolong, *others])
    told = await world.context("我喜欢喝什么？", token_budget=whole.tokens * 3 // 4)
    assert all(content in told.text for content in others)


async def test_ten_talks_begin_a_prompt_only_where_a_budget_was_given(world: World) -> None:
    for days in range(1, 13):
        await talked(world, f"Talk {days}.", days_ago=days, session=f"s{days}")
    assert (await world.context(format="profile")).text.count("Talk ") == 5
    assert (await world.context(format="profile", token_budget=4000)).text.count("Talk ") == 10
