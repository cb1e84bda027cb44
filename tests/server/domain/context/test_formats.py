"""Each source's format, word for word."""

from datetime import date

import pytest

from palimpsest.model.context_format import FormatName
from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest_language.time_expressions.dated_words import DatedText
from palimpsest_server.domain.context.formats.blended import write_blended
from palimpsest_server.domain.context.formats.companion import write_companion
from palimpsest_server.domain.context.formats.default import write_default
from palimpsest_server.domain.context.formats.gated import write_gated
from palimpsest_server.domain.context.formats.layered import write_layered
from palimpsest_server.domain.context.formats.profile import write_profile
from palimpsest_server.domain.context.formats.registry import FORMATS
from palimpsest_server.domain.context.material import (
    ContextItem,
    ContextMaterial,
    EarlierConversation,
    PromptPersona,
    WrittenContext,
)

ZH, EN = Language.CHINESE, Language.ENGLISH


def item(number: int, content: str, kind: Kind | None = Kind.FACT, **more: object) -> ContextItem:
    return ContextItem(number=number, content=content, kind=kind, **more)  # type: ignore[arg-type]


def prompt(written: WrittenContext) -> str:
    return written.before + written.block + written.after


def test_layered_has_summaries_in_sections_in_the_order_of_its_source() -> None:
    items = (
        item(1, "用户喜欢简洁的代码，不喜欢继承", Kind.PREFERENCE, summary="喜欢简洁的代码"),
        item(2, "决定用 PostgreSQL 存订单", Kind.DECISION, summary="订单存 PostgreSQL"),
        item(3, "转化率 3%", Kind.INSIGHT, summary="转化率 3%"),
        item(4, "太慢了", Kind.FEEDBACK, summary="觉得太慢"),
        item(5, "先做登录", Kind.CONCLUSION, summary="先做登录"),
    )
    assert write_layered(ContextMaterial(ZH, items=items)).block == (
        "## 相关决策\n- 订单存 PostgreSQL\n\n"
        "## 用户偏好\n- 喜欢简洁的代码\n- 觉得太慢\n\n"
        "## 历史结论\n- 先做登录\n\n"
        "## 数据洞察\n- 转化率 3%"
    )


def test_layered_says_that_there_is_nothing() -> None:
    assert write_layered(ContextMaterial(ZH)).block == "暂无相关历史记忆。"
    assert write_layered(ContextMaterial(EN)).block == "No related memories yet."
    assert write_layered(ContextMaterial(EN, withheld=True)).block == ""


@pytest.mark.parametrize("language", list(Language))
def test_every_kind_has_a_section(language: Language) -> None:
    for kind in Kind:
        block = write_layered(ContextMaterial(language, items=(item(1, "x y z", kind),))).block
        assert block.startswith("## ")
        assert "- x y z" in block


def test_blended_is_a_heading_sections_and_the_advice_to_ask() -> None:
    items = (
        item(1, "prefers blue", Kind.PREFERENCE),
        item(2, "works in tech", Kind.FACT),
        item(3, "asks on Mondays", Kind.PATTERN),
        item(4, "deploy with one command", Kind.SKILL),
    )
    assert prompt(
        write_blended(ContextMaterial(EN, items=items, running_summary="So far: slides."))
    ) == (
        "You are an AI assistant with long-term memory.\n\n"
        "# USER MEMORY\n\n"
        "## User Preferences\n- prefers blue\n\n"
        "## Known Facts\n- works in tech\n\n"
        "## Proven Skills\n- deploy with one command\n\n"
        "## User Patterns\n- asks on Mondays\n\n"
        "<palimpsest>\nSo far: slides.\n</palimpsest>\n\n"
        "Use the user memory to personalize your responses.\n"
        "If information conflicts, ask the user for clarification."
    )
    assert write_blended(ContextMaterial(EN)).block == ""


def test_gated_is_a_list_of_background_before_the_assistants_own_prompt() -> None:
    items = (
        item(1, "用户喜欢函数式编程", Kind.PREFERENCE),
        item(2, "项目使用 TypeScript"),
        item(3, "避免使用 class 继承", Kind.LESSON),
    )
    assert prompt(write_gated(ContextMaterial(ZH, items=items, system_prompt="回答要简短。"))) == (
        "你是一个 AI 助手。\n\n"
        "关于用户的背景信息：\n"
        "- 用户喜欢函数式编程\n"
        "- 项目使用 TypeScript\n"
        "- 避免使用 class 继承\n\n"
        "回答要简短。"
    )
    assert write_gated(ContextMaterial(ZH)).block == ""
    assert prompt(write_gated(ContextMaterial(ZH, system_prompt="回答要简短。"))) == (
        "你是一个 AI 助手。\n\n回答要简短。"
    )


