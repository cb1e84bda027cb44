"""What somebody says and says otherwise later, and what is asked of it, on a whole Palimpsest."""

import asyncio

import pytest

from palimpsest.api.recall import RecallTrace
from palimpsest.client import PalimpsestClient
from palimpsest.model.memory import Status
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.telling import said
from tests.support.journeys.waiting import until_listed

pytestmark = pytest.mark.embedded

ASK = {"zh": "互相矛盾的信息请向用户确认。", "en": "Where these conflict, ask the user."}


async def test_who_likes_what_they_avoided_avoids_it_no_more(
    palimpsest: RunningPalimpsest,
) -> None:
    async with palimpsest.client() as client:
        await said(client, "avoids-chili", "我不吃辣。", "我最爱吃辣。")
        await until_listed(client, "avoids-chili", {"用户不吃辣"}, Status.SUPERSEDED)
        listed = await client.list(user_id="avoids-chili", status=[Status.ACTIVE])
        assert [memory.content for memory in listed.memories] == ["用户喜欢吃辣"]


@pytest.mark.parametrize(
    ("user_id", "texts", "over", "stands"),
    [
        (
            "takes-ramipril",
            (
                "They put me on amlodipine.",
                "I've stopped the amlodipine, they changed me to ramipril.",
            ),
            "The user takes amlodipine",
            "The user takes ramipril",
        ),
        (
            "is-single",
            ("Elena is my girlfriend.", "Elena and I broke up."),
            "The user's girlfriend is Elena",
            "Elena and the user broke up",
        ),
        (
            "stays-home",
            ("I'm flying to Tucson next Friday.", "I cancelled the Tucson trip."),
            "The user is flying to Tucson next Friday",
            "The user cancelled the Tucson trip",
        ),
        (
            "sings-no-more",
            ("I have choir every Thursday.", "I don't go to choir anymore."),
            "The user has choir every Thursday",
            "The user doesn't go to choir anymore",
        ),
        (
            "hosts-elsewhere",
            ("My app is hosted on Fly.io.", "We moved the app from Fly to Hetzner."),
            "The user's app is hosted on Fly.io",
            "The user moved the app from Fly to Hetzner",
        ),
        (
            "sleeps-at-night",
            ("I work nights.", "They moved me to days."),
            "The user works nights",
            "The user works days",
        ),
    ],
)
async def test_what_is_named_as_over_or_replaced_holds_no_longer(
    palimpsest: RunningPalimpsest, user_id: str, texts: tuple[str, str], over: str, stands: str
) -> None:
    async with palimpsest.client() as client:
        await said(client, user_id, *texts)
        await until_listed(client, user_id, {over}, Status.SUPERSEDED)
        listed = await client.list(user_id=user_id, status=[Status.ACTIVE])
        active = {memory.content for memory in listed.memories}
        assert stands in active
        assert over not in active


@pytest.mark.parametrize(
    ("language", "texts", "contents", "question"),
    [
        ("zh", ("我喜欢吃辣。", "我不吃辣。"), {"用户喜欢吃辣", "用户不吃辣"}, "用户吃辣吗？"),
        (
            "en",
            ("The release is on May 3.", "The release is on May 10."),
            {"The release is on May 3", "The release is on May 10"},
            "When is the release?",
        ),
    ],
)
async def test_what_cannot_both_be_so_is_shown_as_such(
    palimpsest: RunningPalimpsest,
    language: str,
    texts: tuple[str, str],
    contents: set[str],
    question: str,
) -> None:
    user_id = f"mei-{language}"
    async with palimpsest.client() as client:
        await said(client, user_id, *texts)
        await until_listed(client, user_id, contents, Status.ACTIVE)
        for form in ("default", "layered", "blended"):
            async with asyncio.timeout(60):
                while True:
                    told = await client.context(question, user_id=user_id, format=form)
                    marks = told.text.count("矛盾）") + told.text.count("conflicts with")
                    if marks == 2:
                        break
                    await asyncio.sleep(0.1)
            assert form == "blended" or ASK[language] in told.text
        listed = await client.list(user_id=user_id, status=[Status.ACTIVE])
        ids = {memory.id for memory in listed.memories if memory.content in contents}
        assert len(ids) == len(contents)
        traces = await until_traced(client, user_id, ids)
        assert {trace.asked for trace in traces} == {question}


async def until_traced(
    client: PalimpsestClient, user_id: str, ids: set[str]
) -> tuple[RecallTrace, ...]:
    """Once a recall that returned all of these has left its trace: they are written down later."""
    async with asyncio.timeout(60):
        while True:
            traces = (await client.traces(user_id=user_id)).traces
            if any(ids <= {result.id for result in trace.results} for trace in traces):
                return traces
            await asyncio.sleep(0.1)
