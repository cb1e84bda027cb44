"""The generator restates when a policy may retire something: it must be what the policy does."""

from datetime import timedelta

import pytest

from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import Accesses
from palimpsest.model.user import ForgettingPolicy, UserSettings
from palimpsest_lab.simulation.action_generator import TOLD_KINDS
from palimpsest_lab.simulation.retirement_rules import find_retirement_days, is_retirable
from palimpsest_lab.simulation.user_actions import UserActionType
from palimpsest_server.domain.forgetting.decision import decide_forgetting
from palimpsest_server.domain.forgetting.forgetting_rule import ForgettingVerdict
from palimpsest_server.domain.forgetting.policies.registry import POLICIES
from palimpsest_server.domain.forgetting.retention_state import RetentionState
from tests.support.lab.simulation.people import act, memory, on


def test_it_restates_the_default_policy() -> None:
    assert UserSettings.model_fields["forgetting_policy"].default is ForgettingPolicy.GATED


@pytest.mark.parametrize(("kind", "importance"), sorted(set(TOLD_KINDS), key=str))
def test_nothing_goes_before_it_may_and_what_may_go_goes(
    kind: Kind, importance: float | None
) -> None:
    told = act(1, UserActionType.TELL, None, "something", kind=kind, importance=importance)
    standing = memory(
        "told",
        told,
        kind=kind,
        importance=KINDS[kind].importance if importance is None else importance,
        lifetime=KINDS[kind].lifetime,
    )
    gone_on = None
    for day in range(400):
        now = on(1) + timedelta(days=day, hours=1)
        judgement = decide_forgetting(
            RetentionState(standing, Accesses(), now), POLICIES[ForgettingPolicy.GATED]
        )
        if judgement.verdict is ForgettingVerdict.FORGOTTEN:
            gone_on = day
            break
        if judgement.importance is not None:
            update = {"importance": judgement.importance, "faded_at": now}
            standing = standing.model_copy(update=update)
        assert gone_on is None
    permitted = find_retirement_days(told)
    assert (gone_on is None) == (permitted is None)
    if gone_on is not None and permitted is not None:
        assert 0 <= gone_on + 1 / 24 - permitted <= 1
        assert is_retirable(told, on(1) + timedelta(days=gone_on, hours=1))
    assert not is_retirable(told, on(1) + timedelta(days=(permitted or 400) - 1))
