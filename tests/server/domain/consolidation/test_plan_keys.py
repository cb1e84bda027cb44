"""Under how many keys a plan is kept."""

from palimpsest_server.domain.consolidation.memory_keys import stored_keys
from palimpsest_server.domain.consolidation.plan_keys import MAXIMUM_PLAN_NAMES
from tests.support.language.plans.planning import planned
from tests.support.server.domain.consolidation.samples import candidate


def test_what_is_neither_a_plan_nor_called_off_has_no_key_of_its_own() -> None:
    assert stored_keys(candidate("The user was in Tucson once")) == []
    long = planned("The user is flying " + " and ".join(f"city{'x' * n}" for n in range(30)))
    assert len(stored_keys(long)) <= MAXIMUM_PLAN_NAMES + 1, "and one for the message that told it"
