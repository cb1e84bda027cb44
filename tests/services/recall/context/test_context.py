"""The context of a prompt, out of what is stored."""

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.model.change_set import MemoryChange
from palimpsest.model.kinds import Kind
from palimpsest.model.prompt_markers import CLOSING, OPENING
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language, UserSettings, UserState
from palimpsest_server.models.token_counter import get_token_counter
from palimpsest_server.stores.sessions import SessionKey, SessionProgress
from tests.support.services.recall.talks import narrated, talked
from tests.support.services.recall.world import World

ADA = Scope(user_id="ada")


async def test_the_block_is_marked_stands_in_the_prompt_and_is_counted(world: World) -> None:
    await world.remembered("Ada drinks oolong tea", kind=Kind.PREFERENCE)
    told = await world.context("oolong tea", format="gated", system_prompt="Be brief.")
    assert told.text == "Background about the user:\n- Ada drinks oolong tea"
    assert told.block == f"{OPENING}\n{told.text}\n{CLOSING}"
    assert told.system_prompt == f"You are an AI assistant.\n\n{told.block}\n\nBe brief."
    assert told.tokens == get_token_counter()(told.block)


async def test_each_line_is_cited(world: World) -> None:
    memory = await world.remembered("Ada drinks oolong tea")
    turn = await world.said("oolong tea from the market", sequence=20)
    told = await world.context("oolong tea", citations=True)
    behind = {citation.id: (citation.number, citation.record) for citation in told.citations}
    assert {record for _, record in behind.values()} == {RecordType.MEMORY, RecordType.TURN}
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


async def test_a_message_stands_for_the_memory_that_only_repeats_it(world: World) -> None:
    turn = await world.said("I drank oolong tea yesterday, it was lovely", speaker="Ada")
    memory = await world.remembered("Ada drank oolong tea yesterday", quotes=turn)
    told = await world.context("oolong tea", citations=True)
    assert [citation.id for citation in told.citations] == [turn.id]
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
    assert [message.text for message in told.messages] == [f"message {n}" for n in range(3, 13)]
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
    assert all(message.text not in told.text for message in told.messages)
    assert earlier.id in {citation.id for citation in told.citations}
    few = await world.context("what about oolong tea?", session_id="s", last_messages=0)
    assert "oolong tea number 12" in few.text
    assert "what about" not in few.text, "a question tells nothing of itself"


async def test_a_message_before_the_question_is_not_said_again(world: World) -> None:
    await world.said("I found oolong tea, and jasmine.", sequence=1)
    told = await world.context("oolong tea?", context=["I found oolong tea, and jasmine"])
    assert "jasmine" not in told.text


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


async def test_one_fact_said_six_ways_leaves_room_in_the_block_for_others(world: World) -> None:
    oolong = ["我喜欢喝乌龙茶", "我最爱喝乌龙", "乌龙茶是我最喜欢喝的茶", "平时我都喝乌龙茶", "我只喜欢喝乌龙茶", "我就爱喝乌龙茶"]  # fmt: skip
    others = ["早上我要喝一杯意式浓缩", "周末偶尔喝点红酒"]
    for content in [*oolong, *others]:
        await world.remembered(content, kind=Kind.PREFERENCE)
    whole = await world.context("我喜欢喝什么？")
    assert all(content in whole.text for content in [*oolong, *others])
    told = await world.context("我喜欢喝什么？", token_budget=whole.tokens * 3 // 4)
    assert all(content in told.text for content in others)
