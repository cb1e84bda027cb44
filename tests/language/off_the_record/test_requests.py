"""What somebody asks not to be remembered."""

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
    BEFORE_THE_FACT,
    NEXT_MESSAGE,
    NO_REQUEST,
)

REQUESTS = st.sampled_from(AFTER_THE_FACT)
NOISE = st.sampled_from(["", "oh wait, ", "sorry, ", "嗯，", "算了，", "actually "])


@pytest.mark.parametrize(
    "text",
    [
        "Don't remember this: I'm seeing a therapist.",
        "Don't remember this. I'm seeing a therapist.",
        "I'm seeing a therapist. Please do not remember that.",
        "Off the record, we're letting Sam go.",
        "I'm pregnant, but please don't save this to memory.",
        "we are broke. never put any of that into your memory!",
        "I owe him 200. Forget I said that.",
        "I might quit in may, just forget that I ever told you this",
        "这件事不要记下来:我在看心理医生。",
        "我下个月离职，这个别记。",
        "我欠他两百块，别把这个存进记忆里",
        "不要把这句话写到你的记忆里：我怀孕了。",
        "我打算离婚……算了，当我没说",
        "别记住这个。我在看心理医生。",
    ],
)
def test_nothing_of_it_is_on_the_record(text: str) -> None:
    assert asks_not_to_remember(text)
    assert extract_recordable_text(text).strip() == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "I'm seeing a therapist, don't remember that. I like tea.",
            "I like tea.",
        ),
        ("I see a doctor. Don't remember that. Ok?", "Ok?"),
        ("我在看医生，别记住。我喜欢喝茶。", "我喜欢喝茶。"),
        ("对 别记啊。新服务器2月8号切", "新服务器2月8号切"),
    ],
)
def test_what_follows_is_on_the_record_again(text: str, left: str) -> None:
    assert extract_recordable_text(text).strip() == left


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember this street, I moved away in 2009.",
        "Don't remember whether I said so: I live in Berlin.",
        "Don't save this in the fridge, it spoils.",
        "Did I forget to say that I live in Rome?",
        "I forgot I said that. I like tea.",
        "She told me to save it to memory cards.",
        "别记错了，我住在上海浦东。",
        "老是记不住名字，我不记仇。",
        "不要把文件存到桌面。",
        "当我没说清楚的时候请问我",
    ],
)
def test_who_only_speaks_of_remembering_is_remembered(text: str) -> None:
    assert extract_recordable_text(text) == text


@pytest.mark.parametrize("asked", AFTER_THE_FACT)
@pytest.mark.parametrize("told", ["I take lithium", "我离婚了"])
def test_what_was_said_before_the_request_is_off_the_record(told: str, asked: str) -> None:
    for between in (", ", ". ", "。", "\n"):
        assert extract_recordable_text(told + between + asked).strip() == ""


@pytest.mark.parametrize(("asked", "told"), BEFORE_THE_FACT)
def test_so_is_what_is_said_behind_one_that_points_ahead(asked: str, told: str) -> None:
    assert extract_recordable_text(asked + told) == ""
    assert find_withholding_target(asked + told) == WithholdingTarget()


@pytest.mark.parametrize("text", NO_REQUEST)
def test_files_money_and_reminders_are_told_apart(text: str) -> None:
    assert extract_recordable_text(text) == text
    assert find_withholding_target(text) == WithholdingTarget()


@given(NOISE, REQUESTS)
def test_a_request_alone_means_the_message_before(noise: str, asked: str) -> None:
    reach = find_withholding_target(noise + asked)
    assert reach.before
    assert not reach.after


@pytest.mark.parametrize("asked", NEXT_MESSAGE)
def test_one_that_announces_means_the_next_message(asked: str) -> None:
    reach = find_withholding_target(asked)
    assert reach.after
    assert not reach.before


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