def test_companion_is_a_persona_that_does_not_say_that_it_remembers() -> None:
    material = ContextMaterial(
        ZH,
        items=(item(1, "用户下周要去东京出差", Kind.EVENT),),
        persona=PromptPersona("小艾", "温柔。"),
    )
    assert write_companion(material).block == "[关于用户的相关记忆]\n- 用户下周要去东京出差"
    assert prompt(write_companion(material)) == (
        "你是 小艾，用户的专属 AI 伙伴。\n\n"
        "温柔。\n\n"
        "[关于用户的相关记忆]\n- 用户下周要去东京出差\n\n"
        "重要指引：\n"
        '- 如果记忆中有相关信息，自然地融入回复，但不要说"我记得你说过..."\n'
        "- 保持人设一致\n"
        "- 对用户的事情表现出真诚的关心\n"
    )
    assert write_companion(ContextMaterial(ZH)).block == ""


def test_profile_is_who_the_user_is_and_what_was_talked_about() -> None:
    conversations = (
        EarlierConversation(
            date(2025, 1, 18), DatedText("讨论了换工作的想法，用户还在犹豫，担心收入问题")
        ),
        EarlierConversation(date(2025, 1, 15), DatedText("用户说最近压力大，聊了一些减压方法")),
    )
    material = ContextMaterial(
        ZH, profile="小明是一位有5年经验的后端程序员，在上海工作。", conversations=conversations
    )
    assert prompt(write_profile(material)) == (
        "你是用户的个人 AI 助手。\n\n"
        "## 关于用户\n"
        "小明是一位有5年经验的后端程序员，在上海工作。\n\n"
        "## 最近的交流\n"
        "- 1月18日：讨论了换工作的想法，用户还在犹豫，担心收入问题\n"
        "- 1月15日：用户说最近压力大，聊了一些减压方法\n\n"
        "## 对话原则\n"
        "- 基于你对用户的了解来回应\n"
        "- 不需要每次都重复确认用户的背景信息\n"
        "- 如果用户提到新信息，自然地记住\n"
    )


def test_profile_says_that_a_stranger_is_one() -> None:
    assert write_profile(ContextMaterial(ZH)).block == "## 关于用户\n新用户，尚无信息"


def test_who_was_talked_to_or_is_remembered_is_no_stranger() -> None:
    talked = write_profile(
        ContextMaterial(
            ZH, conversations=(EarlierConversation(date(2025, 1, 18), DatedText("聊了旅行")),)
        )
    )
    assert talked.block == "## 最近的交流\n- 1月18日：聊了旅行"
    remembered = write_profile(
        ContextMaterial(EN, items=(item(1, "Allergic to peanuts."),), citations=True)
    )
    assert remembered.block == "## About the user\n- Allergic to peanuts. [1]"
    nothing_fits = write_profile(ContextMaterial(EN, withheld=True))
    assert (nothing_fits.block, nothing_fits.after[:2]) == ("", "##")


def test_default_puts_what_was_said_under_its_day_and_memories_under_their_kind() -> None:
    items = (
        item(1, "I drink oolong", None, speaker="Ada", on=date(2026, 3, 2)),
        item(2, "likes oolong", Kind.PREFERENCE),
        item(3, "and jasmine", None, speaker="Ada", on=date(2026, 3, 2)),
        item(4, "lived in Rome", Kind.FACT, until=date(2025, 5, 1)),
        item(5, "hello", None, on=date(2026, 2, 1)),
    )
    assert write_default(ContextMaterial(EN, profile="A baker.", items=items)).block == (
        "## About the user\nA baker.\n"
        "## User Preferences\n- likes oolong\n"
        "## Known Facts\n- (until 1 May 2025) lived in Rome\n"
        "## 1 Feb 2026\nhello\n"
        "## 2 Mar 2026\nAda: I drink oolong\nAda: and jasmine"
    )
    assert write_default(ContextMaterial(EN)).block == ""


