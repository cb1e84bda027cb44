"""What is told of others' words is not the speaker's own."""

import pytest

from palimpsest_language.statements.suppositions import is_hearsay


@pytest.mark.parametrize(
    ("text", "hearsay"),
    [
        ("don't use emojis in anything that goes to clients", False),
        ("then she goes “no way”", True),
        ("my kids read every night", False),
        ("my doctor said I have an irregular heartbeat", False),
        ("my brother says fasting cures everything", True),
    ],
)
def test_only_what_is_told_of_others_words_is_hearsay(text: str, hearsay: bool) -> None:
    assert is_hearsay(text, chinese=False) is hearsay
