"""What counts as found: the rule of tests/golden/extraction/README.md, case by case."""

from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.model.kinds import Kind
from palimpsest_lab.extraction.assignment import assign_items
from palimpsest_lab.extraction.extracted_items import ExtractedItem
from tests.support.lab.fitting.extracted import action, dialogue, found, memory, todo

LAST_YEAR = datetime(2025, 6, 1, tzinfo=UTC)
NEXT_YEAR = datetime(2027, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("expected", "item"),
    [
        pytest.param(memory(), found(), id="the same"),
        pytest.param(memory(kinds=["fact", "preference"]), found(), id="the second kind will do"),
        pytest.param(memory(), found(kind=Kind.FACT), id="a near kind will do"),
        pytest.param(memory(), found(subject="用户"), id="the user by another name"),
        pytest.param(memory(), found(subject=None), id="no subject is the user"),
        pytest.param(
            memory(subject=["妈妈"]), found(subject="用户的妈妈"), id="a subject in more words"
        ),
        pytest.param(
            memory(subject=["妈妈"]),
            found(subject=None, content="妈妈喜欢咖啡"),
            id="a subject that only the content names",
        ),
        pytest.param(
            memory(kinds=["conclusion"]),
            found(kind=Kind.CONCLUSION, subject="缓存层"),
            id="a topic has no one name",
        ),
        pytest.param(memory(), found(value=None), id="the value is in the content"),
        pytest.param(memory(), found(content="爱喝"), id="the content is short of the value"),
        pytest.param(
            memory(value=["TypeScript"]),
            found(value="type script"),
            id="neither case nor spaces matter",
        ),
        pytest.param(memory(value=["２０００元"]), found(value="2,000 元"), id="width, thousands"),
        pytest.param(memory(value=["cat"]), found(value="two cats"), id="an English plural"),
        pytest.param(
            memory(polarity="negative"),
            found(attribute="dislikes", content="咖啡"),
            id="the attribute denies",
        ),
        pytest.param(
            memory(polarity="negative"), found(content="我不喝咖啡"), id="the content denies"
        ),
        pytest.param(
            memory(polarity="negative"),
            found(content="咖啡", data={"polarity": "negative"}),
            id="the data deny",
        ),
        pytest.param(
            memory(polarity="ended"),
            found(attribute="likes", valid_until=LAST_YEAR),
            id="its validity ended",
        ),
        pytest.param(memory(polarity="ended"), found(content="咖啡戒了"), id="the content ends it"),
        pytest.param(
            memory(polarity="ended"),
            found(content="咖啡戒了", attribute="likes", ended=True),
            id="that it is liked is what ended",
        ),
        pytest.param(
            memory(polarity="ended", value=["Redux"]),
            found(value="Redux", content="I used to be big on Redux"),
            id="ended in English",
        ),
        pytest.param(memory(), found(valid_until=NEXT_YEAR), id="it holds for a while yet"),
        pytest.param(
            memory(), found(content="不喝茶，就喝咖啡"), id="what is denied is something else"
        ),
        pytest.param(
            memory(value=["3000"]),
            found(value="3000", content="预算不超过3000"),
            id="a limit is no denial",
        ),
        pytest.param(
            memory(kinds=["event"]),
            found(kind=Kind.EVENT, valid_until=LAST_YEAR),
            id="an event is over and was all the same",
        ),
    ],
)
def test_what_says_the_same_is_matched(expected: dict[str, Any], item: ExtractedItem) -> None:
    assert assign_items(dialogue(expected), [item]).memories == {0: 0}


