"""What people say of themselves, and later otherwise: from their words to what then holds."""

from collections.abc import Sequence

import pytest

from palimpsest.model.memory import Memory, Status
from tests.support.server.extraction.told_on_days import known_after
from tests.support.windows import STARTED


def of(memories: Sequence[Memory], status: Status) -> dict[str | None, Memory]:
    return {memory.value: memory for memory in memories if memory.status is status}


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("I live in Boston.", "I moved to Seattle last month.", "Boston", "Seattle"),
        ("我住在北京。", "我上个月搬到上海了。", "北京", "上海"),
        ("I work at Google.", "I started at OpenAI last week.", "Google", "OpenAI"),
        ("我在字节跳动上班。", "我上个月离职,现在在美团上班。", "字节跳动", "美团"),
        ("我在字节跳动上班。", "我上个月跳槽去了美团", "字节跳动", "美团"),
    ],
)
async def test_news_with_a_date_end_what_was_said_without_one(
    before: str, after: str, old: str, new: str
) -> None:
    memories = await known_after(before, after)
    active, superseded = of(memories, Status.ACTIVE), of(memories, Status.SUPERSEDED)
    assert ([*active], [*superseded]) == ([new], [old])
    was, now = superseded[old], active[new]
    assert was.valid_until == now.valid_from < STARTED
    assert was.valid_from < was.valid_until
    assert now.supersedes == (was.id,)


@pytest.mark.parametrize(
    ("present", "past", "value"),
    [
        ("I live in Boston.", "I used to live in Seattle.", "Boston"),
        ("我住在北京。", "我以前住在上海。", "北京"),
        ("I live in Boston.", "In 2019 I moved to Seattle.", "Boston"),
        ("我住在北京。", "我2019年搬到了上海。", "北京"),
        ("I moved to Boston last week.", "I moved to Seattle last month.", "Boston"),
        ("我上周搬到了北京。", "我上个月搬到了上海。", "北京"),
        ("I live in Boston.", "My sister moved to Seattle last month.", "Boston"),
        ("我住在北京。", "我妹妹上个月搬到上海了。", "北京"),
    ],
)
async def test_the_past_and_other_people_do_not_end_the_present(
    present: str, past: str, value: str
) -> None:
    held = of(await known_after(present, past), Status.ACTIVE)[value]
    assert (held.subject, held.valid_until) == ("user", None)


@pytest.mark.parametrize(
    ("liked", "over"),
    [
        ("I like coffee", "I don't drink coffee anymore"),
        ("I like drinking coffee.", "I no longer drink coffee because of my stomach."),
        ("I love sushi.", "I stopped eating sushi."),
        ("我喜欢喝咖啡", "我现在不喝咖啡了"),
        ("我喜欢咖啡。", "我再也不喝咖啡了。"),
        ("我爱吃辣", "现在已经不吃辣了"),
    ],
)
async def test_what_is_eaten_or_drunk_no_more_is_liked_no_more(liked: str, over: str) -> None:
    held, ended = await known_after(liked, over)
    assert (held.status, ended.status, ended.ended) == (Status.SUPERSEDED, Status.ACTIVE, True)
    assert (held.valid_until, held.superseded_by) == (ended.valid_from, ended.id)


