"""Which todo is spoken of by whoever says that something is done, in both languages."""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo, TodoCompletion, TodoState
from palimpsest_server.domain.todos.completion_match import find_completed_todo

NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)


def todo(
    content: str, *, session: str = "earlier", minutes_ago: int = 60, **fields: object
) -> Todo:
    return Todo.model_validate(
        {
            "id": content,
            "scope": Scope(user_id="ann"),
            "content": content,
            "session_id": session,
            "created_at": NOW - timedelta(minutes=minutes_ago),
            "epoch": 0,
            **fields,
        }
    )


TODOS = [
    todo("The user has to book the tickets to Tokyo by Friday"),
    todo("The user has to call the dentist", minutes_ago=50),
    todo("用户要订去大阪的酒店", minutes_ago=45),
    todo("用户要在周五前完成季度报告", minutes_ago=40),
    todo("用户要买牛奶和鸡蛋", minutes_ago=30),
]


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        ("the tickets", "The user has to book the tickets to Tokyo by Friday"),
        ("Tokyo tickets", "The user has to book the tickets to Tokyo by Friday"),
        ("the dentist", "The user has to call the dentist"),
        ("酒店", "用户要订去大阪的酒店"),
        ("大阪的酒店", "用户要订去大阪的酒店"),
        ("报告", "用户要在周五前完成季度报告"),
        ("季度报告", "用户要在周五前完成季度报告"),
        ("奶", "用户要买牛奶和鸡蛋"),
        ("the laundry", None),
        ("机票", None),
        ("my homework for tomorrow", None),
        ("体检报告单复印件", None),
    ],
)
def test_it_is_told_by_the_words_for_it(about: str, expected: str | None) -> None:
    found = find_completed_todo(TodoCompletion(quote=about, about=about, said_at=NOW), TODOS)
    assert (found.content if found else None) == expected


def test_without_words_it_is_what_was_asked_about() -> None:
    answer = TodoCompletion(quote="搞定了", answering="大阪的酒店订好了吗？", said_at=NOW)
    assert find_completed_todo(answer, TODOS) == TODOS[2]


def test_without_any_it_is_what_was_last_noted_in_the_same_conversation() -> None:
    here = [
        todo("wash the car", session="now", minutes_ago=9),
        todo("feed the cat", session="now", minutes_ago=5),
    ]
    done = TodoCompletion(quote="Done!", session_id="now", said_at=NOW)
    assert find_completed_todo(done, [*TODOS, *here]) == here[1]


def test_in_another_conversation_it_is_what_one_was_just_reminded_of() -> None:
    reminded = TODOS[1].model_copy(update={"reminded_at": NOW - timedelta(minutes=10)})
    done = TodoCompletion(quote="搞定了", session_id="new", said_at=NOW)
    assert find_completed_todo(done, [TODOS[0], reminded]) == reminded
    long_ago = reminded.model_copy(update={"reminded_at": NOW - timedelta(days=1)})
    assert find_completed_todo(done, [TODOS[0], long_ago]) is None


def test_nothing_is_struck_off_where_it_cannot_be_told() -> None:
    assert (
        find_completed_todo(TodoCompletion(quote="Done!", session_id="new", said_at=NOW), TODOS)
        is None
    )
    twins = [todo("call mum", session="now"), todo("call dad", session="now")]
    assert (
        find_completed_todo(TodoCompletion(quote="done", session_id="now", said_at=NOW), twins)
        is None
    )


def test_what_is_done_or_was_not_yet_said_is_not_spoken_of() -> None:
    done = TODOS[0].model_copy(update={"state": TodoState.DONE})
    later = TODOS[0].model_copy(update={"created_at": NOW + timedelta(minutes=1)})
    said = TodoCompletion(quote="done with the tickets", about="the tickets", said_at=NOW)
    assert find_completed_todo(said, [done, later]) is None


@pytest.mark.parametrize(
    ("quote", "about", "expected"),
    [
        ("已经给妈妈打过电话了", "给妈妈打过电话", "提醒用户明天早上八点给妈妈打电话"),
        ("我妈那边打过电话了", "给我妈打过电话", "提醒用户明天早上八点给妈妈打电话"),
        ("电话打完了", "电话", "提醒用户明天早上八点给妈妈打电话"),
        ("给爸爸打过电话了", "给爸爸打过电话", None),
        ("跟李医生约好了", "跟李医生约好", None),
        ("已经给妈妈买过礼物了", "给妈妈买过礼物", None),
        ("I already called mom", "mom", "Remind the user to call mom tomorrow at 8"),
        ("I already called dad", "dad", None),
    ],
)
def test_who_it_was_done_for_counts(quote: str, about: str, expected: str | None) -> None:
    noted = [
        todo("提醒用户明天早上八点给妈妈打电话"),
        todo("用户要跟王医生约时间", minutes_ago=50),
        todo("Remind the user to call mom tomorrow at 8", minutes_ago=40),
    ]
    found = find_completed_todo(TodoCompletion(quote=quote, about=about, said_at=NOW), noted)
    assert (found.content if found else None) == expected


@pytest.mark.parametrize(
    ("quote", "about", "expected"),
    [
        ("I already called mom", "mom", "Remind the user to call mom"),
        ("已经洗过车了", "车", "用户要洗车"),
    ],
)
def test_of_several_it_is_the_one_to_which_that_was_done(
    quote: str, about: str, expected: str
) -> None:
    noted = [
        todo("Remind the user to call mom"),
        todo("用户要洗车"),
        todo("The user has to buy mom a card", minutes_ago=10),
        todo("用户要把车送去年检", minutes_ago=10),
    ]
    found = find_completed_todo(TodoCompletion(quote=quote, about=about, said_at=NOW), noted)
    assert found is not None
    assert found.content == expected


@pytest.mark.parametrize(
    ("content", "done"),
    [
        ("The user must ring the boiler man tomorrow", True),
        ("The user has to book the boiler man", True),
        ("The user has to pay the boiler man", False),
        ("The user has to thank the boiler man", False),
    ],
)
def test_who_came_was_sent_for_and_is_not_yet_paid(content: str, done: bool) -> None:
    came = TodoCompletion(quote="The boiler man came", about="The boiler man", said_at=NOW)
    assert (find_completed_todo(came, [todo(content)]) is not None) is done


@pytest.mark.parametrize(
    ("about", "content"),
    [
        ("给妈妈打过电话", "记得给妈妈打电话"),
        ("跟妈妈通过电话", "晚上八点提醒用户给妈妈打电话"),
        ("取暖费", "月底前要交取暖费"),
        ("the flights", "The user has to book flights"),
        (
            "the certificate this morning",
            "Need to renew their food handler certificate by the 30th",
        ),
        ("the flights to Jaipur", "The user has to book flights, around the 9th"),
        ("the flights to New Delhi", "The user has to book flights, around the 9th"),
        ("去斋浦尔的机票", "用户得订机票"),
    ],
)
def test_it_is_done_in_other_words(about: str, content: str) -> None:
    assert find_completed_todo(
        TodoCompletion(quote=about, about=about, said_at=NOW), [todo(content)]
    )


def test_flights_to_one_place_are_not_those_to_another() -> None:
    booked = TodoCompletion(quote="", about="the flights to New Delhi", said_at=NOW)
    assert find_completed_todo(booked, [todo("The user has to book flights to Oslo")]) is None
