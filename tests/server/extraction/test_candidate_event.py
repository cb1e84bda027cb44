"""From an answer to candidates: ids, scopes, defaults, evidence; and whole windows by the rules."""

import asyncio
from time import thread_time

import pytest

from palimpsest.events.envelope import derive_event_id
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.bilingual_text import MAXIMUM_SUMMARY_WIDTH, display_width
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, MemorySource
from palimpsest.model.prompt_markers import wrap_in_markers
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role, TextSpan
from palimpsest.model.user import Language, SharingPolicy, UserSettings
from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import ExtractionAnswer, MessageQuote, Proposal
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.windows import said, window


async def understood(asked: ExtractionRequested) -> tuple[Candidate, ...]:
    answer = await LocalExtractor().extract(build_extraction_request(asked))
    return propose_candidates(asked, answer, provider="local").event.candidates


async def test_the_event_is_derived_from_the_window_and_says_the_same_each_time() -> None:
    asked = window("I live in Berlin. I work at Google.", epoch=3)
    answer = await LocalExtractor().extract(build_extraction_request(asked))
    event = propose_candidates(asked, answer, provider="local").event
    assert event == propose_candidates(asked, answer, provider="local").event
    assert event.event_id == derive_event_id("CandidatesProposed", "ana", asked.window_id)
    assert [candidate.id for candidate in event.candidates] == [
        derive_id("candidate", event.event_id, "0"),
        derive_id("candidate", event.event_id, "1"),
    ]
    assert (event.epoch, event.received_at) == (3, asked.received_at)


async def test_a_candidate_has_what_is_usual_for_its_kind() -> None:
    asked = window("我喜欢用 TypeScript。")
    [candidate] = await understood(asked)
    assert candidate.kind is Kind.PREFERENCE
    assert candidate.content == candidate.summary == "用户喜欢用 TypeScript"
    assert (candidate.importance, candidate.lifetime) == (0.9, Lifetime.CORE)
    assert (candidate.subject, candidate.attribute) == ("user", "preferred_language")
    assert (candidate.value, candidate.entities) == ("TypeScript", ("TypeScript",))
    assert (candidate.source, candidate.said_by) == (MemorySource.DISCUSSION, Role.USER)
    assert candidate.language is Language.CHINESE
    assert candidate.occurred_at == candidate.valid_from == asked.fresh[0].occurred_at
    [evidence] = candidate.evidence
    assert evidence.quote == "我喜欢用 TypeScript。"
    assert (evidence.session_id, evidence.message_id) == ("s1", "w1-1")
    assert evidence.said_at == asked.fresh[0].occurred_at


async def test_a_change_of_mind_within_a_window_keeps_its_order() -> None:
    candidates = await understood(
        window("I like using Vue.", "Not anymore: I switched from Vue to React.")
    )
    assert [(candidate.attribute, candidate.value) for candidate in candidates] == [
        ("preferred_framework", "Vue"),
        ("preferred_framework", "React"),
    ]
    assert candidates[1].data == {"replaces": "Vue"}


async def test_what_is_said_twice_is_proposed_once_with_both_as_evidence() -> None:
    [candidate] = await understood(window("我住在上海。", "对，我住在上海！"))
    assert [evidence.message_id for evidence in candidate.evidence] == ["w1-1", "w1-2"]


async def test_a_mind_changed_and_changed_back_ends_where_it_ended() -> None:
    candidates = await understood(
        window("I prefer Vue.", "I switched to React.", "Sorry, I prefer Vue.")
    )
    assert [candidate.value for candidate in candidates] == ["React", "Vue"]


async def test_context_is_not_extracted_again() -> None:
    assert await understood(window("好的", context=["我住在上海。"])) == ()


async def test_a_block_that_is_sent_back_with_its_marks_is_not_extracted_again() -> None:
    own, recalled = "I live in Berlin.", "I am allergic to peanuts."
    assert await understood(window(said(recalled))) != ()
    candidates = await understood(window(said(f"{wrap_in_markers(recalled)}\n{own}")))
    assert [candidate.content for candidate in candidates] == [
        candidate.content for candidate in await understood(window(said(own)))
    ]


async def test_what_memory_injected_is_not_extracted_again() -> None:
    text = "(You live in Rome; I live in Rome.) Thanks."
    assert await understood(window(said(text, injected=(TextSpan(start=0, end=35),)))) == ()


async def test_facts_about_the_user_are_for_all_their_agents() -> None:
    candidates = await understood(
        window(
            said("I live in Berlin. We decided to use Kafka for the bus.", project_id="p"),
            said("Good choice.", role=Role.AGENT, agent_id="coder", project_id="p"),
        )
    )
    assert [(candidate.kind, candidate.scope) for candidate in candidates] == [
        (Kind.FACT, Scope(user_id="ana")),
        (Kind.DECISION, Scope(user_id="ana", agent_id="coder", project_id="p")),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "客户是招商银行，合同金额300万",
        "我们的项目使用 Drizzle ORM + SQLite",
        "项目的上线日期是5月1日",
        "我打算给项目加视频生成功能",
        "我下周要去东京出差",
        "我的预算是20万",
        "我负责支付模块",
        "客户喜欢蓝色",
        "Our client is Acme Bank and the contract is worth 3 million.",
        "The project uses Drizzle ORM and SQLite.",
        "The launch date is May 1st.",
        "I plan to add video generation.",
        "My budget is 3000 euros.",
        "I'm responsible for the payment module.",
        "The client prefers blue.",
    ],
)
async def test_what_is_said_in_a_project_stays_in_it(text: str) -> None:
    candidates = await understood(window(said(text, agent_id="mike", project_id="alpha")))
    assert {candidate.scope for candidate in candidates} == {
        Scope(user_id="ana", agent_id="mike", project_id="alpha")
    }


