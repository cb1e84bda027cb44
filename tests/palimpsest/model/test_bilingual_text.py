"""Which language a text is in, and summaries that fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.bilingual_text import (
    MAXIMUM_SUMMARY_WIDTH,
    detect_language,
    display_width,
    join_with_punctuation,
    shorten_to_summary,
)
from palimpsest.model.memory import embedded_text
from palimpsest.model.user import Language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("用户喜欢用 TypeScript", Language.CHINESE),
        ("不用 Vue 了，改用 React", Language.CHINESE),
        ("The user lives in 上海", Language.ENGLISH),
        ("The user likes tea", Language.ENGLISH),
        ("", Language.ENGLISH),
        ("42", Language.ENGLISH),
    ],
)
def test_a_text_is_in_the_language_that_most_of_it_is_in(text: str, language: Language) -> None:
    assert detect_language(text) is language


@pytest.mark.parametrize(
    ("mark", "first", "second", "joined"),
    [
        (";", "The user lives in 上海", "with a cat", "The user lives in 上海; with a cat"),
        (",", "The user met 王建国", "two years ago", "The user met 王建国, two years ago"),
        (";", "用户在用 TypeScript", "not Vue", "用户在用 TypeScript；not Vue"),
        (",", "用户有一只猫", "Miso", "用户有一只猫，Miso"),
        (":", "The user has a dog", "豆豆", "The user has a dog: 豆豆"),
        (",", "房租", "The rent is due on Friday", "房租, The rent is due on Friday"),
    ],
)
def test_two_texts_are_joined_as_their_language_writes_it(
    mark: str, first: str, second: str, joined: str
) -> None:
    assert join_with_punctuation(mark, first, second) == joined


def test_fifty_chinese_or_a_hundred_latin_characters_fit() -> None:
    assert shorten_to_summary("记" * 50) == "记" * 50
    assert shorten_to_summary("a" * 100) == "a" * 100
    assert shorten_to_summary("记" * 51) == "记" * 49 + "…"


def test_latin_words_are_kept_whole() -> None:
    assert shorten_to_summary("The quick brown fox", 12) == "The quick…"
    assert shorten_to_summary("Donaudampfschiff", 8) == "Donauda…"


def test_only_the_first_line_is_summarised() -> None:
    assert shorten_to_summary("  First line.\nSecond line.") == "First line."


@given(st.text(alphabet="a记，. \n…x", max_size=250))
def test_a_summary_fits_and_is_how_the_content_begins(content: str) -> None:
    summary = shorten_to_summary(content)
    assert display_width(summary) <= MAXIMUM_SUMMARY_WIDTH
    assert content.strip().startswith(summary.removesuffix("…"))


@given(st.text(alphabet="a记，. x", min_size=1, max_size=250))
def test_a_content_is_not_embedded_twice(content: str) -> None:
    content = content.strip()
    assert embedded_text(shorten_to_summary(content), content) == content
