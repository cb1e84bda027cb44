"""What is announced tells when a day is over, and whether there was ever too much."""

import asyncio
from typing import Any

from palimpsest.model.change_set import Cause, ChangeSet, MemoryChange
from palimpsest.model.memory import Memory, Status
from palimpsest_lab.simulation.change_watcher import ChangeWatcher, ExpectedChanges, MemoryMirror
from palimpsest_lab.simulation.user_actions import UserActionType
from tests.support.lab.simulation.people import act, memory, on


def announced(event_type: str, event_id: str = "event", *after: Memory, **others: Any) -> ChangeSet:
    cause = Cause(event_id=event_id, type=event_type, occurred_at=on(1), received_at=on(1))
    return ChangeSet(
        **{
            "id": event_id,
            "user_id": "ann",
            "revision": 1,
            "epoch": 0,
            "cause": cause,
            "actor": "user",
            "reason": "",
            "decided_at": on(1),
            "changes": tuple(MemoryChange(after=one) for one in after),
            **others,
        }
    )


def test_a_day_is_over_when_every_request_and_conversation_left_its_change() -> None:
    expected = ExpectedChanges()
    expected.expect(requests=["one", "two"], conversations=["ann", "ann"])
    for change_set in (
        announced("RememberRequested", "one"),
        announced("CandidatesProposed"),
        announced("CandidatesProposed", user_id="ben"),
        announced("RememberRequested", "two"),
    ):
        expected.take(change_set)
        assert not expected.is_over
    assert expected.words() == (
        "0 requests, 1 conversations and 0 runs of maintenance were not handled"
    )
    expected.take(announced("CandidatesProposed"))
    assert expected.is_over


def test_maintenance_is_waited_for_of_whom_it_has_come_to_once() -> None:
    expected = ExpectedChanges()
    expected.expect_maintenance()
    assert expected.is_over
    expected.take(announced("RunMaintenance"))
    expected.expect_maintenance()
    assert not expected.is_over
    expected.take(announced("RunMaintenance"))
    assert expected.is_over


def test_more_than_the_limit_after_any_change_is_an_overrun() -> None:
    mirror = MemoryMirror(limit=1)
    one, two = (
        memory(name, act(1, UserActionType.STATE, "city", "Leeds")) for name in ("one", "two")
    )
    mirror.take(announced("RememberRequested", "1", one))
    archived = one.model_copy(update={"status": Status.ARCHIVED})
    mirror.take(announced("RememberRequested", "2", two, archived))
    assert (mirror.overruns, mirror.most) == (0, 1)
    assert mirror.active("ann") == [two]
    mirror.take(announced("RestoreMemory", "3", one))
    assert (mirror.overruns, mirror.most) == (1, 2)


def test_what_is_announced_once_more_is_no_news() -> None:
    mirror = MemoryMirror(limit=1)
    one, two = (
        memory(name, act(1, UserActionType.STATE, "city", "Leeds")) for name in ("one", "two")
    )
    archived = one.model_copy(update={"status": Status.ARCHIVED, "version": one.version + 1})
    stated = announced("RememberRequested", "1", one)
    for change_set in (stated, announced("RememberRequested", "2", two, archived), stated):
        mirror.take(change_set)
    assert (mirror.overruns, mirror.most) == (0, 1)


async def test_whoever_waits_is_told_with_the_last_change() -> None:
    watching = ChangeWatcher(MemoryMirror())
    await watching.until_over()
    watching.expected.expect(requests=["one"])
    waiting = asyncio.create_task(watching.until_over())
    await asyncio.sleep(0)
    watching.hear(announced("RememberRequested", "another"))
    assert not waiting.done()
    watching.hear(announced("RememberRequested", "one"))
    await waiting
