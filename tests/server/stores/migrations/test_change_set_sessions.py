"""A change belongs to the one conversation that its new evidence was said in."""

from typing import Any

import pytest

from palimpsest_server.stores.migrations.steps.step_004_change_set_sessions import find_session_id


def memory(*said: tuple[str, str | None]) -> dict[str, Any]:
    return {"evidence": [{"message_id": key, "session_id": session} for key, session in said]}


def change(after: dict[str, Any], before: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"record": "memory", "before": before, "after": after}


@pytest.mark.parametrize(
    ("changes", "session_id"),
    [
        ([], None),
        ([change(memory(("1", "march")))], "march"),
        ([change(memory(("1", "march"))), change(memory(("2", "march")))], "march"),
        ([change(memory(("1", "march"))), change(memory(("2", "may")))], None),
        ([change(memory(("1", "march"), ("2", "may")), memory(("1", "march")))], "may"),
        ([change(memory(("1", "march")), memory(("1", "march")))], None),
        ([change(memory(("1", None)))], None),
        ([{"record": "summary", "after": {"session_id": "march"}}], "march"),
        ([{"record": "summary", "after": {"session_id": "march"}}, change(memory())], "march"),
        ([{"record": "todo", "after": {"id": "t"}}], None),
    ],
)
def test_the_conversation_is_that_of_what_was_added(
    changes: list[dict[str, Any]], session_id: str | None
) -> None:
    assert find_session_id(changes) == session_id
