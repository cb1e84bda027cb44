"""Whether an account of a session may be told, as a table."""

import pytest

from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.user import UserState
from palimpsest_server.domain.summaries.summary_visibility import (
    is_rewrite_needed,
    is_summary_visible,
)
from tests.support.server.domain.session_summaries import summary

OWN = summary().id


def going(**fields: object) -> UserState:
    erasure = Erasure.model_validate({"epoch": 0, **fields})
    return UserState(going=(PendingErasure(erasure=erasure, revision=1),))


def taken_back(*turns: str, of: str = OWN) -> UserState:
    return UserState(not_told={of: frozenset(turns)})


@pytest.mark.parametrize(
    ("left_out", "state", "told", "anew"),
    [
        ((), UserState(), True, False),
        ((), UserState(epoch=1), False, False),
        ((), going(summary_ids=(OWN,)), False, False),
        ((), going(turn_ids=("a",)), True, False),
        ((), taken_back("a"), False, True),
        (("a",), taken_back("a"), True, False),
        (("a",), taken_back("a", "b"), False, True),
        ((), taken_back("a", of="another session's"), True, False),
        # Something was restored: what leaves it out may be told, until there is a better one.
        (("a", "b"), taken_back("a"), True, True),
        (("a",), UserState(), True, True),
    ],
)
def test_what_rests_on_what_was_taken_back_is_not_told(
    left_out: tuple[str, ...], state: UserState, *, told: bool, anew: bool
) -> None:
    standing = summary(left_out=left_out)
    assert is_summary_visible(standing, state) is told
    assert is_rewrite_needed(standing, state) is anew


def test_a_placeholder_is_not_told_anew_for_it_tells_nothing() -> None:
    assert not is_rewrite_needed(summary(failed=True), taken_back("a"))
