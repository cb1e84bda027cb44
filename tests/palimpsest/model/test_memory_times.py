from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_times import (
    ends_at,
    is_held_at,
    is_held_between,
    read_moment,
    read_stated_time,
    starts_at,
)
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from tests.support.server.domain.consolidation.samples import candidate, day


def memory(identity: str = "m", *, on: int = 0, **fields: Any) -> Memory:
    stated = build_memory(candidate(identity, on=on), received_at=day(on), epoch=0)
    return stated.model_copy(update={"id": identity, **fields})


@pytest.mark.parametrize(
    ("fields", "on", "held"),
    [
        ({}, 0, True),
        ({}, 900, True),
        ({}, -1, False),
        ({"valid_until": day(5)}, 4, True),
        ({"valid_until": day(5)}, 5, False),
        ({"valid_until": day(5), "status": Status.SUPERSEDED}, 4, True),
        ({"valid_until": day(0), "status": Status.SUPERSEDED}, 0, False),
        ({"expires_at": day(5)}, 4, True),
        ({"expires_at": day(5)}, 5, False),
        ({"status": Status.PENDING}, 1, False),
        ({"status": Status.REJECTED}, 1, False),
        ({"status": Status.FORGOTTEN}, 1, False),
        ({"status": Status.ARCHIVED}, 1, False),
        ({"status": Status.PURGED}, 1, False),
    ],
)
def test_what_held_when(fields: dict[str, Any], on: int, held: bool) -> None:
    assert is_held_at(memory(**fields), day(on)) is held


@pytest.mark.parametrize(
    ("fields", "since", "until", "held"),
    [
        ({}, None, None, True),
        ({}, -9, 0, False),
        ({}, -9, 1, True),
        ({"valid_until": day(5), "status": Status.SUPERSEDED}, 4, 9, True),
        ({"valid_until": day(5), "status": Status.SUPERSEDED}, 5, 9, False),
        ({"valid_until": day(5)}, 5, None, False),
        ({"expires_at": day(5)}, 5, 9, False),
        ({"status": Status.FORGOTTEN}, 1, 2, False),
    ],
)
def test_what_held_at_some_moment_of_a_time(
    fields: dict[str, Any], since: int | None, until: int | None, held: bool
) -> None:
    from_then, until_then = (None if one is None else day(one) for one in (since, until))
    assert is_held_between(memory(**fields), from_then, until_then) is held


@given(st.integers(0, 40), st.integers(1, 40), st.integers(-5, 90))
def test_of_what_follows_one_another_one_holds_at_any_moment(
    start: int, lasts: int, asked: int
) -> None:
    ends = day(start + lasts)
    line = [
        memory("old", on=start, status=Status.SUPERSEDED, valid_until=ends),
        memory("new", on=start + lasts),
    ]
    at = day(asked) + timedelta(milliseconds=1)
    assert [is_held_at(one, at) for one in line].count(True) == (asked >= start)


@pytest.mark.parametrize(
    "written",
    [
        "9999-12-31T23:59:59Z",
        "1000-01-01T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "2026-01-01",
        "soon",
        [5],
        None,
    ],
)
def test_a_time_of_a_memory_that_is_none_or_too_far_is_no_time(written: Any) -> None:
    data = {"due_at": written}
    assert read_moment(data, "due_at") is None
    assert read_stated_time(data) is None
    for time in ({"starts_at": written}, {"ends_at": written}, written):
        said = memory(data={"time": time})
        assert read_stated_time(said.data) is None
        assert (starts_at(said), ends_at(said)) == (None, None)
