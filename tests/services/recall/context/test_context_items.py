"""No memory that speaks of a day by its distance stands in a block without its date."""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.api.recall import RecallResult, RecordType
from palimpsest.model.context_format import FormatName
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Evidence, Status
from palimpsest.model.memory_times import StatedTime
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_server.domain.context.formats.registry import FORMATS
from palimpsest_server.domain.context.material import ContextMaterial
from services.recall.context.context_items import build_items

ZONE = "Asia/Shanghai"
SAID_AT = datetime(2026, 3, 10, 0, 0, tzinfo=UTC)
NOW = SAID_AT + timedelta(days=100)

MEMORIES = [
    ("明天下午三点用户要去见房东", Kind.EVENT, "2026年3月11日"),
    ("用户下周要去东京出差", Kind.EVENT, "2026年3月16日至22日"),
    ("用户昨天把电脑送去修了", Kind.EVENT, "2026年3月9日"),
    ("明天要交报告", Kind.ACTION_ITEM, "2026年3月11日"),
    ("用户上个月搬到了杭州", Kind.FACT, "2026年2月"),
    ("用户决定下周一开始跑步", Kind.DECISION, "2026年3月16日"),
    ("The user's visa interview is tomorrow at nine", Kind.EVENT, "11 Mar 2026"),
    ("The user flies to Tokyo next week", Kind.EVENT, "16 to 22 Mar 2026"),
    ("The user had a flat tyre yesterday", Kind.EVENT, "9 Mar 2026"),
    ("send the report by Friday", Kind.ACTION_ITEM, "13 Mar 2026"),
    ("The user moved to Leeds last month", Kind.FACT, "Feb 2026"),
    ("The user wants to run a marathon next year", Kind.GOAL, "2027"),
]
MESSAGES = [
    ("明天下午三点我要去见房东", "2026年3月11日"),
    ("我下周要去东京出差", "2026年3月16日至22日"),
    ("My visa interview is tomorrow at nine", "11 Mar 2026"),
    ("we fly to Tokyo next week", "16 to 22 Mar 2026"),
    ("I passed my driving test yesterday!!", "9 Mar 2026"),
    ("I'm in Halifax from tomorrow until Sunday for a graduation", "11 to 15 Mar 2026"),
    ("we got the keys last Saturday, still no curtains", "7 Mar 2026"),
    ("my son turned five two days ago", "8 Mar 2026"),
    ("the plumber comes the day after tomorrow", "12 Mar 2026"),
    ("I quit sugar three weeks ago", "17 Feb 2026"),
    ("上周六我去听了演唱会,太好哭了", "2026年3月7日"),
    ("我女儿昨天满五岁了,办了个小派对", "2026年3月9日"),
    ("我从明天到周日都在哈尔滨", "2026年3月11日至15日"),
    ("前天刚拿到驾照", "2026年3月8日"),
    ("我们后天搬家", "2026年3月12日"),
    ("三天前我把猫送去绝育了", "2026年3月7日"),
]
UNDATED_MESSAGES = [
    "I bought a used Marlin hatchback",
    "I run every morning before work",
    "we married on 12 June 2019",
    "yes (the blue one), third attempt lol",
    "I like hiking at the weekend",
    "my shift starts at six",
    "我最近在学烘焙",
    "我每天早上喝一杯美式。",
    "我们2019年6月12日结的婚",
    "我周末喜欢爬山",
    "好的（蓝色那个），哈哈",
    "我一般六点起床",
]


def recalled(content: str, kind: Kind | None, *, dated: bool = True) -> RecallResult:
    expressions = find_sentence_times(content, UtteranceTime(SAID_AT, ZONE))
    time = (
        StatedTime(**expressions[0].model_dump(exclude={"start"}))
        if expressions and dated
        else None
    )
    return RecallResult(
        id=content,
        record=RecordType.TURN if kind is None else RecordType.MEMORY,
        content=content,
        summary=None if kind is None else content,
        kind=kind,
        score=1.0,
        scope=Scope(user_id="ann"),
        evidence=(Evidence(quote=content, said_at=SAID_AT),),
        occurred_at=SAID_AT,
        valid_from=None if kind is None else SAID_AT,
        status=None if kind is None else Status.ACTIVE,
        time=None if kind is None else time,
    )


