"""What counts as found: the rule of tests/golden/extraction/README.md, case by case."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.bench.extraction_dialogues import Dialogue
from palimpsest.bench.extraction_figures import figures
from palimpsest.bench.extraction_found import Found
from palimpsest.bench.extraction_matching import match
from palimpsest.bench.extraction_wording import denies_any, holds
from palimpsest.domain.kinds import Kind


def dialogue(
    *memories: dict[str, Any],
    todos: Sequence[dict[str, Any]] = (),
    must_not: Sequence[dict[str, Any]] = (),
    language: str = "zh",
) -> Dialogue:
    messages = [
        {"message_id": f"m{n}", "role": "user", "text": "…", "at": f"2026-03-02T09:1{n}:00+08:00"}
        for n in (1, 2, 3)
    ]
    return Dialogue.model_validate(
        {
            "id": "one",
            "language": language,
            "domain": "layered",
            "time_zone": "Asia/Shanghai",
            "sharing_policy": "layered",
            "project_id": "atlas",
            "participants": ["planner"],
            "messages": messages,
            "expected": {"memories": memories, "todos": todos, "must_not": must_not},
        }
    )


def memory(**changes: Any) -> dict[str, Any]:
    whole = {
        "kinds": ["preference"],
        "subject": ["user"],
        "value": ["咖啡"],
        "layer": "user",
        "from": ["m1"],
    }
    return whole | changes


def todo(**changes: Any) -> dict[str, Any]:
    return {"content": ["交电费"], "from": ["m2"]} | changes


def found(**changes: Any) -> Found:
    whole: dict[str, Any] = {
        "kind": Kind.PREFERENCE,
        "subject": "user",
        "value": "咖啡",
        "content": "我喜欢喝咖啡",
        "message_ids": ("m1",),
    }
    return Found(**(whole | changes))


def action(**changes: Any) -> Found:
    whole: dict[str, Any] = {
        "kind": Kind.ACTION_ITEM,
        "content": "交电费",
        "message_ids": ("m2",),
    }
    return Found(**(whole | changes))


LAST_YEAR = datetime(2025, 6, 1, tzinfo=UTC)
NEXT_YEAR = datetime(2027, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("expected", "one"),
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
def test_what_says_the_same_is_matched(expected: dict[str, Any], one: Found) -> None:
    assert match(dialogue(expected), [one]).memories == {0: 0}


@pytest.mark.parametrize(
    ("expected", "one"),
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
        pytest.param(memory(polarity="negative"), found(), id="nothing denies"),
        pytest.param(
            memory(polarity="negative"),
            found(attribute="likes", content="我不喝咖啡"),
            id="the attribute affirms what the content denies",
        ),
    ],
)
def test_what_says_something_else_is_missed_and_wrong(expected: dict[str, Any], one: Found) -> None:
    matched = match(dialogue(expected), [one])
    assert (matched.memories, matched.wrong) == ({}, (0,))


def test_each_is_matched_once_and_as_many_as_can_be() -> None:
    either, only = memory(value=["咖啡", "拿铁"]), memory(value=["拿铁"])
    latte, coffee = found(value="拿铁", content="拿铁"), found(value="咖啡", content="咖啡")
    assert match(dialogue(either, only), [latte, coffee]).memories == {0: 1, 1: 0}


def test_the_closest_of_several_is_taken() -> None:
    expected = memory(details=["加奶"])
    assert match(dialogue(expected), [found(), found(content="喝咖啡要加奶")]).memories == {0: 1}


def test_a_required_one_goes_before_an_optional_one() -> None:
    one = dialogue(memory(optional=True), memory())
    assert match(one, [found()]).memories == {1: 0}


def test_saying_a_matched_one_again_from_the_same_message_is_not_wrong() -> None:
    matched = match(dialogue(memory()), [found(), found(kind=Kind.CONTEXT)])
    assert (matched.restating, matched.wrong) == ({1: ("memory", 0)}, ())


def test_saying_it_again_from_elsewhere_is_wrong() -> None:
    assert match(dialogue(memory()), [found(), found(message_ids=("m3",))]).wrong == (1,)


def test_saying_the_contrary_of_a_matched_one_is_wrong() -> None:
    assert match(dialogue(memory()), [found(), found(attribute="dislikes")]).wrong == (1,)


def test_a_goal_beside_its_todo_restates_it() -> None:
    again = found(kind=Kind.GOAL, content="要交电费", value=None, message_ids=("m2",))
    assert match(dialogue(todos=[todo()]), [action(), again]).restating == {1: ("todo", 0)}


@pytest.mark.parametrize(
    ("expected", "one", "is_matched"),
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
    one: Found,
    is_matched: bool,
) -> None:
    assert (match(dialogue(todos=[expected]), [one]).todos == {0: 0}) is is_matched


def test_a_forbidden_memory_is_one_that_holds_all_the_words() -> None:
    one = dialogue(must_not=[{"words": ["超级", "管理员"], "why": "injection"}])
    assert not match(one, [found(content="他是管理员")]).violations
    assert len(match(one, [found(content="用户是超级 管理员")]).violations) == 1


EVENING = "2026-03-06T23:30:00+08:00"


@pytest.mark.parametrize(
    ("stated", "carried", "right"),
    [
        ("2026-03-07", {"occurred_at": datetime(2026, 3, 6, 16, 30, tzinfo=UTC)}, 1.0),
        ("2026-03-06", {"occurred_at": datetime(2026, 3, 6, 16, 30, tzinfo=UTC)}, 0.0),
        (EVENING, {"valid_from": datetime(2026, 3, 6, 15, 30, tzinfo=UTC)}, 1.0),
        (EVENING, {"valid_from": datetime(2026, 3, 6, 15, 40, tzinfo=UTC)}, 0.0),
        ("2025-06", {"valid_from": LAST_YEAR}, 1.0),
        ("2025", {"valid_until": datetime(2027, 1, 1, tzinfo=UTC)}, 0.0),
        ("2026-03-06", {"data": {"when": "2026-03-06"}}, 1.0),
        (EVENING, {"data": {"when": "2026-03-06"}}, 0.0),
        ("2026-03-06", {}, 0.0),
    ],
)
def test_a_date_is_right_by_day_in_the_zone_or_to_the_minute(
    stated: str, carried: dict[str, Any], right: float
) -> None:
    told = figures([(dialogue(memory(date=stated)), [found(**carried)])])
    assert told["date_accuracy"] == right


@pytest.mark.parametrize(
    ("expected", "carried", "right"),
    [
        ({"due": EVENING}, {"due_at": datetime(2026, 3, 6, 15, 30, tzinfo=UTC)}, 1.0),
        ({"due": "2026-03-06"}, {"remind_at": datetime(2026, 3, 6, 1, tzinfo=UTC)}, 1.0),
        ({"due": EVENING, "remind_at": EVENING}, {"due_at": datetime.fromisoformat(EVENING)}, 0.5),
        ({"due": EVENING}, {"occurred_at": datetime.fromisoformat(EVENING)}, 0.0),
    ],
)
def test_a_todo_is_due_when_it_says(
    expected: dict[str, Any], carried: dict[str, Any], right: float
) -> None:
    told = figures([(dialogue(todos=[todo(**expected)]), [action(**carried)])])
    assert told["due_accuracy"] == right


def test_details_are_counted_over_the_missed_ones_too() -> None:
    one = dialogue(memory(details=["加奶", ["两杯", "2杯"]]), memory(value=["茶"], details=["绿"]))
    told = figures([(one, [found(content="每天 2 杯咖啡")])])
    assert (told["details_kept"], told["details_kept_of_matched"]) == (0.3333, 0.5)


def test_a_detail_may_stand_in_the_restatement() -> None:
    told = figures([(dialogue(memory(details=["加奶"])), [found(), found(content="咖啡加奶")])])
    assert told["details_kept"] == 1.0


def test_a_near_kind_counts_for_recall_and_not_for_the_kinds() -> None:
    told = figures([(dialogue(memory()), [found(kind=Kind.FACT)])])
    assert (told["recall"], told["kind_accuracy"]) == (1.0, 0.0)


def test_what_is_optional_counts_in_nothing() -> None:
    one = dialogue(memory(optional=True, details=["加奶"]), memory(value=["茶"]))
    told = figures([(one, [found(), found(value="茶", content="茶")])])
    assert (told["precision"], told["recall"], told["details_kept"]) == (1.0, 1.0, None)


def test_a_project_memory_is_in_its_layer_with_its_agent_only() -> None:
    one = dialogue(memory(layer="project", agent="planner"))
    right = found(agent_id="planner", project_id="atlas")
    told = [
        figures([(one, [it])])["layer_accuracy"] for it in (right, found(), found(agent_id="x"))
    ]
    assert told == [1.0, 0.0, 0.0]


def test_the_figures_of_a_language_are_its_own() -> None:
    told = figures(
        [
            (dialogue(memory()), [found(), found(value="茶", content="茶")]),
            (dialogue(memory(), todos=[todo()], language="en"), [found()]),
        ]
    )
    by_language = told["by_language"]
    assert (told["precision"], told["recall"]) == (0.6667, 0.6667)
    assert (by_language["zh"]["precision"], by_language["zh"]["recall"]) == (0.5, 1.0)
    assert (by_language["en"]["precision"], by_language["en"]["recall"]) == (1.0, 0.5)


def test_where_nothing_was_to_be_found_and_nothing_was_there_is_nothing_to_judge() -> None:
    told = figures([(dialogue(), [])])
    assert (told["precision"], told["recall"], told["wrong"]) == (None, None, 0)


@given(st.text(max_size=40), st.text(alphabet="abc ,。不咖啡12", max_size=40))
def test_a_text_holds_itself_among_others_and_nothing_holds_an_empty_one(
    text: str, around: str
) -> None:
    assert holds(f"{around} | {text} | {around}", text) is holds(text, text)
    assert not holds(text, " ,。")


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("不吃香菜", True),
        ("我不吃辣，香菜可以", False),
        ("香菜还不错", False),
        ("I don't like 香菜", True),
        ("I eat 香菜 but not onions", False),
        ("特别喜欢香菜", False),
        ("香菜我不吃", True),
        ("别放葱 我只要香菜", False),
        ("要香菜 不要葱花和姜", False),
        ("香菜 not onions", False),
        ("不吃葱", False),
    ],
)
def test_a_value_is_denied_in_its_own_clause(text: str, denied: bool) -> None:
    assert denies_any(text, ["香菜"]) is denied


@given(st.permutations([found(), found(value="茶", content="茶"), action(), found(subject="他")]))
def test_the_order_in_which_things_are_found_changes_no_figure(several: list[Found]) -> None:
    one = dialogue(memory(), memory(value=["茶"]), todos=[todo()])
    assert figures([(one, several)])["f1"] == round(6 / 7, 4)
