"""Todos in a terminal: what is to be done, what is too late, and what became of it."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.client import PalimpsestClient
from palimpsest.model.kinds import Kind
from tests.support.services.host.terminal import added, answered, ask, unwrapped

NOW = datetime.now(UTC)


def at(moment: datetime) -> dict[str, object]:
    return {
        "words": "then",
        "starts_at": moment.isoformat(),
        "granularity": "instant",
        "all_day": False,
    }


def noted(url: str, content: str, *, due: datetime | None = None) -> str:
    """The id of a todo that is due at that moment."""
    data = {} if due is None else {"time": at(due)}

    async def note() -> str:
        async with PalimpsestClient(http_url=url) as client:
            done = await client.add(content, user_id="ann", kind=Kind.ACTION_ITEM, data=data)
            assert done.memory is not None
            return done.memory.id

    return asyncio.run(note())


def listed(url: str, *options: str) -> dict[str, str]:
    """The lines of a list by the ids that they begin with."""
    lines = ask(url, "todos", "list", *options).output.splitlines()
    return {line.partition(" ")[0]: line for line in lines}


@pytest.mark.parametrize("content", ["给房东打电话", "call the landlord"])
def test_a_todo_is_listed_completed_and_opened_again(url: str, content: str) -> None:
    todo = noted(url, content)
    assert listed(url)[todo] == f"{todo}  [open]  {content}"
    done = ask(url, "todos", "complete", todo).output.splitlines()
    assert done[0].startswith("changed 1; undo by ")
    assert f"{todo}  [done " in done[1]
    assert todo not in listed(url)
    assert listed(url, "--state", "done")[todo].endswith(content)
    assert "[open]" in ask(url, "todos", "reopen", todo).output
    assert todo in listed(url)
    change = ask(url, "todos", "complete", todo).output.splitlines()[0].rpartition(" ")[2]
    assert ask(url, "changes", "undo", change).exit_code == 0
    assert todo in listed(url)


def test_what_is_too_late_is_told_from_what_is_not(url: str) -> None:
    late = noted(url, "交季度报告", due=NOW - timedelta(days=2))
    early = noted(url, "water the plants", due=NOW + timedelta(days=2))
    never = noted(url, "learn the cello")
    every = listed(url)
    assert f"open, overdue since {NOW - timedelta(days=2):%Y-%m-%d %H:%M}" in every[late]
    assert f"open, due {NOW + timedelta(days=2):%Y-%m-%d %H:%M}" in every[early]
    assert "[open]" in every[never]
    assert set(listed(url, "--overdue")) == {late}
    found = answered(url, "todos", "list", "--overdue")["todos"]
    assert isinstance(found, list)
    assert [one["id"] for one in found] == [late]
    refused = ask(url, "todos", "list", "--overdue", "--state", "done")
    assert (refused.exit_code, "leave --state out" in unwrapped(refused)) == (2, True)


def test_what_is_cancelled_is_dropped_and_can_be_brought_back(url: str) -> None:
    todo = noted(url, "book a flight")
    assert ask(url, "todos", "cancel", todo).output.startswith("changed 1; undo by ")
    assert todo not in listed(url)
    assert "[dropped]" in listed(url, "--state", "dropped")[todo]
    assert ask(url, "todos", "cancel", todo).output.startswith("changed nothing")
    assert ask(url, "memories", "restore", todo).exit_code == 0
    assert "[open]" in listed(url)[todo]


def test_only_a_todo_that_is_open_can_be_cancelled(url: str) -> None:
    tea = added(url, "drinks tea")
    assert "no todo of this id" in str(ask(url, "todos", "cancel", tea).exception)
    assert "drinks tea" in ask(url, "memories", "list").output
    assert "no todo of this id" in str(ask(url, "todos", "complete", "unknown").exception)
    done = noted(url, "pay the rent")
    ask(url, "todos", "complete", done)
    assert "done already" in str(ask(url, "todos", "cancel", done).exception)


def test_nothing_to_be_done_is_said(url: str) -> None:
    told = ask(url, "todos", "list", user="bo").output
    assert told.startswith("There are no such todos here.")
    assert "--agent" in told
    late = ask(url, "todos", "list", "--overdue", "--agent", "poet", user="bo").output
    assert late == "Nothing is too late.\n"
