"""Answers, speakers and open questions are read as what they say, in both languages."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import Proposal

SAID_AT = datetime(2026, 6, 10, 10, tzinfo=UTC)


async def extract(*said: str) -> tuple[Proposal, ...]:
    """Extract from messages of an agent ("A: …") and of the user."""
    messages = tuple(
        DialogueMessage(
            number=number,
            role=Role.AGENT if text.startswith("A: ") else Role.USER,
            speaker=None,
            text=text.removeprefix("A: "),
            fresh=True,
            occurred_at=SAID_AT,
        )
        for number, text in enumerate(said, start=1)
    )
    request = ExtractionRequest(
        user_id="u", messages=messages, participants=(), language=None, time_zone="UTC"
    )
    return (await LocalExtractor().extract(request)).proposals


@pytest.mark.parametrize(
    ("said", "content"),
    [
        (("A: Are you allergic to penicillin?", "yes"), "The user is allergic to penicillin"),
        (("A: Do you like jazz?", "not really"), "The user doesn't like jazz"),
        (
            ("A: Would you prefer mornings or evenings for the reminder?", "evenings"),
            "The user prefers evenings for the reminder",
        ),
        (("A: 你喜欢靠窗还是靠过道？", "靠窗吧"), "用户喜欢靠窗"),
        (("A: 您做什么工作的？", "护士", "A: 在哪个科室？", "儿科"), "用户在儿科"),
        (("A: 您对青霉素过敏吗？", "对"), "用户对青霉素过敏"),
        (("moved to Sheffield on June 1st",), "The user moved to Sheffield"),
        (("烟戒了，已经一个月没碰",), "用户不再抽烟了"),
    ],
)
async def test_it_is_kept_as_what_it_says(said: tuple[str, ...], content: str) -> None:
    assert content in [proposal.content for proposal in await extract(*said)]


@pytest.mark.parametrize(
    "text",
    [
        "Haven't decided yet whether to take the Amsterdam offer or stay",
        "We haven't decided on a database yet",
        "还没决定要不要接阿姆斯特丹的offer",
        "我们还没决定用哪个数据库",
    ],
)
async def test_nothing_undecided_is_a_decision(text: str) -> None:
    assert Kind.DECISION not in {proposal.kind for proposal in await extract(text)}
