"""No rule that fits a sentence is left out because of the words that it is looked for by."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_lab.extraction.golden_dialogues import read_golden_dialogues
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.facts.chinese import CHINESE
from palimpsest_language.facts.english import ENGLISH
from palimpsest_language.statements.chinese_kind_cues import CHINESE_CUES
from palimpsest_language.statements.english_kind_cues import ENGLISH_CUES
from palimpsest_language.time_expressions.chinese.calendar import CHINESE as CHINESE_TIMES
from palimpsest_language.time_expressions.chinese.lunar_days import LUNAR
from palimpsest_language.time_expressions.chinese.shorthand import CHINESE_OFFHAND
from palimpsest_language.time_expressions.chinese.time_of_day import CHINESE_CLOCK
from palimpsest_language.time_expressions.english.calendar import ENGLISH as ENGLISH_TIMES
from palimpsest_language.time_expressions.english.shorthand import ENGLISH_OFFHAND
from palimpsest_language.time_expressions.english.time_of_day import ENGLISH_CLOCK
from palimpsest_language.time_expressions.numeric_forms import COMMON
from palimpsest_language.vocabulary.pattern_prefilter import PatternPrefilter, PatternSource
from tests.support.extent import EVERY
from tests.support.paths import GOLDEN

EXTRACTION = GOLDEN / "extraction"

TABLES: dict[str, Sequence[PatternSource]] = {
    "english": [rule.pattern for rule in ENGLISH],
    "chinese": [rule.pattern for rule in CHINESE],
    "cues of kinds": [cue.pattern for cue in (*ENGLISH_CUES, *CHINESE_CUES)],
    "times in latin letters": [
        phrase.pattern for phrase in (*COMMON, *ENGLISH_TIMES, *ENGLISH_OFFHAND, *ENGLISH_CLOCK)
    ],
    "chinese times": [
        phrase.pattern for phrase in (*CHINESE_TIMES, *CHINESE_OFFHAND, *LUNAR, *CHINESE_CLOCK)
    ],
}


def said_in_dialogues() -> Iterator[str]:
    for path in EXTRACTION.glob("*.jsonl"):
        for dialogue in read_golden_dialogues(path):
            yield from (message.text for message in dialogue.messages)


def said_in_simulations() -> Iterator[str]:
    for language in ("en", "zh"):
        resource = files("palimpsest_lab.simulation") / f"sentences_{language}.json"
        yield from texts_in(json.loads(resource.read_text("utf-8")))


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)


# None of these is made where this is only collected, as it is by every worker.
@cache
def patterns(name: str) -> list[re.Pattern[str]]:
    return [
        re.compile(pattern_source.pattern, pattern_source.flags) for pattern_source in TABLES[name]
    ]


def all_patterns() -> list[re.Pattern[str]]:
    return [pattern for name in TABLES for pattern in patterns(name)]


@cache
def texts_for(pattern: re.Pattern[str]) -> st.SearchStrategy[str]:
    """Kept, for another strategy of the same pattern may draw otherwise, which hypothesis calls flaky."""
    return st.from_regex(pattern)


@cache
def sentences() -> list[str]:
    texts = (*said_in_dialogues(), *said_in_simulations())
    return sorted({sentence for text in texts for sentence in split_sentences(text)})


@cache
def sieve(name: str) -> PatternPrefilter[re.Pattern[str]]:
    return PatternPrefilter(zip(TABLES[name], patterns(name), strict=True))


def left_out(name: str, sentences: Sequence[str]) -> list[tuple[str, str]]:
    """What matches and did not go through."""
    return [
        (sentence, pattern.pattern)
        for pattern in patterns(name)
        for sentence in sentences
        if pattern.search(sentence) and pattern not in sieve(name).through(sentence)
    ]


@pytest.mark.parametrize("name", TABLES)
def test_nothing_that_fits_what_people_said_is_left_out(name: str) -> None:
    # The Chinese rules are asked of nothing else: `reading` takes the table by it.
    asked = [sentence for sentence in sentences() if name != "chinese" or has_chinese(sentence)]
    assert left_out(name, asked[::EVERY]) == []


@settings(max_examples=60 // EVERY, suppress_health_check=list(HealthCheck))
@given(
    # The pattern comes first: one of all their strategies would build the hundreds not drawn from.
    made=st.deferred(lambda: st.sampled_from(all_patterns())).flatmap(texts_for),
    changed=st.sampled_from([str, str.upper, str.lower, str.swapcase, str.title]),
)
def test_nothing_that_fits_a_text_made_for_it_is_left_out(
    made: str, changed: Callable[[str], str]
) -> None:
    assert [lost for name in TABLES for lost in left_out(name, [changed(made)])] == []


@pytest.mark.parametrize("name", ["english", "chinese"])
def test_few_rules_are_tried_on_a_sentence(name: str) -> None:
    tried = sum(len(sieve(name).through(sentence)) for sentence in sentences())
    assert tried / len(sentences()) < len(TABLES[name]) / 20
