"""The drawer shows a message once, with all the quotes of it."""

from palimpsest.model.memory import Evidence
from services.page.memories.drawer import group_quotes


def quote(words: str, message_id: str | None, session_id: str | None = "monday") -> Evidence:
    return Evidence(quote=words, session_id=session_id, message_id=message_id)


def test_quotes_of_one_message_are_shown_together() -> None:
    first, other, second = quote("I moved", "1"), quote("I moved", "2"), quote("to Rome", "1")
    assert group_quotes([first, other, second]) == [[first, second], [other]]


def test_quotes_of_no_message_are_shown_each() -> None:
    edits = [quote("I row", None), quote("I ski", None), quote("I run", "1", session_id=None)]
    assert group_quotes(edits) == [[edit] for edit in edits]


def test_messages_of_two_conversations_are_not_mixed_up() -> None:
    mixed = [quote("I row", "1"), quote("I row", "1", session_id="friday")]
    assert group_quotes(mixed) == [[each] for each in mixed]
