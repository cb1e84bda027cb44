"""What of a message may be remembered, and what it is found by."""

import pytest

from palimpsest.model.turn import ImageReference, Role, TextSpan, Turn
from palimpsest_language.off_the_record.own_words import (
    own_images,
    own_text,
    own_words,
    searched_text,
)
from tests.support.windows import said

CAT = ImageReference(url="https://example.org/cat.png", caption="Our cat Mimi")
BARE = ImageReference(url="https://example.org/1.png")
ASKED = "Don't remember this: I'm seeing a therapist."


def injected(text: str, stretch: str) -> Turn:
    start = text.index(stretch)
    return said(text, injected=(TextSpan(start=start, end=start + len(stretch)),))


def test_what_memory_put_into_a_text_is_not_its_own() -> None:
    turn = injected("[memory: I live in Rome.] I like tea.", "[memory: I live in Rome.]")
    assert own_text(turn) == searched_text(turn) == "I like tea."


def test_nor_what_stands_between_its_marks() -> None:
    assert own_text(said("<palimpsest>I live in Rome.</palimpsest> I like tea.")) == "I like tea."


def test_no_quote_reaches_across_what_was_taken_out() -> None:
    assert "live in Berlin" not in own_text(injected("I live in xx Berlin", "xx "))


@pytest.mark.parametrize(
    ("spans", "left"),
    [
        (((0, 3), (2, 5)), "fgh"),
        (((2, 5), (0, 3)), "fgh"),
        (((5, 99),), "abcde"),
        (((3, 3),), "abc\ndefgh"),
        (((6, 2),), "abcdef\ngh"),
        (((0, 8),), ""),
    ],
)
def test_spans_may_overlap_and_overshoot(spans: tuple[tuple[int, int], ...], left: str) -> None:
    turn = said("abcdefgh", injected=tuple(TextSpan(start=start, end=end) for start, end in spans))
    assert own_text(turn) == left


def test_what_is_off_the_record_is_said_and_not_searched() -> None:
    turn = said("我在看心理医生，别记住。我喜欢喝茶。", images=(CAT,))
    assert own_words(turn) == searched_text(turn) == "我喜欢喝茶。\nOur cat Mimi"
    assert "心理医生" in turn.text


def test_nor_are_the_pictures_of_a_message_of_which_nothing_is_on_the_record() -> None:
    turn = said(ASKED, images=(CAT,))
    assert (own_words(turn), own_images(turn), searched_text(turn)) == ("", (), "[…]")


def test_an_agent_has_no_say_in_what_is_remembered() -> None:
    assert own_text(said(ASKED, role=Role.AGENT)) == ASKED


@pytest.mark.parametrize(
    ("turn", "searched"),
    [
        (said("Look!", images=(CAT, BARE)), "Look!\nOur cat Mimi"),
        (said("", images=(CAT,)), "Our cat Mimi"),
        (said("", images=(BARE, BARE)), "[image]\n[image]"),
        (injected("I live in Rome.", "I live in Rome."), "[…]"),
    ],
)
def test_a_message_is_found_by_its_own_words_and_else_by_what_it_was(
    turn: Turn, searched: str
) -> None:
    assert searched_text(turn) == searched
