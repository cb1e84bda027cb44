"""The main job: what was said comes back when it matters, over HTTP and over Kafka alike."""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.api.recall import RecallDetail, RecordType
from palimpsest.client import Message
from palimpsest.model.entity import EntityKind
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.waiting import until_answered, until_listed, until_recalled, until_told

pytestmark = pytest.mark.embedded

MORNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SAID = (
    (Role.USER, "我住在上海，平时骑车上班。"),
    (Role.AGENT, "好的，需要我留意天气吗？"),
    (Role.USER, "I love using Vue for the pages of our shop."),
    (Role.AGENT, "Then Vue it is."),
    (Role.USER, "I switched from Vue to React."),
    (Role.AGENT, "React from now on."),
    (Role.USER, "我已经搬到杭州了。"),
)
HOME_BEFORE = "用户住在上海，平时骑车上班"


@pytest.mark.parametrize("way", ["http", "kafka"])
async def test_a_conversation_becomes_memories_that_are_recalled(
    palimpsest: RunningPalimpsest, way: str
) -> None:
    user_id = f"ada-{way}"
    messages = [
        Message(
            message_id=f"m{number}",
            role=role,
            text=text,
            occurred_at=MORNING + timedelta(minutes=number),
        )
        for number, (role, text) in enumerate(SAID, start=1)
    ]
    async with palimpsest.client(kafka=way == "kafka") as client:
        await client.save_conversation(
            messages, user_id=user_id, session_id="s1", agent_id="coder", ended=True
        )
        active = await until_listed(
            client,
            user_id,
            {"用户搬到了杭州", "The user switched from Vue to React"},
            Status.ACTIVE,
        )
        superseded = await until_listed(
            client,
            user_id,
            {HOME_BEFORE, "The user loves using Vue for the pages of their shop"},
            Status.SUPERSEDED,
            agent_id="coder",
        )
        await until_recalled(client, SAID[-1][1], user_id, "m7", agent_id="coder")
        city = await client.recall("她搬到哪个城市了？", user_id=user_id, agent_id="coder")

    shanghai, hangzhou = superseded[HOME_BEFORE], active["用户搬到了杭州"]
    assert shanghai.valid_until == hangzhou.valid_from == MORNING + timedelta(minutes=7)
    assert hangzhou.supersedes == (shanghai.id,)
    assert {evidence.message_id for evidence in hangzhou.evidence} == {"m7"}
    memories = [result for result in city.results if result.record is RecordType.MEMORY]
    assert "用户搬到了杭州" in {result.content for result in memories}
    assert shanghai.id not in {result.id for result in memories}


@pytest.mark.parametrize(
    ("facts", "question", "name", "linked"),
    [
        (
            ("Nora works at Globex.", "Globex is headquartered in Lisbon."),
            "Where does Nora work?",
            "Globex",
            "Globex is headquartered in Lisbon",
        ),
        (
            ("陈静在星云科技上班。", "星云科技的总部在深圳。"),
            "陈静在哪里上班？",
            "星云科技",
            "星云科技的总部在深圳",
        ),
    ],
)
async def test_the_graph_of_plain_facts_leads_from_one_to_the_next(
    palimpsest: RunningPalimpsest, facts: tuple[str, ...], question: str, name: str, linked: str
) -> None:
    user_id = f"graph-{name}"
    messages = [
        Message(message_id=f"m{number}", role=Role.USER, text=text, occurred_at=MORNING)
        for number, text in enumerate(facts)
    ]
    contents = {text.rstrip(".。") for text in facts}
    async with palimpsest.client() as client:
        await client.save_conversation(messages, user_id=user_id, session_id="s1", ended=True)
        await until_listed(client, user_id, contents, Status.ACTIVE)
        answer = await until_told(client, question, user_id, linked, include=[RecallDetail.GRAPH])
    result = next(
        recall_result
        for recall_result in answer.results
        if recall_result.record is RecordType.MEMORY
    )
    assert result.entity_kinds[name] is EntityKind.ORGANISATION
    assert linked in {memory.content for memory in result.related if memory.entity == name}


async def test_what_somebody_is_told_to_remember_is_recalled_and_not_for_strangers(
    palimpsest: RunningPalimpsest,
) -> None:
    async with palimpsest.client() as client:
        await client.remember("Grace keeps her bicycle in the cellar", user_id="grace")
        await until_listed(
            client, "grace", {"Grace keeps her bicycle in the cellar"}, Status.ACTIVE
        )
        answer = await until_answered(client, "Where is Grace's bicycle?", "grace")
        stranger = await client.recall("Where is Grace's bicycle?", user_id="a-stranger")
    assert answer.results[0].content == "Grace keeps her bicycle in the cellar"
    assert stranger.results == ()


async def test_what_is_forgotten_is_recalled_no_more(palimpsest: RunningPalimpsest) -> None:
    async with palimpsest.client() as client:
        await client.remember("Linus sings in a choir", user_id="linus")
        found = await until_listed(client, "linus", {"Linus sings in a choir"}, Status.ACTIVE)
        result = await client.forget(found["Linus sings in a choir"].id, user_id="linus")
        answer = await client.recall("Who sings in a choir?", user_id="linus")
    assert result.applied
    assert answer.results == ()


async def test_what_is_off_the_record_stays_in_its_conversation_alone(
    palimpsest: RunningPalimpsest,
) -> None:
    secret = "I'm seeing a therapist in Linden Street, but don't remember that."
    async with palimpsest.client() as client:
        talk = [
            Message(role=Role.USER, text=text, message_id=f"m{number}", occurred_at=MORNING)
            for number, text in enumerate((secret, "I live in Linden Street."), start=1)
        ]
        await client.save_conversation(talk, user_id="nora", session_id="s1", ended=True)
        home = await until_listed(
            client, "nora", {"The user lives in Linden Street"}, Status.ACTIVE
        )
        found = await until_recalled(client, "Linden Street", "nora", "m2")
        context = await client.context(
            "Who is in Linden Street?", user_id="nora", session_id="s1", last_messages=10
        )
    assert len(home) == 1
    assert "therapist" not in found.model_dump_json()
    assert "therapist" not in context.block
    assert [message.text for message in context.messages] == [message.text for message in talk]
