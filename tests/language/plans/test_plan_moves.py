"""Plans that are moved to another time, and people who move to another place."""

import pytest

from palimpsest.model.kinds import Kind
from tests.support.language.statements.saying import proposed


@pytest.mark.parametrize(
    ("plan", "moved"),
    [
        ("I have to pay the rent by Friday.", "I moved to Seattle last month."),
        ("I have to pay the rent by Friday.", "We're being moved to Leeds next month."),
        ("Dentist on Thursday at 3 pm", "I'll move it to the garage on Friday"),
        ("周五前我得交房租。", "我去年调到成都了。"),
        ("周五前我得交房租。", "我下个月要调到上海分公司。"),
    ],
)
@pytest.mark.parametrize("between", [(), ("agent: ok",)])
async def test_who_moves_somewhere_moves_no_plan(
    plan: str, moved: str, between: tuple[str, ...]
) -> None:
    first, *others = await proposed(plan, *between, moved)
    assert [quote.message for quote in first.evidence] == [1]
    assert first.time is not None
    assert any(other.evidence[0].message == len(between) + 2 for other in others)


@pytest.mark.parametrize(
    ("plan", "moved"),
    [
        ("Book club is at my place on tuesday at 7pm", "Book club moved to Wednesday 11 March"),
        ("Dentist on Thursday at 3 pm", "They moved it to Friday"),
        ("Dentist on Thursday at 3 pm", "They pushed it back to next Monday"),
        ("Dentist on Thursday at 3 pm", "make it Friday"),
        ("周四下午三点看牙", "牙医改到下周一了"),
        ("提醒我周五上午九点给兽医打电话", "改到周四吧"),
        ("I need to hand in the essay by monday", "they pushed the deadline to wednesday"),
        (
            "I have to submit the grant application by 13 March",
            "The deadline for the grant application has been moved to 20 March",
        ),
        ("周五前要交论文初稿", "论文的截止日期推迟到下周三了"),
    ],
)
async def test_what_is_moved_to_a_time_is_the_plan(plan: str, moved: str) -> None:
    [proposal] = await proposed(plan, "agent: ok", moved)
    assert [quote.message for quote in proposal.evidence] == [1, 3]


@pytest.mark.parametrize(
    ("plan", "moved", "told"),
    [
        ("I'm seeing the dentist on Friday", "they moved it to Monday", "The user is seeing the dentist on Monday"),
        ("my dad's surgery is on the 14th", "they had to push it to the 21st", "The user's dad's surgery is on the 21st"),
        ("下周一要去车行做保养", "保养改到22号", "22号要去车行做保养"),
        ("孩子家长会是周四晚上", "学校通知家长会改到下周二了", "孩子家长会是下周二晚上"),
        ("我周六有羽毛球课", "羽毛球课改周日了", "用户周日有羽毛球课"),
    ],
)  # fmt: skip
async def test_a_moved_plan_is_told_with_its_new_day_alone(
    plan: str, moved: str, told: str
) -> None:
    assert [proposal.content for proposal in await proposed(plan, "agent: ok", moved)] == [told]


@pytest.mark.parametrize(
    ("moved", "day"),
    [
        ("车行说周一排满了，保养改到22号", "22号"),
        ("医生说周三满了，拔智齿改到下周五", "下周五"),
        ("dentist says monday is full, moved my checkup to the 22nd", "on the 22nd"),
    ],
)
async def test_a_plan_of_an_earlier_conversation_has_the_day_to_which_it_is_moved(
    moved: str, day: str
) -> None:
    found = await proposed(moved, "agent: ok")
    assert {proposal.time.words for proposal in found if proposal.time} == {day}


@pytest.mark.parametrize(
    ("plan", "gone"),
    [
        ("I have to pay the rent by Friday.", "They moved it to the 2nd of February 2026"),
        ("周五前我得交房租。", "会议改到2026年2月2号了"),
    ],
)
async def test_nothing_to_come_is_moved_to_a_day_that_is_gone(plan: str, gone: str) -> None:
    first, *_ = await proposed(plan, "agent: ok", gone)
    assert first.kind is Kind.ACTION_ITEM
    assert [quote.message for quote in first.evidence] == [1]


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (
            ("hello", "agent: hi", "I have to pay the rent by Friday. I moved to Seattle last month."),
            "pay the rent by Friday",
        ),
        (
            ("hello", "agent: hi", "I have to pay the rent. I'm flying to Oslo on Friday."),
            "pay the rent",
        ),
        (("你好", "agent: 你好", "我得去交房租。上个月我搬到了成都。"), "得去交房租"),
        (("你好", "agent: 你好", "我得交房租。周五飞上海。"), "得交房租"),
    ],
)  # fmt: skip
async def test_a_todo_takes_nothing_along_that_has_a_time_of_its_own(
    texts: tuple[str, ...], kept: str
) -> None:
    todo, *others = await proposed(*texts)
    assert todo.kind is Kind.ACTION_ITEM
    assert todo.content.endswith(kept)
    assert others
    assert todo.time is None or "Friday" in todo.time.words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("need to renew my passport. Lisbon in March.", None),
        ("need to renew my passport. Seattle last month.", None),
        ("need to call the vet. due Friday.", "Friday"),
        ("Gotta return the library books on saturday; they close at 1", "at 1"),
        ("我要交房租。周五前。", "周五前"),
    ],
)
async def test_the_time_of_another_sentence_is_no_due_date(text: str, words: str | None) -> None:
    todo, *_ = await proposed(text)
    assert todo.kind is Kind.ACTION_ITEM
    assert (todo.time.words if todo.time else None) == words