def test_what_contradicts_is_shown_and_to_be_asked_about() -> None:
    items = (
        item(1, "用户喜欢茶", Kind.PREFERENCE, conflicts=(2,)),
        item(2, "用户不喝茶", Kind.PREFERENCE, conflicts=(1,)),
    )
    block = write_default(ContextMaterial(ZH, items=items)).block
    assert "- 用户喜欢茶（与[2]矛盾） [1]\n- 用户不喝茶（与[1]矛盾） [2]" in block
    assert block.endswith("互相矛盾的信息请向用户确认。")
    assert "(conflicts with [2]) [1]" in write_gated(ContextMaterial(EN, items=items)).block


@pytest.mark.parametrize(
    ("language", "sentence"),
    [(ZH, "互相矛盾的信息请向用户确认。"), (EN, "Where these conflict, ask the user.")],
)
def test_every_format_says_to_ask_where_what_it_writes_contradicts_itself(
    language: Language, sentence: str
) -> None:
    one, other = item(1, "green", conflicts=(2,)), item(2, "blue", conflicts=(1,))
    agreeing = ContextMaterial(language, items=(item(1, "green"), item(2, "blue")))
    for form in (write_default, write_layered, write_gated, write_companion):
        assert form(agreeing._replace(items=(one, other))).block.endswith(sentence)
        assert sentence not in prompt(form(agreeing))
    # Its source says so whatever it writes.
    assert {
        "请向用户确认" in prompt(write_blended(agreeing)),
        "ask the user" in prompt(write_blended(agreeing)),
    } == {
        True,
        False,
    }


def test_citations_are_written_where_they_are_wanted() -> None:
    material = ContextMaterial(EN, items=(item(7, "likes tea"),))
    for form in FORMATS.values():
        assert "[7]" not in form.write(material).block
    for form in FORMATS.values():
        assert "- likes tea [7]" in form.write(material._replace(citations=True)).block


def test_as_many_messages_go_along_as_the_sources_say() -> None:
    messages = {str(name): form.last_messages for name, form in FORMATS.items()}
    assert (messages["gated"], messages["companion"]) == (10, 5)


SPOKEN = (
    item(1, "I drink oolong", None, said_by=Role.USER, on=date(2026, 3, 2)),
    item(2, "You may be vegan.", None, said_by=Role.AGENT, on=date(2026, 3, 2)),
    item(3, '{"diet": "vegan"}', None, said_by=Role.TOOL, on=date(2026, 3, 2)),
    item(4, "me too", None, speaker="Ada", said_by=Role.USER, on=date(2026, 3, 2)),
    item(5, "noted", None, speaker="Nova", said_by=Role.AGENT, on=date(2026, 3, 2)),
    item(6, "Postgres it is", Kind.DECISION, said_by=Role.AGENT, summary="Postgres it is"),
    item(7, "The user is vegan", Kind.DECISION, said_by=Role.USER, summary="The user is vegan"),
)


@pytest.mark.parametrize("name", [name for name in FORMATS if FORMATS[name].policy])
@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            EN,
            [
                "User (2 Mar 2026): I drink oolong",
                "Assistant (2 Mar 2026): You may be vegan.",
                'Tool (2 Mar 2026): {"diet": "vegan"}',
                "Ada (2 Mar 2026): me too",
                "Nova (Assistant) (2 Mar 2026): noted",
                "Postgres it is (Assistant)",
                "The user is vegan",
            ],
        ),
        (
            ZH,
            [
                "用户（2026年3月2日）：I drink oolong",
                "助手（2026年3月2日）：You may be vegan.",
                '工具（2026年3月2日）：{"diet": "vegan"}',
                "Ada（2026年3月2日）: me too",
                "Nova（助手）（2026年3月2日）: noted",
                "Postgres it is（助手）",
                "The user is vegan",
            ],
        ),
    ],
)
def test_every_format_tells_who_said_what_and_when(
    name: FormatName, language: Language, lines: list[str]
) -> None:
    block = FORMATS[name].write(ContextMaterial(language, items=SPOKEN)).block
    written = {line.removeprefix("- ") for line in block.splitlines()}
    if name is FormatName.DEFAULT:
        assert {"## 2 Mar 2026", "## 2026年3月2日"} & written
        lines = [
            line.replace(" (2 Mar 2026)", "").replace("（2026年3月2日）", "") for line in lines
        ]
    assert set(lines) <= written
