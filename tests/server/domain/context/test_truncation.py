"""A text is cut where a sentence ends, and behind a word only where not even one fits."""

import pytest

from palimpsest_server.domain.context.truncation import truncate_text

ENDS = [
    ("Ada bakes. She lives in Kiel.", "Ada bakes."),
    ("Does Ada bake? She does!", "Does Ada bake?"),
    ("“I bake.” Ada said so.", "“I bake.”"),
    ("Dr. Lee met J. R. Smith at St. Pauli. They talked.", "Dr. Lee met J. R. Smith at St. Pauli."),
    ("It costs 3.50 euros at example.com. She paid.", "It costs 3.50 euros at example.com."),
    ("She likes fruit, e.g. pears. And nuts.", "She likes fruit, e.g. pears."),
    ("First paragraph\nSecond paragraph", "First paragraph"),
    ("小明在上海工作。他喜欢骑车。", "小明在上海工作。"),
    ("他问：“去吗？”她说去。", "他问：“去吗？”"),
    ("小明喜欢 Python 3.11！每天都用。", "小明喜欢 Python 3.11！"),
    ("他想换工作……还没决定。", "他想换工作……"),
    ("住在上海\n工作在苏州", "住在上海"),
]


@pytest.mark.parametrize(("text", "first"), ENDS)
def test_the_first_sentence_stands_where_no_more_fits(text: str, first: str) -> None:
    assert truncate_text(text, lambda beginning: len(beginning) <= len(first)) == first
    assert truncate_text(text, lambda beginning: len(beginning) < len(text)) == first
    assert truncate_text(text, lambda _: True) == text


def test_as_many_sentences_stand_as_fit() -> None:
    text = "One. Two. Three. Four."
    assert truncate_text(text, lambda beginning: len(beginning) <= 16) == "One. Two. Three."


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("Ada bakes bread, cakes and pies every morning.", "Ada bakes bread…"),
        ("小明在上海的一家银行工作，已经五年了。", "小明在上海的一家银行工作，已经五…"),
        ("小明喜欢TypeScript和React还有别的。", "小明喜欢TypeScript和…"),
    ],
)
def test_a_first_sentence_that_is_too_long_is_cut_behind_a_word(text: str, beginning: str) -> None:
    assert truncate_text(text, lambda one: len(one) <= 17) == beginning


@pytest.mark.parametrize("text", ["", "Incomprehensibilities", "。", "…。!"])
def test_nothing_stands_where_not_even_a_word_fits(text: str) -> None:
    assert truncate_text(text, lambda one: not one) == ""
