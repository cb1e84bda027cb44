"""Who is spoken to, in both languages, and who only happens to be named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.agent_addresses import (
    find_addressee,
    is_about_speaker,
    strip_agent_addresses,
)
from tests.support.growth import grows_in_proportion

NAMES = {
    "coder": "coder",
    "小助手": "assistant",
    "planner": "planner-7",
    "QA": "qa",
    "tutor": "tutor",
}


@pytest.mark.parametrize(
    ("text", "words", "agent_id"),
    [
        ("@coder please always use tabs", "please always use tabs", "coder"),
        ("@Coder: always use tabs", "always use tabs", "coder"),
        ("always use tabs, @coder", "always use tabs", "coder"),
        ("tutor, stop correcting every typo", "tutor, stop correcting every typo", "tutor"),
        ("ok will do. oh and tutor, stop correcting", "stop correcting", "tutor"),
        ("yes please. coder, check the image first", "check the image first", "coder"),
        ("QA: run the tests twice", "run the tests twice", "qa"),
        ("tell planner to keep Fridays free", "keep Fridays free", "planner-7"),
        ("please ask coder to use tabs", "use tabs", "coder"),
        ("告诉小助手以后叫我老王", "以后叫我老王", "assistant"),
        ("告诉小助手，以后叫我老王。", "以后叫我老王", "assistant"),
        ("请让小助手回答简短一点", "回答简短一点", "assistant"),
        ("跟小助手说别用表情", "别用表情", "assistant"),
        ("@小助手以后用中文", "以后用中文", "assistant"),
        ("小助手，以后用中文回答", "以后用中文回答", "assistant"),
        ("那 coder，以后都用 tabs", "以后都用 tabs", "coder"),
        ("three a week will do. planner, note my exam", "three a week will do.", None),
        ("一周三次就行。小助手，记一下考试", "一周三次就行", None),
        # Each to their own.
        ("@coder use tabs. @planner no meetings on Friday", "use tabs", "coder"),
        ("@coder use tabs. @planner no meetings on Friday", "no meetings", "planner-7"),
        ("@coder use tabs. And all of you: British spelling", "British spelling", None),
        ("@coder 用 tabs。大家都写单元测试", "都写单元测试", None),
        # Named, and not spoken to.
        ("the coder left a note for me", "left a note", None),
        ("I told coder to use tabs", "use tabs", None),
        ("我告诉小助手了，我喜欢茶", "我喜欢茶", None),
        ("decoder, encoder and transcoder", "decoder", None),
        ("ask the planner's opinion", "opinion", None),
        ("mail coder@example.com about tabs", "about tabs", None),
        ("mail bob@coder.org about tabs", "about tabs", None),
        ("use tabs everywhere", "use tabs everywhere", None),
        ("@designer use blue", "use blue", None),
    ],
)
def test_who_is_spoken_to(text: str, words: str, agent_id: str | None) -> None:
    address = find_addressee(text, words, NAMES)
    assert (address and address.agent_id) == agent_id


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("@coder please always use tabs", "\nplease always use tabs"),
        ("告诉小助手以后叫我老王", "\n以后叫我老王"),
        ("Thanks. coder, I prefer tabs", "Thanks.\nI prefer tabs"),
        ("ask coder to use tabs", "ask coder to use tabs"),
        ("nobody is named here", "nobody is named here"),
    ],
)
def test_what_is_said_is_left(text: str, left: str) -> None:
    assert strip_agent_addresses(text, NAMES) == left


@pytest.mark.parametrize(
    ("words", "of_the_speaker"),
    [
        ("tutor, I learn best with songs", True),
        ("@coder I'm colour-blind", True),
        ("my name is Al", True),
        ("小助手，我喜欢喝茶", True),
        ("那我以后都坐火车", True),
        ("@coder please always use tabs", False),
        ("call me Al", False),
        ("以后叫我老王", False),
        ("your notes were too polite", False),
        ("请用中文回答我", False),
    ],
)
def test_a_statement_about_oneself_is_no_wish_to_an_agent(words: str, of_the_speaker: bool) -> None:
    assert is_about_speaker(words, NAMES) is of_the_speaker


@given(st.text(alphabet="@ coderplan助手小,.:，。告诉I", max_size=60))
def test_what_is_left_is_said_word_for_word(text: str) -> None:
    assert all(line in text for line in strip_agent_addresses(text, NAMES).split("\n"))


def test_a_text_of_nothing_but_beginnings_takes_no_time() -> None:
    assert grows_in_proportion(
        lambda text: find_addressee(text, "x", NAMES), "\n" * 60 + " , ", 60_000
    )


def test_without_agents_nobody_is_spoken_to() -> None:
    assert find_addressee("@coder use tabs", "use tabs", {}) is None


def test_letters_that_fold_into_two_move_no_place() -> None:
    text = f"{'ß' * 30} I like walks. @coder use tabs"
    assert find_addressee(text, "I like walks", NAMES) is None
    named = find_addressee(text, "use tabs", NAMES)
    assert named is not None
    assert named.agent_id == "coder"
