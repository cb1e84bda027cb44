"""What a pattern needs is read off it, and no pattern that matches is ever left out for it."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.vocabulary.pattern_prefilter import (
    AnyPattern,
    PatternPrefilter,
    extract_required_words,
    fold_case,
)

NEEDED = [
    (r"\bI live in (?P<value>\w+)", [{"i live in "}]),
    (r"(?:live|dwell)s? in", [{"live in", "lives in", "dwell in", "dwells in"}]),
    (r"(?i:MY) \w+ is\b", [{" is"}, {"my "}]),
    (r"I(?:['’]m| am) \d+", [{"i'm ", "i’m ", "i am "}]),
    (r"(?:went(?: on)?|go) to", [{"went to", "went on to", "go to"}]),
    (r"(?:likes?|love)\s+(?:tea|coffee)", [{"like", "love"}, {"coffee", "tea"}]),
    (r"(?:very )+good", [{"very "}, {"good"}]),
    (r"(?:very )*good", [{"good"}]),
    (r"(?<!not )fine(?! by)", [{"fine"}]),
    (r"我(?:最)?喜欢.{1,9}茶", [{"我喜欢", "我最喜欢"}, {"茶"}]),
    (r"(?:cat|\d+) .*", []),
    (r"[a-z]+ed|\w{3}", []),
    (r"x?", []),
    (r"(?:at )?[0-2] pm", [{"0 pm", "1 pm", "2 pm"}]),
    (r"[^ab]|[c-q]", []),
    (r"(?:\d+ cats|two dogs)", [{" cats", "two dogs"}]),
]


@pytest.mark.parametrize(("pattern", "needed"), NEEDED, ids=[pattern for pattern, _ in NEEDED])
def test_what_is_needed_stands_in_the_pattern(pattern: str, needed: list[set[str]]) -> None:
    assert [
        set(required_word) for required_word in extract_required_words(re.compile(pattern))
    ] == needed


PATTERNS = [
    re.compile(pattern, flags) for pattern, _ in NEEDED for flags in (re.NOFLAG, re.IGNORECASE)
] + [
    re.compile(r"(?P<quote>['\"])kiss(?P=quote)", re.IGNORECASE),
    re.compile(r"(?>ski|sk)ing|(?:K|k)ayaks?+", re.IGNORECASE),
    re.compile(r"(?x: stra ß e ) | µ-wave", re.IGNORECASE | re.VERBOSE),
    re.compile(r"(a)?(?(1)b|c) tail", re.IGNORECASE),
    re.compile(r"(?:(?:a|b)(?:c|d)){2}(?-i:End)", re.IGNORECASE),
]
SIEVE = PatternPrefilter((pattern, pattern) for pattern in PATTERNS)


@given(
    text=st.one_of(*map(st.from_regex, PATTERNS)),
    before=st.text(max_size=8),
    after=st.text(max_size=8),
)
def test_what_matches_goes_through(text: str, before: str, after: str) -> None:
    text = before + text + after
    through = SIEVE.through(text)
    assert [each for each in PATTERNS if each.search(text) and each not in through] == []


def test_what_cannot_match_does_not_and_the_order_is_that_of_the_table() -> None:
    table = [(re.compile(rf"{word}s? (\w+)"), word) for word in ("cat", "dog", "ape", "dog food")]
    assert PatternPrefilter(table).through("No DOG FOOD for the cat today") == [
        "cat",
        "dog",
        "dog food",
    ]


def test_half_an_emoji_hinders_nothing() -> None:
    sieve = PatternPrefilter([(re.compile("我喜欢"), "zh"), (re.compile("two dogs"), "en")])
    assert sieve.through("\ud83c two dogs 我喜欢 \udfe0") == ["zh", "en"]


def test_whatever_is_taken_for_a_letter_is_folded_to_it() -> None:
    everything = "".join(
        chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000
    )
    for letter in "abcdefghijklmnopqrstuvwxyz":
        taken = re.findall(letter, everything, re.IGNORECASE)
        assert {fold_case(each) for each in taken} == {letter}


@given(st.lists(st.sampled_from(["used to", "以前", "the rent", "work at", "月"]), max_size=4))
def test_any_of_many_patterns_stands_where_one_pattern_of_them_all_does(parts: list[str]) -> None:
    patterns = (r"\bused to (?!the\b)", r"以前(?!的月)", r"[A-Z]\w+ at|月$")
    together = re.compile("|".join(patterns), re.IGNORECASE)
    text = " ".join(parts)
    assert AnyPattern(patterns, re.IGNORECASE).stands_in(text) is bool(together.search(text))
