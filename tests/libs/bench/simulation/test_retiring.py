"""The generator restates when a policy may retire something: it must be what the policy does."""

from datetime import timedelta

import pytest

from palimpsest.bench.simulation.acts import Doing
from palimpsest.bench.simulation.living import TOLD_AS
from palimpsest.bench.simulation.retiring import may_be_retired, retired_after_days
from palimpsest.domain.forgetting.judging import judged
from palimpsest.domain.forgetting.policies import POLICIES
from palimpsest.domain.forgetting.policy import Verdict
from palimpsest.domain.forgetting.standing import Standing
from palimpsest.domain.kinds import KINDS, Kind
from palimpsest.domain.memory import Accesses
from palimpsest.domain.user import ForgettingPolicy, UserSettings
from tests.libs.bench.simulation.people import act, memory, on


def test_it_restates_the_default_policy() -> None:
    assert UserSettings.model_fields["forgetting_policy"].default is ForgettingPolicy.GATED


@pytest.mark.parametrize(("kind", "importance"), sorted(set(TOLD_AS), key=str))
def test_nothing_goes_before_it_may_and_what_may_go_goes(
    kind: Kind, importance: float | None
) -> None:
    told = act(1, Doing.TELL, None, "something", kind=kind, importance=importance)
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
        judgement = judged(Standing(standing, Accesses(), now), POLICIES[ForgettingPolicy.GATED])
        if judgement.verdict is Verdict.FORGOTTEN:
            gone_on = day
            break
        if judgement.importance is not None:
            update = {"importance": judgement.importance, "faded_at": now}
            standing = standing.model_copy(update=update)
        assert gone_on is None
    permitted = retired_after_days(told)
    assert (gone_on is None) == (permitted is None)
    if gone_on is not None and permitted is not None:
        assert 0 <= gone_on + 1 / 24 - permitted <= 1
        assert may_be_retired(told, on(1) + timedelta(days=gone_on, hours=1))
    assert not may_be_retired(told, on(1) + timedelta(days=(permitted or 400) - 1))
