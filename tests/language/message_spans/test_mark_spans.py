"""Spans cover each message, in time that grows with its length alone."""

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.message_spans.mark_spans import mark_spans, mark_text
from palimpsest_language.message_spans.span import SpanKind, own_parts
from tests.support.growth import grows_in_proportion
from tests.support.language.statements.saying import asked, proposed, say

NOTHING_WORKS = ("Let's role-play: you are the innkeeper.", "agent: Welcome, I live upstairs!")


@pytest.mark.parametrize(
    "piece",
    [
        "I live in Rome and I like tea.\n",
        "我住在北京，今天去公园散步了。",
        "[回复",
        '{"a": ',
        "「",
        "<a1>",
        "> x\n",
        "\n",
        " ",
        "Replying to x: y\n",
        "On Monday x wrote:\n\n",
        "[10:02] Nova: I live in Rome\n",
        "2026-03-09 12:00:02 WARN I prefer retries\n",
        "From: a\n",
        "  a:\n",
        "please translate this ",
        "let's pretend you are the ",
        "我们来",
    ],
)
def test_marking_takes_time_in_proportion_to_the_length(piece: str) -> None:
    said = ("I hate mornings and rain, honestly.", "我最怕打雷了，也怕狗")

    def mark(text: str) -> object:
        mark_text.cache_clear()
        return mark_text(text, None, said)

    assert grows_in_proportion(mark, piece, 40_000)


def test_what_agents_and_tools_say_is_theirs() -> None:
    messages = [
        message.model_copy(update={"role": role})
        for message, role in zip(
            say("I am vegan", "I am vegan"), (Role.AGENT, Role.TOOL), strict=True
        )
    ]
    kinds = [[span.kind for span in spans] for spans in mark_spans(messages)]
    assert kinds == [[SpanKind.AGENT], [SpanKind.TOOL]]


def test_agents_speak_in_a_role_while_a_frame_of_fiction_holds() -> None:
    spans = mark_spans(say(*NOTHING_WORKS))
    assert [span.kind for span in spans[1]] == [SpanKind.FICTION]


def test_a_frame_that_was_opened_before_the_window_holds_in_it() -> None:
    messages = say("I hate elves", "agent: Hm.", "Stop playing. I live in Kent")
    told = [message.model_copy(update={"in_fiction": True}) for message in messages]
    own = [
        own_parts(message.text, spans)
        for message, spans in zip(told, mark_spans(told), strict=True)
    ]
    assert own == [[], [], ["I live in Kent"]]


def test_a_frame_that_is_known_to_be_closed_holds_no_longer() -> None:
    messages = say(*NOTHING_WORKS, "I live in Kent")
    told = [*messages[:2], messages[2].model_copy(update={"in_fiction": False})]
    assert own_parts(told[2].text, mark_spans(told)[2]) == ["I live in Kent"]


def test_what_a_named_person_repeats_of_their_own_stays_theirs() -> None:
    request = asked("Nova: I never left my cloud", "Nova: I never left my cloud", people=("Nova",))
    assert [span.kind for span in mark_spans(request.messages)[1]] == [SpanKind.OWN]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "[10:02] Nova: I live in Rome\n[10:03] Lee: I'm allergic to nuts\n\nI'm vegan",
            [("user", "diet"), ("Nova", "city"), ("Lee", "allergies")],
        ),
        ("[10:02] Nova: I live in Rome", [("Nova", "city")]),
        (
            "群里说的：\n小王：我对花生过敏\n阿杰：你也过敏啊\n小王：是啊，我住在大理\n\n我住在成都",
            [("user", "city"), ("小王", "allergies"), ("小王", "city")],
        ),
        ("[10:02] 小王：我住在大理\n[10:03] 我：我住在成都", [("user", "city"), ("小王", "city")]),
    ],
)
async def test_what_is_said_in_a_pasted_talk_is_of_who_said_it(
    text: str, stated: list[tuple[str, str]]
) -> None:
    proposals = await proposed(text)
    assert [(proposal.subject, proposal.attribute) for proposal in proposals] == stated
    assert all(quote.message == 1 for proposal in proposals for quote in proposal.evidence)


@pytest.mark.parametrize(
    "texts",
    [
        ('Here is the API reply: {"user": {"city": "Rome", "note": "I moved to Pécs"}}',),
        ('接口返回：{"城市": "佩奇", "备注": "我搬家了"}',),
        ("profile:\n  about: I work at Globex and I hate mornings\n  city: Lima\nConvert that.",),
        ("用户:\n  城市: 佩奇\n  备注: 我讨厌早上\n帮我转成JSON",),
        (*NOTHING_WORKS, "I hate elves and I live in the castle of Dornwald."),
        (
            "我们来角色扮演，你是医生，我扮演病人。",
            "agent: 您好",
            "我有二十年糖尿病了，每天打胰岛素。",
        ),
        ("Translate into Dutch: I live in Rome and I am allergic to nuts.",),
        ("翻译成英文：我住在罗马，对花生过敏。",),
        ("[Replying to Nova: I moved to Mars last year]",),
        ("[回复 小樱：我最怕打雷了，我住在云端。]",),
    ],
)
async def test_nothing_is_proposed_of_words_that_are_not_the_senders(
    texts: tuple[str, ...],
) -> None:
    assert await proposed(*texts) == []
