"""A message that says no more than the question, however it is written."""

import pytest

from palimpsest_language.question_intents.repeated_question import (
    normalize_question,
    repeats_question,
)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("What should I bring to Nora's party?", "what should I bring to Nora's party"),
        ("WHAT SHOULD I  BRING?!", "What should I bring?"),
        ("我该带什么？", "我该带什么"),
        ("我 该带什么。", "我该带什么？"),
        ("３点开会吗？", "3点开会吗"),
    ],
)
def test_case_width_spaces_and_marks_at_the_end_make_no_other_message(
    text: str, question: str
) -> None:
    assert repeats_question(text, normalize_question(question))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("What should I bring to Nora's party? Wine.", "What should I bring to Nora's party?"),
        ("我该带什么酒", "我该带什么"),
        ("-5", "5"),
        ("", "?"),
    ],
)
def test_a_word_more_does(text: str, question: str) -> None:
    assert not repeats_question(text, normalize_question(question))
