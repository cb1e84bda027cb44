"""Every rule understands its examples and is silent on its counter-examples."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.facts.fact_matcher import FactMatch, SentenceSpeaker, match_facts
from palimpsest_language.rule_tables import RuleRow, all_rules, disabled

RULES = all_rules()
TABLES = sorted({row.table for row in RULES})
SPEAKER = SentenceSpeaker(Role.USER, None)


def read_facts(text: str) -> list[FactMatch]:
    return [
        match
        for sentence in split_declarative_sentences(text)
        for match in match_facts(sentence, SPEAKER, message=1)
    ]


def read_fact_example(row: RuleRow, example: Mapping[str, Any]) -> Mapping[str, Any]:
    """Tell of the example what the rule makes of it, and which other rules match beside it."""
    told = read_facts(example["text"])
    others = sorted(match.rule for match in told if match.rule != row.id)
    found: dict[str, Any] = {"text": example["text"], **({"also": others} if others else {})}
    for proposal in (match.proposal for match in told if match.rule == row.id):
        found |= {"content": proposal.content}
        if proposal.value is not None:
            found["value"] = proposal.value
        if proposal.attribute != row.columns.get("attribute"):
            found["attribute"] = proposal.attribute
        if proposal.replaces is not None:
            found["replaces"] = proposal.replaces
        assert proposal.ended == row.columns.get("ended", False)
    return found


def fact_examples_that_fail(row: RuleRow) -> list[object]:
    failed: list[object] = [
        (row.id, expected, found)
        for expected in row.examples
        if (found := read_fact_example(row, expected)) != expected
    ]
    return failed + [(row.id, text) for text in row.counter_examples if read_facts(text)]


RUNNERS: dict[str, Callable[[RuleRow], list[object]]] = {"facts": fact_examples_that_fail}
"""By the room of the table: how its examples are read."""


@pytest.mark.parametrize("table", TABLES)
def test_the_rules_of_a_table_do_as_their_examples_say(table: str) -> None:
    run = RUNNERS[table.split("/", 1)[0]]
    assert [failure for row in RULES if row.table == table for failure in run(row)] == []


def test_every_rule_has_an_example() -> None:
    assert [row.id for row in RULES if not row.examples] == []


def test_no_two_rules_share_an_id() -> None:
    assert [rule for rule, count in Counter(row.id for row in RULES).items() if count > 1] == []


def test_the_examples_are_many() -> None:
    examples = sum(len(row.examples) for row in RULES)
    counter_examples = sum(len(row.counter_examples) for row in RULES)
    assert (examples >= 560, counter_examples >= 90) == (True, True)


def test_a_rule_that_is_switched_off_matches_nothing() -> None:
    rule = next(row for row in RULES if row.table == "facts/english/changes")
    text = rule.examples[0]["text"]
    with disabled([rule.id]):
        assert rule.id not in {match.rule for match in read_facts(text)}
    assert rule.id in {match.rule for match in read_facts(text)}


def test_a_rule_that_does_not_exist_cannot_be_switched_off() -> None:
    with pytest.raises(ValueError, match="no such rule"), disabled(["en.nowhere.1"]):
        pass
