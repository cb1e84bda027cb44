"""Requests not to remember something; single sentences are in `rows/`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.off_the_record.requests import (
    WithholdingTarget,
    asks_not_to_remember,
    extract_recordable_text,
    find_withholding_target,
)
from tests.support.growth import grows_in_proportion
from tests.support.language.redaction.withholding import (
    AFTER_THE_FACT,
)

REQUESTS = st.sampled_from(AFTER_THE_FACT)
NOISE = st.sampled_from(["", "oh wait, ", "sorry, ", "嗯，", "算了，", "actually "])


@pytest.mark.parametrize("asked", AFTER_THE_FACT)
@pytest.mark.parametrize("told", ["I take lithium", "我离婚了"])
def test_what_was_said_before_the_request_is_off_the_record(told: str, asked: str) -> None:
    for between in (", ", ". ", "。", "\n"):
        assert extract_recordable_text(told + between + asked).strip() == ""


@given(NOISE, REQUESTS)
def test_a_request_alone_means_the_message_before(noise: str, asked: str) -> None:
    reach = find_withholding_target(noise + asked)
    assert reach.before
    assert not reach.after


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("actually don't remember that I'm pregnant", "I'm pregnant"),
        ("please don't note down that I take lithium", "I take lithium"),
        ("别记住我怀孕了", "我怀孕了"),
    ],
)
def test_one_that_says_what_it_means_means_that(text: str, about: str) -> None:
    assert find_withholding_target(text) == WithholdingTarget(about=about)
    assert extract_recordable_text(text) == ""


def test_whoever_says_that_it_slipped_out_means_what_was_said_before() -> None:
    text = "啊 手滑了，这个别存。报错 connection refused"
    assert find_withholding_target(text).before
    assert extract_recordable_text(text) == "报错 connection refused"


@given(st.text(), REQUESTS)
def test_what_is_left_is_always_the_end_of_what_was_said(text: str, asked: str) -> None:
    whole = f"{text} {asked}. {text}"
    assert whole.endswith(extract_recordable_text(whole))


@pytest.mark.parametrize(
    "piece",
    [
        "please ", "don't you ", "don't save the ", "oh wait, ", "I'll tell you ", "just only ",
        "keep this strictly ", "don't save that please ", "what I just just ", "that ", "this last ",
        "for me, ", "刚才我说的", "这个", "别", "我", "把", "不要把", "别记了", "你可千万", "忘了",
    ],
)  # fmt: skip
def test_hostile_input_takes_time_in_proportion_to_its_length(piece: str) -> None:
    def read(text: str) -> WithholdingTarget:
        return find_withholding_target(f"{text}don't save that {text}")

    assert grows_in_proportion(read, piece, 16 * 1024)


@pytest.mark.parametrize("asked", ["scratch that", "Oh, scratch that please.", "Strike that!"])
def test_scratch_that_alone_means_what_was_just_said(asked: str) -> None:
    assert find_withholding_target(asked) == WithholdingTarget(before=True, alone=True)
    assert extract_recordable_text(f"I'm seeing Dr Hale on Friday. {asked}") == ""


@pytest.mark.parametrize(
    "text",
    [
        "scratch that, make it two tickets",
        "Scratch that. Make it two tickets.",
        "I built it from scratch, that is all",
    ],
)
def test_scratch_that_with_something_else_corrects(text: str) -> None:
    assert not asks_not_to_remember(text)
