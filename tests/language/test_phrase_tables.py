"""Sets of phrases find what their rows find, one by one and in their order."""

import pytest

from palimpsest_language.phrase_tables import PhraseSet, read_phrases
from palimpsest_language.rule_tables import all_rules, disabled, record_matches

ROWS = [row for row in all_rules() if "sign" in row.columns]
LARGE_SETS = sorted(
    {
        (row.table, row.columns["sign"])
        for row in ROWS
        if len(read_phrases(row.table)[row.columns["sign"]]) > 8
    }
)
TEXTS = [example["text"] for row in ROWS for example in row.examples]


def find_rule(phrases: PhraseSet, text: str) -> str | None:
    found = phrases.find(text)
    return None if found is None else found[0].id


@pytest.mark.parametrize(("table", "sign"), LARGE_SETS)
def test_a_set_that_looks_for_words_first_leaves_out_nothing(table: str, sign: str) -> None:
    phrases = read_phrases(table)[sign]
    one_by_one = [PhraseSet([phrase]) for phrase in phrases]
    for text in TEXTS:
        rows = [row.find(text) for row in one_by_one]
        first = next((found[0].id for found in rows if found is not None), None)
        assert find_rule(phrases, text) == first, text


def test_the_next_row_answers_for_one_that_is_switched_off() -> None:
    phrases = read_phrases("statements/agreements")["agrees"]
    text = "Agreed."
    first = find_rule(phrases, text)
    assert first is not None
    with disabled([first]):
        assert find_rule(phrases, text) != first
    assert find_rule(phrases, text) == first


@pytest.mark.parametrize(
    ("text", "rest"),
    [("at 8, I think", "8"), ("大概七月吧", "七月"), ("sometime in May", "May")],
)
def test_what_fits_is_taken_out_in_both_languages(text: str, rest: str) -> None:
    left = read_phrases("statements/plan_details")["beside_a_time"].sub("", text)
    assert left.strip(" ,") == rest


def test_each_match_is_found_and_its_row_noted() -> None:
    phrases = read_phrases("plans/abandoned_plans")["gives_up"]
    with record_matches() as matched:
        found = [match.group() for match in phrases.finditer("全马我放弃了，云南也取消了")]
    assert (len(found), len(matched)) == (2, 1)