@pytest.mark.parametrize(
    ("liked", "otherwise"),
    [
        ("I like coffee", "I don't drink coffee."),
        ("I like coffee", "I don't drink coffee after lunch anymore."),
        ("I like tea", "I don't drink coffee anymore"),
        ("I like coffee", "My sister doesn't drink coffee anymore."),
        ("我喜欢喝咖啡", "今天我不喝咖啡了"),
        ("我喜欢喝咖啡", "我不喝咖啡了，来杯茶"),
        ("我喜欢喝咖啡", "我妈现在不喝咖啡了"),
        ("我喜欢喝茶", "我现在不喝咖啡了"),
    ],
)
async def test_a_cup_less_or_another_drink_ends_no_liking(liked: str, otherwise: str) -> None:
    memories = await known_after(liked, otherwise)
    assert {memory.status for memory in memories} == {Status.ACTIVE}


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("I prefer dark mode", "Actually I switched to light mode", "dark mode", "light mode"),
        ("I use dark mode.", "I went back to light mode last week.", "dark mode", "light mode"),
        ("I prefer Celsius.", "I prefer Fahrenheit over Celsius.", "Celsius", "Fahrenheit"),
        ("我喜欢深色模式", "我改用浅色模式了", "深色模式", "浅色模式"),
        ("我更喜欢深色模式。", "其实我上周换成浅色模式了。", "深色模式", "浅色模式"),
        ("我习惯用公制", "改用英制了", "公制", "英制"),
    ],
)
async def test_of_a_setting_the_later_one_holds(
    before: str, after: str, old: str, new: str
) -> None:
    memories = await known_after(before, after)
    active, superseded = of(memories, Status.ACTIVE), of(memories, Status.SUPERSEDED)
    assert ([*active], [*superseded]) == ([new], [old])
    assert superseded[old].superseded_by == active[new].id


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I prefer dark mode", "On my phone I prefer light mode."),
        ("I prefer dark mode", "I use light mode on my phone."),
        ("I prefer dark mode", "I haven't switched to light mode."),
        ("I prefer dark mode", "I'm thinking of switching to light mode."),
        ("I prefer dark mode", "My roommate switched to light mode."),
        ("我喜欢深色模式", "手机上我喜欢浅色模式"),
        ("我喜欢深色模式", "我没换成浅色模式"),
        ("我喜欢深色模式", "我打算换成浅色模式"),
        ("我喜欢深色模式", "我室友改用浅色模式了"),
    ],
)
async def test_a_setting_of_one_thing_of_somebody_else_or_not_made_ends_none(
    before: str, after: str
) -> None:
    memories = await known_after(before, after)
    assert {memory.status for memory in memories} == {Status.ACTIVE}


@pytest.mark.parametrize(
    ("before", "after", "home"),
    [
        ("I live in Boston.", "We moved to Seattle last month for two weeks.", "Boston"),
        ("I just moved to Boston.", "I moved to Seattle last month.", "Boston"),
        ("我住在北京。", "上个月我搬到上海住了两周。", "北京"),
        ("我刚搬到北京。", "我上个月搬到上海。", "北京"),
    ],
)
async def test_a_move_that_is_over_or_was_before_the_last_ends_no_home(
    before: str, after: str, home: str
) -> None:
    memories = await known_after(before, after)
    assert home in of(memories, Status.ACTIVE)


@pytest.mark.parametrize(
    ("before", "after", "old"),
    [
        (
            "My doctor put me on amlodipine",
            "I've stopped the amlodipine, the doctor changed me to ramipril",
            "The user takes amlodipine",
        ),
        ("Elena is my girlfriend", "Elena and I broke up", "The user's girlfriend is Elena"),
        (
            "Elena is my girlfriend",
            "I broke up with Elena last week",
            "The user's girlfriend is Elena",
        ),
        (
            "I'm flying to Tucson next Friday",
            "I cancelled the Tucson trip",
            "The user is flying to Tucson next Friday",
        ),
        (
            "We're going to Portland for Thanksgiving",
            "Thanksgiving trip is off, we're staying home",
            "The user is going to Portland for Thanksgiving",
        ),
        (
            "I have choir every Thursday",
            "I don't go to choir anymore",
            "The user has choir every Thursday",
        ),
        (
            "My app is hosted on Fly.io",
            "We moved the app from Fly to Hetzner",
            "The user's app is hosted on Fly.io",
        ),
        ("I work nights", "they moved me to days", "The user works nights"),
        ("I'm a plumber", "I used to be a plumber", "The user is a plumber"),
    ],
)
async def test_what_is_named_as_ended_or_replaced_holds_no_longer(
    before: str, after: str, old: str
) -> None:
    memories = await known_after(before, after)
    superseded = [memory.content for memory in memories if memory.status is Status.SUPERSEDED]
    assert superseded == [old]
    assert any(memory.status is Status.ACTIVE for memory in memories)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I take metformin", "My mum stopped the metformin"),
        ("I'm allergic to amlodipine", "I've stopped the amlodipine"),
        ("Elena is my girlfriend", "I broke up with Marta"),
        ("Elena is my girlfriend", "my sister broke up with Elena"),
        ("I'm flying to Tucson next Friday", "I might cancel the Tucson trip"),
        ("I'm flying to Tucson next Friday", "I cancelled the Tucson hotel"),
        ("I'm hosting Thanksgiving dinner next Thursday", "Thanksgiving trip is off"),
        ("I met Ann at choir", "I don't go to choir anymore"),
        ("the backend is hosted on Fly.io", "moved the app from Fly to Hetzner"),
        ("I work nights", "my brother works days"),
    ],
)
async def test_what_is_not_named_or_is_of_others_ends_nothing(before: str, after: str) -> None:
    memories = await known_after(before, after)
    assert {memory.status for memory in memories} == {Status.ACTIVE}
