"""The transitions between statuses, as the design allows them."""

import pytest

from palimpsest.model.memory import Status
from palimpsest_server.domain.consolidation.status_transitions import ALLOWED_TRANSITIONS


def test_every_status_has_its_moves() -> None:
    assert set(ALLOWED_TRANSITIONS) == set(Status)


def test_what_is_purged_stays_purged() -> None:
    assert ALLOWED_TRANSITIONS[Status.PURGED] == frozenset()


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.PURGED}))
def test_everything_else_can_be_purged(status: Status) -> None:
    assert Status.PURGED in ALLOWED_TRANSITIONS[status]


def test_nothing_moves_to_where_it_is() -> None:
    assert not any(status in moves for status, moves in ALLOWED_TRANSITIONS.items())


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.PURGED}))
def test_every_move_but_a_purge_has_its_way_back(status: Status) -> None:
    for target in ALLOWED_TRANSITIONS[status] - {Status.PURGED}:
        assert status in ALLOWED_TRANSITIONS[target]


def test_forgetting_is_soft() -> None:
    assert Status.ACTIVE in ALLOWED_TRANSITIONS[Status.FORGOTTEN]
