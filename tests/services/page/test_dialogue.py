"""A pasted dialogue: who speaks, and the stretches that are marked in it."""

import pytest

from palimpsest.api.extraction_preview import LeftOutReason
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from services.page.dialogue import Stretch, mark_quotes, parse_dialogue
from services.page.translations import load_words


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("user: hi\nassistant: hello\nthere", [("user", "hi"), ("agent", "hello\nthere")]),
        ("用户：你好\n助手：好的", [("user", "你好"), ("agent", "好的")]),
        ("I live here.\nTime: 10:30", [("user", "I live here.\nTime: 10:30")]),
        ("Assistant: \nuser:   ", []),
        ("", []),
    ],
)
def test_a_line_with_a_known_speaker_begins_a_message(
    text: str, messages: list[tuple[str, str]]
) -> None:
    parsed = [(message.role, message.text) for message in parse_dialogue(text)]
    assert parsed == [(Role(role), words) for role, words in messages]


def test_quotes_are_marked_where_they_stand_and_no_word_is_lost() -> None:
    text = "I moved to Denver, and I like tea."
    quotes = [("I like tea", 2), ("I moved to Denver", 1), ("Denver", 3), ("not said", 4)]
    stretches = mark_quotes(text, quotes)
    assert stretches == [
        Stretch("I moved to ", is_quoted=True),
        Stretch("Denver", is_quoted=True, numbers=(1, 3)),
        Stretch(", and "),
        Stretch("I like tea", is_quoted=True, numbers=(2,)),
        Stretch("."),
    ]
    assert "".join(stretch.text for stretch in stretches) == text
    assert mark_quotes("", quotes) == []


def test_every_reason_has_words() -> None:
    words = load_words(Language.ENGLISH)
    assert {f"extraction.left_{reason}" for reason in LeftOutReason} <= set(words)