@pytest.mark.parametrize(
    "text",
    [
        "我住在北京",
        "我对花生过敏",
        "我喜欢先看结论",
        "我不喜欢开会",
        "我女儿叫小雨",
        "我是后端工程师",
        "I live in Berlin.",
        "I'm allergic to nuts.",
        "I prefer short answers.",
        "I can't stand meetings.",
        "My daughter is called Ana.",
        "I have a dog called Rex.",
    ],
)
async def test_what_is_plainly_about_the_person_goes_with_them(text: str) -> None:
    candidates = await understood(window(said(text, agent_id="mike", project_id="alpha")))
    assert {candidate.scope for candidate in candidates} == {Scope(user_id="ana")}


@pytest.mark.parametrize(
    "text",
    [
        "My wizard is called Quillon Ash and he lost his staff in the marsh",
        "My level 5 ranger is called Brin.",
        "I'm playing a tiefling warlock called Vex.",
        "My character is called Odo Finch.",
        "My half-elf rogue is afraid of water.",
        "In our game I'm a smuggler called Vex.",
        "我的法师叫阿烬，法杖丢在沼泽里了",
        "我那个10级的游侠叫布林",
        "我玩的角色叫薇克斯",
        "我扮演的是一个走私犯",
        "游戏里我是海盗船长",
        "我的角色叫影刃",
    ],
)
async def test_what_is_told_of_a_game_character_stays_with_its_agent(text: str) -> None:
    candidates = await understood(window(said(text, agent_id="gamemaster")))
    assert {candidate.scope for candidate in candidates} == {
        Scope(user_id="ana", agent_id="gamemaster")
    }


@pytest.mark.parametrize(
    "text",
    [
        "In this chat call me Champ",
        "I want to be called Kit in here",
        "When I chat with you, I want answers in Welsh.",
        "在你这儿叫我小霸王就行",
        "跟你聊天的时候叫我队长",
        "在这个聊天里请叫我阿布",
    ],
)
async def test_what_is_for_this_conversation_alone_stays_with_its_agent(text: str) -> None:
    candidates = await understood(window(said(text, agent_id="coach")))
    assert {candidate.scope for candidate in candidates} == {Scope(user_id="ana", agent_id="coach")}


@pytest.mark.parametrize(
    "text",
    [
        "I play D&D every Friday.",
        "I work as a game designer.",
        "My dog is called Wizard.",
        "My daughter is called Elfie.",
        "I live above a game shop.",
        "My favourite film is The Wizard of Oz.",
        "我每周五跑团",
        "我在游戏公司工作",
        "我的狗叫法师",
        "我女儿叫小精灵",
        "我住在游戏店楼上",
        "我最喜欢的电影是绿野仙踪",
    ],
)
async def test_what_is_told_of_oneself_to_a_game_master_is_for_all_agents(text: str) -> None:
    candidates = await understood(window(said(text, agent_id="gamemaster")))
    assert {candidate.scope for candidate in candidates} == {Scope(user_id="ana")}


@pytest.mark.parametrize(
    "text", ["The parcel must be shipped by ferry.", "The client prefers blue.", "客户喜欢蓝色"]
)
async def test_a_wish_of_nobody_present_is_no_trait_of_the_user(text: str) -> None:
    candidates = await understood(window(said(text, agent_id="mike")))
    assert {candidate.scope for candidate in candidates} == {Scope(user_id="ana", agent_id="mike")}


