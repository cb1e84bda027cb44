"""Under how many keys a plan is kept."""

from palimpsest_language.plans.denied_words import MAXIMUM_VALUE_WORDS, list_value_words
from palimpsest_server.domain.consolidation.memory_keys import stored_keys
from palimpsest_server.domain.consolidation.plan_keys import MAXIMUM_PLAN_NAMES
from tests.support.language.plans.planning import planned
from tests.support.server.domain.consolidation.samples import candidate


def test_what_is_neither_a_plan_nor_called_off_has_no_key_of_its_own() -> None:
    told = candidate("The user was in Tucson once")
    assert len(stored_keys(told)) == len(list_value_words(told)), "only what a denial finds it by"
    long = planned("The user is flying " + " and ".join(f"city{'x' * n}" for n in range(30)))
    most = MAXIMUM_PLAN_NAMES + MAXIMUM_VALUE_WORDS + 1
    assert len(stored_keys(long)) <= most, "and one for the message that told it"
