"""What people want to be called, and what they want to be called for."""

import pytest

from palimpsest.model.kinds import Kind
from tests.support.language.statements.saying import proposed


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("You can call me Jay", "Jay"),
        ("Please call me Bayo.", "Bayo"),
        ("From now on call me Paz", "Paz"),
        ("My friends call me Bob, just call me Rob", "Rob"),
        ("I go by Sam", "Sam"),
        ("叫我建国就行", "建国"),
        ("以后叫我小王吧", "小王"),
        ("喊我老李就好", "老李"),
        ("你可以叫我小陈", "小陈"),
        ("叫我Leo就可以", "Leo"),
        ("我是跑货车的 姓周 你喊我老周就是了", "老周"),
        ("我叫王建国，叫我建国就好", "建国"),
    ],
)
async def test_it_is_how_somebody_wants_to_be_called(text: str, name: str) -> None:
    proposals = await proposed(text)
    [called] = [proposal for proposal in proposals if proposal.attribute == "preferred_name"]
    assert (called.kind, called.subject, called.value) == (Kind.PREFERENCE, "user", name)
    assert all(proposal.kind is not Kind.ACTION_ITEM for proposal in proposals)


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Hello! What should I call you?", "Call me Al"), ("你好，怎么称呼你？", "叫我建国就行")],
)
async def test_so_it_is_when_it_was_asked(question: str, answer: str) -> None:
    [proposal] = await proposed(f"agent: {question}", answer)
    assert proposal.attribute == "preferred_name"


@pytest.mark.parametrize(
    "text",
    [
        "Call me tomorrow at 8",
        "call me on Monday at 9 in the morning",
        "明天早上七点叫我起床就行",
        "叫我起床就行",
        "明早七点叫我",
        "周四晚上六点半喊我",
        "记得叫我把分支推上去",
    ],
)
async def test_to_be_called_for_something_is_a_todo(text: str) -> None:
    [proposal] = await proposed(text)
    assert (proposal.kind, proposal.attribute) == (Kind.ACTION_ITEM, None)


@pytest.mark.parametrize("text", ["My kids call me Papa", "别叫我阿姨", "屯子里都叫我滕婶儿"])
async def test_what_others_call_somebody_is_no_wish(text: str) -> None:
    assert all(proposal.attribute != "preferred_name" for proposal in await proposed(text))


async def test_the_name_itself_stays_beside_it() -> None:
    proposals = await proposed("My name is Jonathan Reed.", "agent: Hello!", "You can call me Jon")
    assert {proposal.attribute: proposal.value for proposal in proposals} == {
        "name": "Jonathan Reed",
        "preferred_name": "Jon",
    }
