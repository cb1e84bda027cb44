from datetime import timedelta

import pytest

from services.consolidator.finished_revisions import FINISHED_REVISION_LIFETIME, FinishedRevisions
from tests.support.clock import SettableClock


@pytest.fixture
def lines(clock: SettableClock) -> FinishedRevisions:
    return FinishedRevisions(clock)


def test_nobody_is_known_at_first(lines: FinishedRevisions) -> None:
    assert lines.unknown(["alice", "bob", "alice"]) == ["alice", "bob"]


def test_a_line_is_relied_on_while_it_is_in_use(
    lines: FinishedRevisions, clock: SettableClock
) -> None:
    lines.stand_at({"alice": 3})
    for revision in range(4, 9):
        clock.advance(FINISHED_REVISION_LIFETIME - timedelta(milliseconds=1))
        assert lines.unknown(["alice"]) == []
        lines.stand_at({"alice": revision})
    assert lines.revisions(["alice"]) == {"alice": 8}


def test_a_line_that_was_left_alone_is_looked_up_again(
    lines: FinishedRevisions, clock: SettableClock
) -> None:
    lines.stand_at({"alice": 3})
    clock.advance(FINISHED_REVISION_LIFETIME)
    assert lines.unknown(["alice"]) == ["alice"]


def test_a_line_that_is_in_doubt_is_forgotten(lines: FinishedRevisions) -> None:
    lines.stand_at({"alice": 3, "bob": 1})
    lines.forget(["alice", "carol"])
    assert lines.unknown(["alice", "bob"]) == ["alice"]


def test_how_far_a_line_is_finished_is_noted_now_and_then(lines: FinishedRevisions) -> None:
    lines.stand_at({"alice": 63})
    assert lines.due_checkpoints() == {}
    lines.stand_at({"alice": 64})
    assert lines.due_checkpoints() == {"alice": 64}
    lines.stand_at({"alice": 100})
    assert lines.due_checkpoints() == {}
