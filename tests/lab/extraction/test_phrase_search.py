"""When a text holds a value, and when it denies one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_lab.extraction.phrase_search import has_phrase, is_any_phrase_denied


@given(st.text(max_size=40), st.text(alphabet="abc ,。不咖啡12", max_size=40))
def test_a_text_holds_itself_among_others_and_nothing_holds_an_empty_one(
    text: str, around: str
) -> None:
    assert has_phrase(f"{around} | {text} | {around}", text) is has_phrase(text, text)
    assert not has_phrase(text, " ,。")


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
    assert is_any_phrase_denied(text, ["香菜"]) is denied
