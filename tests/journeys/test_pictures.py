"""Pictures and videos beside what is said: read by their words, kept by their address."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.client import Message
from palimpsest.model.memory import Status
from palimpsest.model.turn import ImageReference, Medium, Role
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.waiting import until_listed

pytestmark = pytest.mark.embedded

MORNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PLAN = "https://example.com/plan.png"
CLIP = "https://example.com/clip.mp4"


async def test_what_is_said_of_a_picture_is_remembered_with_where_it_is(
    palimpsest: RunningPalimpsest,
) -> None:
    shown = (
        ("", ImageReference(url=PLAN)),
        ("", ImageReference(url=PLAN, caption="I live in Lisbon.")),
        (" ", ImageReference(url=CLIP, alt="我对花生过敏。", medium=Medium.VIDEO)),
    )
    messages = [
        Message(
            message_id=f"m{number}",
            role=Role.USER,
            text=text,
            images=(image,),
            occurred_at=MORNING + timedelta(minutes=number),
        )
        for number, (text, image) in enumerate(shown)
    ]
    async with palimpsest.client() as client:
        results = await client.save_conversation(
            messages, user_id="jo", session_id="s", agent_id="a", ended=True
        )
        assert {result.outcome for result in results} == {"accepted"}
        said = {"The user lives in Lisbon", "用户对花生过敏"}
        found = await until_listed(client, "jo", said, Status.ACTIVE, agent_id="a")
        kept = {content: found[content].evidence[0].images for content in said}
        assert kept == {"The user lives in Lisbon": (PLAN,), "用户对花生过敏": (CLIP,)}
        async with asyncio.timeout(60):
            while True:
                answer = await client.recall(
                    "花生", user_id="jo", agent_id="a", records=[RecordType.TURN], preview=True
                )
                turns = {result.content.strip(): result for result in answer.results}
                if "我对花生过敏。" in turns:
                    break
                await asyncio.sleep(0.05)
        (evidence,) = turns["我对花生过敏。"].evidence
        assert evidence.images == (CLIP,)
