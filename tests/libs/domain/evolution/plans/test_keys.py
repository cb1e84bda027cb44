"""Under how many keys a plan is kept."""

from palimpsest.domain.evolution.keys import stored_keys
from palimpsest.domain.evolution.plans.keys import MOST_NAMES
from tests.libs.domain.evolution.plans.planning import planned
from tests.libs.domain.evolution.samples import candidate


def test_what_is_neither_a_plan_nor_called_off_has_no_key_of_its_own() -> None:
    assert stored_keys(candidate("The user was in Tucson once")) == []
    long = planned("The user is flying " + " and ".join(f"city{'x' * n}" for n in range(30)))
    assert len(stored_keys(long)) <= MOST_NAMES + 1, "and one for the message that told it"
