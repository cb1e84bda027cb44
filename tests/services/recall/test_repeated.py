"""What may say the same again is held against each other, and the rest is left in peace."""

import pytest

from services.recall.repeated import alike


@pytest.mark.parametrize(
    ("question", "contents"),
    [
        ("我喜欢喝什么？", ["我喜欢喝乌龙茶", "我最爱乌龙", "平时我都喝乌龙茶"]),
        ("what do I like to drink?", ["I like oolong tea", "Oolong is my favourite tea"]),
        ("where do I live?", ["I live in Austin now", "lives in Austin"]),
    ],
)
def test_ways_of_saying_one_thing_are_alike(question: str, contents: list[str]) -> None:
    others = ["周末偶尔去爬山", "My sister plays the cello in Bremen"]
    found = alike({text: text for text in [*contents, *others]}, question)
    assert found == set(contents)


def test_what_only_the_question_has_in_common_is_not() -> None:
    contents = ["Nora bakes bread", "Nora sails to Norway"]
    assert alike({text: text for text in contents}, "What does Nora do?") == set()