@pytest.mark.parametrize(
    ("expected", "item"),
    [
        pytest.param(memory(), found(kind=Kind.LESSON), id="another kind, and not near"),
        pytest.param(memory(), found(subject="妈妈"), id="about somebody else"),
        pytest.param(
            memory(subject=["妈妈"]), found(), id="about the user where the mother is meant"
        ),
        pytest.param(
            memory(subject=["妈妈"]), found(subject=None), id="about nobody in particular"
        ),
        pytest.param(memory(), found(value="茶", content="我喜欢喝茶"), id="another value"),
        pytest.param(
            memory(value=["Go"]), found(value=None, content="going"), id="a piece of a word"
        ),
        pytest.param(
            memory(value=["850"]), found(value="1,850", content=""), id="a piece of a number"
        ),
        pytest.param(
            memory(value=["3月6日"]), found(value="13月6日", content=""), id="the end of a number"
        ),
        pytest.param(memory(), found(attribute="dislikes"), id="the attribute turns it round"),
        pytest.param(
            memory(), found(attribute="不喜欢"), id="the Chinese attribute turns it round"
        ),
        pytest.param(memory(), found(content="我不喝咖啡"), id="the content turns it round"),
        pytest.param(memory(), found(valid_until=LAST_YEAR), id="it had ended when it was said"),
        pytest.param(memory(), found(ended=True), id="it says that it ended"),
        pytest.param(memory(polarity="negative"), found(), id="nothing denies"),
        pytest.param(
            memory(polarity="negative"),
            found(attribute="likes", content="我不喝咖啡"),
            id="the attribute affirms what the content denies",
        ),
    ],
)
def test_what_says_something_else_is_missed_and_wrong(
    expected: dict[str, Any], item: ExtractedItem
) -> None:
    matched = assign_items(dialogue(expected), [item])
    assert (matched.memories, matched.wrong) == ({}, (0,))


def test_each_is_matched_once_and_as_many_as_can_be() -> None:
    either, only = memory(value=["咖啡", "拿铁"]), memory(value=["拿铁"])
    latte, coffee = found(value="拿铁", content="拿铁"), found(value="咖啡", content="咖啡")
    assert assign_items(dialogue(either, only), [latte, coffee]).memories == {0: 1, 1: 0}


def test_the_closest_of_several_is_taken() -> None:
    expected = memory(details=["加奶"])
    assert assign_items(dialogue(expected), [found(), found(content="喝咖啡要加奶")]).memories == {
        0: 1
    }


def test_a_required_one_goes_before_an_optional_one() -> None:
    golden_dialogue = dialogue(memory(optional=True), memory())
    assert assign_items(golden_dialogue, [found()]).memories == {1: 0}


def test_saying_a_matched_one_again_from_the_same_message_is_not_wrong() -> None:
    matched = assign_items(dialogue(memory()), [found(), found(kind=Kind.CONTEXT)])
    assert (matched.restating, matched.wrong) == ({1: ("memory", 0)}, ())


def test_saying_it_again_from_elsewhere_is_wrong() -> None:
    assert assign_items(dialogue(memory()), [found(), found(message_ids=("m3",))]).wrong == (1,)


def test_saying_the_contrary_of_a_matched_one_is_wrong() -> None:
    assert assign_items(dialogue(memory()), [found(), found(attribute="dislikes")]).wrong == (1,)


def test_a_goal_beside_its_todo_restates_it() -> None:
    again = found(kind=Kind.GOAL, content="要交电费", value=None, message_ids=("m2",))
    assert assign_items(dialogue(todos=[todo()]), [action(), again]).restating == {1: ("todo", 0)}


@pytest.mark.parametrize(
    ("expected", "item", "is_matched"),
    [
        (todo(), action(), True),
        (todo(), action(content="记得周五前交电费"), True),
        (todo(), action(completed=True), False),
        (todo(completed=True), action(completed=True), True),
        (todo(), action(content="交水费"), False),
        (todo(), found(kind=Kind.GOAL, content="交电费"), False),
    ],
)
def test_a_todo_is_an_action_item_as_completed_as_expected(
    expected: dict[str, Any],
    item: ExtractedItem,
    is_matched: bool,
) -> None:
    assert (assign_items(dialogue(todos=[expected]), [item]).todos == {0: 0}) is is_matched


def test_a_forbidden_memory_is_one_that_holds_all_the_words() -> None:
    golden_dialogue = dialogue(must_not=[{"words": ["超级", "管理员"], "why": "injection"}])
    assert not assign_items(golden_dialogue, [found(content="他是管理员")]).violations
    assert len(assign_items(golden_dialogue, [found(content="用户是超级 管理员")]).violations) == 1
