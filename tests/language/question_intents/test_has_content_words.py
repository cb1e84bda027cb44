"""What says nothing finds nothing, whoever asks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.question_intents.has_content_words import has_content_words


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?!…",
        "🎉",
        " _ ",
        "嗯嗯",
        "啊啊啊！",
        "的地得",
        "了吗？",
        "哦，嗯…",
        "Um, uh",
        "hmm",
        "The of and.",
    ],
)
def test_punctuation_particles_and_sighs_say_nothing(question: str) -> None:
    assert not has_content_words(question)


@pytest.mark.parametrize(
    "question",
    [
        "茶", "他呢？", "好的吗", "哈哈呢？", "是谁", "得过奖吗", "目的地", "我的呢", "7", "３点了吗",
        "who?", "Who am I?", "the Hague", "um, tea?", "B", "and I", "où", "чай",
    ],
)  # fmt: skip
def test_one_word_with_a_meaning_is_enough(question: str) -> None:
    assert has_content_words(question)


@given(st.text(), st.sampled_from(["tea", "茶", "9"]))
def test_whatever_stands_before_a_word(before: str, word: str) -> None:
    assert has_content_words(f"{before} {word}")