def block(name: FormatName, result: RecallResult, language: Language) -> str:
    form = FORMATS[name]
    items = build_items([result], time_zone=ZONE, now=NOW)
    return form.write(ContextMaterial(language, items=items)).block


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("name", list(FormatName))
def test_each_format_writes_the_date_beside_the_words_of_a_memory(
    name: FormatName, language: Language
) -> None:
    missing = [
        (content, written)
        for content, kind, date in MEMORIES
        for dated in (True, False)
        for written in [block(name, recalled(content, kind, dated=dated), language)]
        if date not in written
    ]
    assert not missing


@pytest.mark.parametrize("name", list(FormatName))
def test_each_format_writes_the_date_beside_the_words_of_a_message(name: FormatName) -> None:
    missing = [
        (content, written)
        for content, date in MESSAGES
        for written in [block(name, recalled(content, None), Language.ENGLISH)]
        if date not in written
    ]
    assert not missing


@pytest.mark.parametrize("content", UNDATED_MESSAGES)
@pytest.mark.parametrize("name", list(FormatName))
def test_a_message_without_relative_times_stands_as_it_was_said(
    name: FormatName, content: str
) -> None:
    assert content in block(name, recalled(content, None), Language.ENGLISH)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("用户周末喜欢爬山", Kind.PREFERENCE),
        ("用户每周一开会", Kind.FACT),
        ("婚礼在2026年6月12日", Kind.EVENT),
        ("The user likes hiking at the weekend", Kind.PREFERENCE),
        ("The team meets every Monday", Kind.FACT),
        ("The wedding is on 12 June 2026", Kind.EVENT),
    ],
)
def test_what_names_no_relative_day_stands_as_it_is(content: str, kind: Kind) -> None:
    written = block(FormatName.COMPANION, recalled(content, kind), Language.ENGLISH)
    assert written.splitlines()[1:] == [f"- {content}"]


@pytest.mark.parametrize(
    ("content", "language", "line"),
    [
        ("明天要交报告", Language.CHINESE, "- 明天（2026年3月11日）要交报告（已逾期）"),
        (
            "周五前完成报告",
            Language.CHINESE,
            "- 周五前（至2026年3月13日）完成报告（已逾期）",
        ),
        (
            "2026年3月交房租",
            Language.CHINESE,
            "- 2026年3月交房租（应于2026年3月31日完成，已逾期）",
        ),
        (
            "send it tomorrow",
            Language.ENGLISH,
            "- send it tomorrow (11 Mar 2026) (overdue)",
        ),
        (
            "pay the rent in March 2026",
            Language.ENGLISH,
            "- pay the rent in March 2026 (was due 31 Mar 2026, overdue)",
        ),
        ("pay the rent in March 2027", Language.ENGLISH, "- pay the rent in March 2027"),
        ("每周一交周报", Language.CHINESE, "- 每周一交周报"),
        ("water the plants every Monday", Language.ENGLISH, "- water the plants every Monday"),
    ],
)
def test_a_todo_that_is_late_says_so(content: str, language: Language, line: str) -> None:
    written = block(FormatName.COMPANION, recalled(content, Kind.ACTION_ITEM), language)
    assert written.splitlines()[1:] == [line]


def test_a_day_that_was_moved_counts_instead_of_the_one_that_was_said() -> None:
    moved = recalled("The dentist is tomorrow", Kind.EVENT)
    assert moved.time is not None
    later = {
        "starts_at": datetime(2026, 3, 19, 16, tzinfo=UTC),
        "ends_at": datetime(2026, 3, 20, 16, tzinfo=UTC),
    }
    moved = moved.model_copy(update={"time": moved.time.model_copy(update=later)})
    assert "tomorrow (20 Mar 2026)" in block(FormatName.GATED, moved, Language.ENGLISH)
