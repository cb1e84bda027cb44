"""Sets of phrases find what their rows find, one by one and in their order."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, cast

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


@pytest.mark.parametrize(
    ("script", "is_of_script"),
    [
        ("zh", lambda character: not chr(character).isascii()),
        ("en", lambda character: chr(character).isascii() and chr(character).isalpha()),
    ],
)
def test_a_row_fits_no_text_without_a_letter_of_its_script(
    script: str, is_of_script: Callable[[int], bool]
) -> None:
    rows = [
        phrase
        for table in {row.table for row in ROWS}
        for phrases in read_phrases(table).values()
        for phrase in phrases
        if phrase.script == script
    ]
    assert len(rows) > 300
    needs = NeededCharacters(is_of_script)
    fitting = [
        row.id
        for row in rows
        if not needs.are_in(parser.parse(row.pattern.pattern, row.pattern.flags))
    ]
    assert fitting == []


@dataclass(frozen=True)
class NeededCharacters:
    """Tells whether whatever matches a parsed pattern has a character of a kind."""

    is_needed: Callable[[int], bool]

    def are_in(self, sequence: Iterable[tuple[Any, Any]]) -> bool:
        return any(self._is_in(code, argument) for code, argument in sequence)

    def _is_in(self, code: Any, argument: Any) -> bool:
        if code is codes.LITERAL:
            return self.is_needed(argument)
        if code is codes.IN:
            return all(map(self._is_member, argument))
        if code is codes.BRANCH:
            return all(map(self.are_in, argument[1]))
        inner = self._inside(code, argument)
        return inner is not None and self.are_in(inner)

    def _inside(self, code: Any, argument: Any) -> Iterable[tuple[Any, Any]] | None:
        if code in REPEATS and argument[0] > 0:
            return cast("Iterable[tuple[Any, Any]]", argument[2])
        if code in (codes.SUBPATTERN, codes.ASSERT):
            return cast("Iterable[tuple[Any, Any]]", argument[-1])
        return cast("Iterable[tuple[Any, Any]]", argument) if code is codes.ATOMIC_GROUP else None

    def _is_member(self, member: tuple[Any, Any]) -> bool:
        code, character = member
        if code is codes.RANGE:
            return all(map(self.is_needed, character))
        return code is codes.LITERAL and self.is_needed(character)


REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
