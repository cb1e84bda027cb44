"""Under how many keys a plan is kept."""

from palimpsest_language.plans.denied_words import MAXIMUM_VALUE_WORDS, list_value_words
from palimpsest_server.domain.consolidation.memory_keys import stored_keys
from palimpsest_server.domain.consolidation.plan_keys import (
    LONGEST_PLAN,
    MAXIMUM_PLAN_NAMES,
    plan_ending_keys,
    plan_keys,
)
from tests.support.language.plans.planning import planned
from tests.support.server.domain.consolidation.samples import candidate


def test_what_is_neither_a_plan_nor_called_off_has_no_key_of_its_own() -> None:
    told = candidate("The user was in Tucson once")
    assert len(stored_keys(told)) == len(list_value_words(told)), "only what a denial finds it by"
    long = planned("The user is flying " + " and ".join(f"city{'x' * n}" for n in range(30)))
    most = MAXIMUM_PLAN_NAMES + MAXIMUM_VALUE_WORDS + 1
    assert len(stored_keys(long)) <= most, "and one for the message that told it"


def test_a_document_is_no_plan_whatever_it_says_of_plans() -> None:
    for words in ("The user is flying to Tucson on Friday. ", "用户下周五飞去图森，不去凤凰城了。"):
        statement, document = planned(words), planned(words * (1 + LONGEST_PLAN // len(words)))
        assert len(plan_keys(statement)) > 1
        assert len(plan_keys(document)) <= 1, "only what finds it by its message"
        assert plan_ending_keys(document) == plan_ending_keys(document)[:1]
