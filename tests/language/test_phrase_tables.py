"""Sets of phrases find what their rows find, one by one and in their order."""

from collections.abc import Callable, Iterable
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

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


def test_a_chinese_row_that_says_nothing_else_fits_no_text_of_ascii() -> None:
    rows = [
        phrase
        for table in {row.table for row in ROWS}
        for phrases in read_phrases(table).values()
        for phrase in phrases
        if phrase.is_chinese
    ]
    assert len(rows) > 300
    fitting = [
        row.id
        for row in rows
        if not needs_more_than_ascii(parser.parse(row.pattern.pattern, row.pattern.flags))
    ]
    assert fitting == []


def needs_more_than_ascii(sequence: Iterable[tuple[Any, Any]]) -> bool:
    """Tell whether whatever matches a parsed pattern has a character beyond ASCII."""
    return any(READERS[code](argument) for code, argument in sequence if code in READERS)


def is_beyond_ascii(member: tuple[Any, Any]) -> bool:
    code, character = member
    first = character[0] if code is codes.RANGE else character
    return code in (codes.LITERAL, codes.RANGE) and not chr(first).isascii()


READERS: dict[Any, Callable[[Any], bool]] = {
    codes.LITERAL: lambda character: not chr(character).isascii(),
    codes.IN: lambda members: all(map(is_beyond_ascii, members)),
    codes.BRANCH: lambda branches: all(map(needs_more_than_ascii, branches[1])),
    codes.SUBPATTERN: lambda group: needs_more_than_ascii(group[-1]),
    codes.ATOMIC_GROUP: needs_more_than_ascii,
    codes.ASSERT: lambda look: needs_more_than_ascii(look[1]),
    **dict.fromkeys(
        (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT),
        lambda repeat: repeat[0] > 0 and needs_more_than_ascii(repeat[2]),
    ),
}
