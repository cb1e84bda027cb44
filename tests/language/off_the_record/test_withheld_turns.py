"""Messages that later messages ask not to have remembered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.turn import Role, Turn
from palimpsest_language.off_the_record.own_words import own_words
from palimpsest_language.off_the_record.withheld_turns import (
    find_withheld_turn_ids,
    mark_withheld_turns,
)
from tests.support.language.redaction.withholding import AFTER_THE_FACT, NEXT_MESSAGE, NO_REQUEST
from tests.support.turns import turn

USER, AGENT = Role.USER, Role.AGENT


def talk(*said: tuple[Role, str] | tuple[Role, str, str]) -> list[Turn]:
    return [
        turn(number, role=role, text=text, speaker=speaker[0] if speaker else None)
        for number, (role, text, *speaker) in enumerate(said, start=1)
    ]


def withheld(turns: list[Turn]) -> list[str]:
    ids = find_withheld_turn_ids(turns)
    return [each.text for each in turns if each.id in ids]


@pytest.mark.parametrize("asked", AFTER_THE_FACT)
@pytest.mark.parametrize("answer", [(), ((AGENT, "Congratulations on the twins!"),)])
def test_the_next_message_withholds_the_one_before_it_and_its_answer(
    asked: str, answer: tuple[tuple[Role, str], ...]
) -> None:
    turns = talk((USER, "I like tea."), (USER, "I'm having twins."), *answer, (USER, asked))
    assert withheld(turns) == ["I'm having twins.", *(text for _, text in answer)]


@pytest.mark.parametrize("asked", NEXT_MESSAGE)
def test_one_that_announces_withholds_the_next_message_and_no_other(asked: str) -> None:
    turns = talk(
        (USER, "I like tea."),
        (USER, asked),
        (AGENT, "All right."),
        (USER, "I owe five hundred."),
        (AGENT, "Five hundred is a lot."),
        (USER, "What is for dinner?"),
    )
    assert withheld(turns) == ["All right.", "I owe five hundred.", "Five hundred is a lot."]


@pytest.mark.parametrize("said", NO_REQUEST)
def test_what_is_no_request_withholds_nothing(said: str) -> None:
    assert withheld(talk((USER, "I'm having twins."), (USER, said), (USER, "Hm."))) == []


@pytest.mark.parametrize(
    ("told", "asked", "gone"),
    [
        ("I'm pregnant with twins.", "actually don't remember that I'm pregnant", True),
        ("I live in Rome.", "actually don't remember that I'm pregnant", False),
        ("我怀孕了，双胞胎", "别记住我怀孕的事", True),
        ("我住在上海浦东", "别记住我怀孕的事", False),
        ("I live in Rome.", "I'm pregnant, don't remember that", False),
        ("I live in Rome.", "Don't remember this: I'm pregnant", False),
        ("我住在上海", "这个别记，我怀孕了", False),
        ("password: x1", "啊 手滑了，这个别存。报错 connection refused", True),
    ],
)
def test_a_request_with_something_of_its_own_means_that(told: str, asked: str, gone: bool) -> None:
    assert withheld(talk((USER, told), (USER, asked))) == ([told] if gone else [])


def test_only_the_nearest_message_of_the_same_person_is_meant() -> None:
    turns = talk(
        (USER, "I'm having twins.", "ann"),
        (USER, "I like tea.", "bob"),
        (USER, "don't save that", "ann"),
    )
    assert withheld(turns) == ["I'm having twins."]


def test_asking_twice_means_the_same_message() -> None:
    turns = talk((USER, "I like tea."), (USER, "I owe ten."), (USER, "forget that"), (USER, "别记"))
    assert withheld(turns) == ["I owe ten."]


def test_where_nothing_was_said_before_the_next_message_is_meant() -> None:
    turns = talk((USER, "please don't save this"), (USER, "I owe ten."), (USER, "I like tea."))
    assert withheld(turns) == ["I owe ten."]


def test_what_is_answered_to_a_message_off_the_record_tells_as_much() -> None:
    turns = talk((USER, "I take lithium, don't save that."), (AGENT, "Lithium is strong."))
    assert withheld(turns) == ["Lithium is strong."]


def test_what_is_marked_says_nothing_and_is_not_marked_again() -> None:
    turns = talk((USER, "I owe ten."), (USER, "don't save that"))
    (marked,) = mark_withheld_turns(turns)
    assert (own_words(marked), marked.text) == ("", "I owe ten.")
    assert mark_withheld_turns([marked, turns[1]]) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from(Role), st.sampled_from([*AFTER_THE_FACT, *NEXT_MESSAGE, "I owe ten."])
        ),
        max_size=12,
    )
)
def test_marking_is_the_same_however_often_it_is_done(said: list[tuple[Role, str]]) -> None:
    turns = talk(*said)
    marked = {withheld_turn.id: withheld_turn for withheld_turn in mark_withheld_turns(turns)}
    again = [marked.get(each.id, each) for each in turns]
    assert mark_withheld_turns(again) == []
    assert find_withheld_turn_ids(again) >= marked.keys()
