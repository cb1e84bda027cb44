"""Differences go by words in English and by characters in Chinese, and lose nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.page.memories.word_difference import compare_words


@pytest.mark.parametrize(
    ("before", "after", "removed", "added"),
    [
        ("I like tea", "I like coffee", ["tea"], ["coffee"]),
        ("我住在上海", "我住在杭州", ["上海"], ["杭州"]),
        ("", "new", [], ["new"]),
        ("same", "same", [], []),
    ],
)
def test_what_differs_is_told(
    before: str, after: str, removed: list[str], added: list[str]
) -> None:
    parts = compare_words(before, after)
    assert [part.text for part in parts if part.change == "removed"] == removed
    assert [part.text for part in parts if part.change == "added"] == added


@given(st.text(), st.text())
def test_both_texts_can_be_put_together_again(before: str, after: str) -> None:
    parts = compare_words(before, after)
    assert "".join(part.text for part in parts if part.change != "added") == before
    assert "".join(part.text for part in parts if part.change != "removed") == after
