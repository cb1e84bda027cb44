"""A message that does nothing but ask answers nobody."""

import pytest

from palimpsest_language.question_intents.bare_questions import is_only_a_question


@pytest.mark.parametrize(
    "text",
    [
        "How old is Theo?",
        "Ha, fair enough. How old is Theo?",
        "Nice! And where do you work?",
        "好的！你住在哪里？",
        "想吃什么？要不要辣的？",
    ],
)
def test_what_asks_and_says_nothing_beside_it(text: str) -> None:
    assert is_only_a_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "Theo is six.",
        "Theo is six. And Imani?",
        "没有奶制品。还有谁忌口？",
        "I hope the move goes smoothly.",
        "ok",
        "",
    ],
)
def test_what_tells_something_or_asks_nothing(text: str) -> None:
    assert not is_only_a_question(text)
