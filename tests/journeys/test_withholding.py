"""What people ask not to have remembered, and secrets: from what they say to what is recalled."""

import asyncio
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from palimpsest.client import Message, PalimpsestClient
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.waiting import until_listed, until_recalled

pytestmark = pytest.mark.embedded

MORNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ENGLISH, CHINESE = "I live in Linden Street.", "我住在上海浦东。"
HOME = {ENGLISH: "The user lives in Linden Street", CHINESE: "用户住在上海浦东"}


def spoken(*texts: str, first: int = 1) -> list[Message]:
    """Texts that begin with "> " are the assistant's."""
    return [
        Message(
            role=Role.AGENT if text.startswith("> ") else Role.USER,
            text=text.removeprefix("> "),
            message_id=f"m{number}",
            occurred_at=MORNING + timedelta(minutes=number),
        )
        for number, text in enumerate(texts, start=first)
    ]


async def all_that_is_known(
    palimpsest: RunningPalimpsest, client: PalimpsestClient, user_id: str, question: str
) -> str:
    """All that is listed as active, recalled, or told of the session, in one text."""
    listed = await client.list(user_id=user_id, status=[Status.ACTIVE])
    answer = await client.recall(question, user_id=user_id, preview=True)
    context = await client.context(question, user_id=user_id)
    async with httpx.AsyncClient(
        base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
    ) as http:
        summary = await http.get("/v1/sessions/s1/summary", params={"user_id": user_id})
    known = (listed.model_dump_json(), answer.model_dump_json(), context.block, summary.text)
    return "\n".join(known)


@pytest.mark.parametrize(
    ("user_id", "said", "secret"),
    [
        (
            "after-en",
            ("I'm pregnant with twins.", "> Congratulations on the twins!", "don't remember that", ENGLISH),
            "twins",
        ),
        ("after-zh", ("我怀孕了，是双胞胎。", "别记住我刚才说的", CHINESE), "双胞胎"),
        ("about-en", ("I'm pregnant with twins.", "actually don't remember that I'm pregnant", ENGLISH), "twins"),
        (
            "same-en",
            ("I take lithium, please don't save that, my manager uses this tablet too", ENGLISH),
            "lithium",
        ),
        ("same-zh", ("我在吃锂盐，这个不要保存，经理也用这个平板", CHINESE), "锂盐"),
        ("next-en", ("Don't remember this next thing.", "I owe Sam a fortune.", ENGLISH), "fortune"),
        ("next-zh", ("下面这段别记", "我欠了十万块钱", CHINESE), "十万"),
        ("ahead-zh", ("接下来的话别存，我得了乙肝", CHINESE), "乙肝"),
        ("id-en", ("My passport number is 533401872.", ENGLISH), "533401872"),
        ("id-zh", ("我身份证号是510104199903152346", "开机密码就是糖糖生日1016", CHINESE), "51010419"),
    ],
)  # fmt: skip
async def test_it_is_in_nothing_that_is_known(
    palimpsest: RunningPalimpsest, user_id: str, said: tuple[str, ...], secret: str
) -> None:
    home = said[-1]
    async with palimpsest.client() as client:
        await client.save_conversation(spoken(*said), user_id=user_id, session_id="s1", ended=True)
        await until_listed(client, user_id, {HOME[home]}, Status.ACTIVE)
        await until_recalled(client, home, user_id, f"m{len(said)}")
        known = await all_that_is_known(palimpsest, client, user_id, said[0])
        own = await client.context(
            said[0], user_id=user_id, session_id="s1", last_messages=len(said)
        )
    assert len(own.messages) == len(said)
    assert secret not in known
    assert "1016" not in known


async def test_what_was_remembered_before_its_user_asked_is_forgotten(
    palimpsest: RunningPalimpsest,
) -> None:
    async with palimpsest.client() as client:
        await client.save_conversation(
            spoken(ENGLISH, "I'm allergic to peanuts."),
            user_id="before-en",
            session_id="s1",
            ended=True,
        )
        await until_listed(client, "before-en", {"The user is allergic to peanuts"}, Status.ACTIVE)
        await client.save_conversation(
            spoken("please don't save that", first=3),
            user_id="before-en",
            session_id="s1",
            ended=True,
        )
        await until_listed(
            client, "before-en", {"The user is allergic to peanuts"}, Status.FORGOTTEN
        )
        async with asyncio.timeout(60):
            while True:
                known = await all_that_is_known(palimpsest, client, "before-en", "Who is allergic?")
                if "peanuts" not in known:
                    break
                await asyncio.sleep(0.2)
    assert HOME[ENGLISH] in known