@pytest.mark.parametrize(
    ("lines", "decided", "proposer"),
    [
        (
            [
                (None, "开始讨论吧"),
                ("marcus", "市场预算建议20万"),
                (None, "同意，市场预算定为20万"),
                ("mike", "那我们接着看上线时间"),
            ],
            "市场预算",
            "marcus",
        ),
        (
            [
                ("mike", "那我们接着看上线时间"),
                (None, "我们决定3月1日上线"),
                ("elena", "好的，我准备文案"),
            ],
            "上线",
            "mike",
        ),
        (
            [
                ("mike", "我建议数据库用 PostgreSQL"),
                ("elena", "界面我来画"),
                (None, "我们决定用 PostgreSQL"),
                ("elena", "收到"),
            ],
            "PostgreSQL",
            "mike",
        ),
        (
            [
                ("mike", "I suggest PostgreSQL for the orders."),
                ("elena", "I will draw the pages."),
                (None, "We decided to use PostgreSQL."),
                ("elena", "Fine."),
            ],
            "PostgreSQL",
            "mike",
        ),
        (
            [
                ("marcus", "A marketing budget of 20,000 euros would do."),
                (None, "Agreed, we decided on a marketing budget of 20,000 euros."),
                ("mike", "Then let us look at the launch date."),
            ],
            "budget",
            "marcus",
        ),
        (
            [(None, "We decided to ship on Monday."), ("mike", "Good."), ("elena", "Fine.")],
            "Monday",
            "mike",
        ),
    ],
)
async def test_a_decision_belongs_to_who_proposed_it(
    lines: list[tuple[str | None, str]], decided: str, proposer: str
) -> None:
    turns = [
        said(text, role=Role.AGENT if agent else Role.USER, agent_id=agent, project_id="p1")
        for agent, text in lines
    ]
    agents = tuple(dict.fromkeys([*(agent for agent, _ in lines if agent), "zoe"]))
    asked = window(*turns, participants=agents)
    candidates = [
        candidate
        for candidate in await understood(asked)
        if candidate.kind is Kind.DECISION and decided in candidate.content
    ]
    assert {candidate.scope.agent_id for candidate in candidates} == {proposer}


@pytest.mark.parametrize(
    ("text", "topic", "by_rules"),
    [
        ("We decided to use Kafka.", "Message bus of the shop", ("technology", "Kafka")),
        ("我们决定用 Kafka。", "商城的消息总线", ("技术", "Kafka")),
    ],
)
async def test_a_decision_is_filed_under_the_topic_of_its_session(
    text: str, topic: str, by_rules: tuple[str, ...]
) -> None:
    for given, tags in ((topic, (topic,)), (None, ()), ("  ", ()), ("long " * 40, ())):
        [candidate] = await understood(window(text, topic=given))
        assert candidate.tags == (*by_rules, *tags)
    [preference] = await understood(window("我喜欢用 TypeScript。", topic=topic))
    assert preference.tags == ("技术", "TypeScript")


async def test_under_user_level_nothing_is_an_agents() -> None:
    settings = UserSettings(sharing_policy=SharingPolicy.USER_LEVEL)
    [candidate] = await understood(
        window(
            said("We decided to use Kafka.", agent_id="coder", project_id="p"), settings=settings
        )
    )
    assert candidate.scope == Scope(user_id="ana", project_id="p")


async def test_each_agent_keeps_what_it_concerns() -> None:
    candidates = await understood(
        window(
            said("The root cause was a bad cable.", role=Role.AGENT, agent_id="ops"),
            said("We decided to ship on Monday.", role=Role.AGENT, agent_id="pm"),
        )
    )
    assert [candidate.scope.agent_id for candidate in candidates] == ["ops", "pm"]
    assert {candidate.confidence for candidate in candidates} == {0.6}


async def test_several_people_are_told_apart() -> None:
    candidates = await understood(
        window(said("I live in Boston.", speaker="Caroline"), said("我住在上海。", speaker="Wei"))
    )
    assert [(candidate.subject, candidate.content) for candidate in candidates] == [
        ("Caroline", "Caroline lives in Boston"),
        ("Wei", "Wei 住在上海"),
    ]
    assert {candidate.scope for candidate in candidates} == {Scope(user_id="ana")}


async def test_one_person_with_a_name_is_the_user() -> None:
    [candidate] = await understood(window(said("I live in Boston.", speaker="Caroline")))
    assert candidate.subject == "user"


def test_a_summary_too_long_is_made_from_the_content() -> None:
    content = "用户在很长很长的一段话里说了很多很多的事情，" * 6
    asked = window("I live in Berlin.")
    answer = ExtractionAnswer(
        proposals=(
            Proposal(
                kind=Kind.FACT,
                content=content,
                summary=content,
                evidence=(MessageQuote(message=1, quote="Berlin"),),
            ),
        )
    )
    [candidate] = propose_candidates(asked, answer, provider="test").event.candidates
    assert display_width(candidate.summary) <= MAXIMUM_SUMMARY_WIDTH
    assert candidate.embedded_text == content


async def test_a_large_window_never_holds_the_event_loop() -> None:
    text = "I think we talked about many things, and none of them was settled at all. " * 800
    asked = build_extraction_request(window(*[text] * 4, name="large"))
    # The process of the rules compiles its patterns at its first message, once.
    await LocalExtractor().extract(build_extraction_request(window(*[text[:80]] * 4)))
    # Twice, because a turn may be long for what else a machine does. No time is asked for: the
    # longest turn is a fiftieth of all of them, 50 ms on the machine where this was written.
    readings = [await measure_turns(asked) for _ in range(2)]
    turns = [min(seconds) for seconds in zip(*readings, strict=True)]
    assert max(turns) < sum(turns) / 20


async def measure_turns(asked: ExtractionRequest) -> list[float]:
    """Return how long each turn of the event loop took while a window was read, in seconds of processor."""
    turns, last = [], thread_time()
    reading = asyncio.ensure_future(LocalExtractor().extract(asked))
    while not reading.done():
        await asyncio.sleep(0)
        now = thread_time()
        turns.append(now - last)
        last = now
    return turns
