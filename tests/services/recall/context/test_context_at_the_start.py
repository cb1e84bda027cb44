"""A context without a question: who the user is, and what matters most of what is remembered."""

from datetime import timedelta

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Relation, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserSettings, UserState
from palimpsest_server.stores.memories import RecordedRecall
from tests.support.services.recall.talks import narrated, talked
from tests.support.services.recall.world import NOW, World

OF_MEMORIES = ["layered", "blended", "gated", "companion"]
NARRATIVE = " ".join(
    f"Ada has told us {number} things of her work as a baker." for number in range(30)
)


async def test_who_is_known_is_told_whole_where_it_fits(world: World) -> None:
    await narrated(world, NARRATIVE, version=1)
    for number in range(4):
        await talked(world, f"talk {number}", days_ago=number, session=f"s{number}")
    told = await world.context(format="profile", token_budget=600)
    assert NARRATIVE in told.text
    assert told.text.count("talk") == 4
    assert 300 < told.tokens <= 600


async def test_who_is_known_is_told_as_far_as_it_fits_and_never_called_a_stranger(
    world: World,
) -> None:
    await narrated(world, NARRATIVE, version=1)
    await talked(world, "They spoke of Rome.", days_ago=1)
    for budget in (20, 40, 100, 200):
        told = await world.context(format="profile", token_budget=budget)
        assert "nothing is known" not in told.text
        assert "## About the user\nAda" in told.text or budget == 20
        assert told.tokens <= budget


@pytest.mark.parametrize("form", ["profile", "default"])
async def test_of_whom_no_account_was_made_yet_what_is_remembered_is_told(
    world: World, form: str
) -> None:
    memory = await world.remembered("Ada is allergic to peanuts")
    told = await world.context(format=form, citations=True)
    assert "- Ada is allergic to peanuts [1]" in told.text
    assert [citation.id for citation in told.citations] == [memory.id]
    await narrated(world, "Ada is a baker.", version=1)
    told = await world.context(format=form)
    assert ("peanuts" in told.text, told.citations) == (False, ())


@pytest.mark.parametrize("form", OF_MEMORIES)
async def test_what_matters_most_stands_in_the_formats_of_memories(world: World, form: str) -> None:
    for letter in "abcdefghijklmnop":
        await world.remembered(f"likes tea {letter}", importance=(ord(letter) - ord("a")) / 16)
    told = await world.context(format=form)
    most = {"layered": 6, "blended": 10, "gated": 3, "companion": 5}[form]
    best = "ponmlkjihgfedcba"[:most]
    assert [line[-1] for line in told.text.splitlines() if "likes tea" in line] == [*best]
    assert len(told.citations) == most
    assert len((await world.context(format=form, limit=2)).citations) == 2
    await world.access_log.flush()
    assert world.published.accesses == [], "nobody asked for these"


async def test_the_pinned_come_first_and_of_equals_the_often_recalled(world: World) -> None:
    await world.remembered("weighty", importance=0.9)
    await world.remembered("pinned", importance=0.1, pinned=True)
    recalled = await world.remembered("recalled", importance=0.5)
    await world.remembered("new", importance=0.5, recorded_at=NOW + timedelta(hours=1))
    await world.memories.count(
        [RecordedRecall(user_id="ada", recall_id="r", memory_ids=(recalled.id,), at=NOW)]
    )
    told = await world.context(format="gated")
    assert told.text.splitlines()[1:] == ["- pinned", "- weighty", "- recalled"]


async def test_only_what_holds_and_may_be_seen_is_told(world: World) -> None:
    await world.remembered("seen")
    await world.remembered("waits", status=Status.PENDING)
    await world.remembered("was", status=Status.SUPERSEDED)
    await world.remembered("over", valid_until=NOW - timedelta(minutes=1))
    await world.remembered("expired", expires_at=NOW - timedelta(minutes=1))
    await world.remembered("of Bob", Scope(user_id="bob"))
    await world.remembered("of the coach", Scope(user_id="ada", agent_id="coach"))
    assert (await world.context(format="gated")).text.splitlines()[1:] == ["- seen"]
    coach = await world.context(format="gated", agent_id="coach")
    assert sorted(coach.text.splitlines()[1:]) == ["- of the coach", "- seen"]
    world.states.erase("ada", epoch=1)
    assert (await world.context(format="gated")).text == ""
    assert (await world.context(format="layered", language="zh")).text == "暂无相关历史记忆。"


async def test_nothing_is_told_where_memory_is_off_or_unseen(world: World) -> None:
    await world.remembered("seen")
    for form in ("layered", "profile"):
        told = await world.context(format=form, incognito=True)
        assert (told.block, told.tokens) == ("", 0)
    world.states.by_user["ada"] = UserState(settings=UserSettings(memory_enabled=False))
    for form in ("layered", "profile"):
        assert (await world.context(format=form)).block == ""


async def test_a_companion_says_less_than_500_characters(world: World) -> None:
    await world.remembered("a" * 300, importance=0.9)
    await world.remembered("b" * 300, importance=0.8)
    await world.remembered("c" * 100, importance=0.7)
    told = await world.context(format="companion")
    assert [line[2] for line in told.text.splitlines()[1:]] == ["a", "c"]


async def test_what_contradicts_is_shown_there_too(world: World) -> None:
    tea = await world.remembered("Ada likes tea", kind=Kind.PREFERENCE)
    against = (Relation(type=RelationType.CONTRADICTS, memory_id=tea.id),)
    await world.remembered("Ada hates tea", kind=Kind.PREFERENCE, relations=against)
    assert (await world.context(format="gated")).text.count("conflicts with") == 2


async def test_the_languages_of_what_is_remembered_is_the_users(world: World) -> None:
    await world.remembered("用户喜欢乌龙茶", kind=Kind.PREFERENCE)
    assert "## 用户偏好" in (await world.context(format="layered")).text


async def test_a_conversation_starts_with_the_latest_talks_in_one_call(world: World) -> None:
    for number in range(7):
        await talked(world, f"talk {number}", days_ago=number, session=f"s{number}")
    told = await world.context(format="profile", token_budget=2_000)
    assert told.text.index("talk 0") < told.text.index("talk 4")
    assert "talk 6" in told.text  # at most ten under a budget
    assert "Principles" in told.system_prompt


async def test_ten_talks_begin_a_prompt_only_where_a_budget_was_given(world: World) -> None:
    for days in range(1, 13):
        await talked(world, f"Talk {days}.", days_ago=days, session=f"s{days}")
    assert (await world.context(format="profile")).text.count("Talk ") == 5
    assert (await world.context(format="profile", token_budget=4000)).text.count("Talk ") == 10


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
