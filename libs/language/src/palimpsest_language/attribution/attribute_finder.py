"""Finds the attribute of a statement, and the value that holds now. No I/O.

A rule parses only sentences that it foresees. Other statements may still be plain: a statement of
the speaker's on one topic that names exactly one possible value. With two topics, or two values
that both may hold, no attribute is given. A statement without attribute is a nuisance at most; a
wrong value would close a right one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.attribute_names import canonical_value
from palimpsest_language.attribution.attribute_topic import (
    AttributeTopic,
    TopicLanguage,
    ValuePattern,
)
from palimpsest_language.attribution.chinese import CHINESE
from palimpsest_language.attribution.english import ENGLISH
from palimpsest_language.rule_tables import is_enabled, note_match
from palimpsest_language.vocabulary.pattern_prefilter import PatternPrefilter
from palimpsest_language.wording.statement_text import tidy_chinese, tidy_english

MAX_STATEMENT_CHARACTERS = 240
"""Longer statements say more than that one value holds."""

_CONTEXT_CHARACTERS = 60
"""Characters before and behind a value in which words that deny it are looked for."""

_CLAUSE_BREAK = re.compile(r"[,;:!()，。；：！、—–]|\.\s|\s-\s")

_SIEVES = {
    False: PatternPrefilter((topic.cue, topic) for topic in ENGLISH.topics),
    True: PatternPrefilter((topic.cue, topic) for topic in CHINESE.topics),
}


@dataclass(frozen=True)
class AttributeValue:
    """A value that holds now by a statement."""

    attribute: str
    """An attribute with one value at a time."""
    value: str
    kind: Kind


def find_attribute_value(text: str) -> AttributeValue | None:
    """Return the value that a statement gives an attribute of its speaker; None if not plain."""
    if len(text) > MAX_STATEMENT_CHARACTERS:
        return None
    chinese = has_chinese(text)
    language = CHINESE if chinese else ENGLISH
    topics = [
        topic
        for topic in _SIEVES[chinese].through(text)
        if is_enabled(topic.rule) and topic.cue.compiled.search(text)
    ]
    if not topics or language.phrases["vetoes"].search(text):
        return None
    for topic in topics:
        note_match(topic.rule)
    named = language.phrases["about_speaker"].search(text) is not None
    found = [
        AttributeValue(topic.attribute, value, topic.kind)
        for topic in topics
        if named or topic.is_own
        for value in _values(text, topic, language, chinese=chinese)
    ]
    return found[0] if len(found) == 1 else None


def names_attribute(attribute: str, word: str) -> bool:
    """Tell whether the word names an attribute: `home`, 座驾."""
    return any(
        topic.attribute == attribute and topic.cue.compiled.fullmatch(word)
        for language in (ENGLISH, CHINESE)
        for topic in language.topics
    )


def _values(
    text: str, topic: AttributeTopic, language: TopicLanguage, *, chinese: bool
) -> list[str]:
    """Return each value once; of two values, one within the other, the longer."""
    standing = list(_standing(text, topic, language))
    current = [value for value, beside in standing if language.phrases["holds_now"].search(beside)]
    named: dict[str, str] = {}
    for value in current or (value for value, _ in standing):
        tidied = tidy_chinese(value) if chinese else tidy_english(value)
        if tidied:
            named.setdefault(canonical_value(tidied), tidied)
    return [
        value
        for name, value in named.items()
        if not any(name != other and name in other for other in named)
    ]


def _standing(
    text: str, topic: AttributeTopic, language: TopicLanguage
) -> Iterator[tuple[str, str]]:
    """Yield the values that nothing denies, each with its clause."""
    for value in filter(_is_enabled, topic.values):
        for match in value.pattern.compiled.finditer(text):
            start, end = match.span("value")
            before = _CLAUSE_BREAK.split(text[max(0, start - _CONTEXT_CHARACTERS) : start])[-1]
            behind = text[end : end + _CONTEXT_CHARACTERS]
            if not _is_left(before, behind, language):
                note_match(value.rule)
                yield match["value"], before + match["value"] + _CLAUSE_BREAK.split(behind)[0]


def _is_left(before: str, behind: str, language: TopicLanguage) -> bool:
    """Tell whether the words beside a value say that it does not hold, or no longer."""
    phrases = language.phrases
    return bool(phrases["left_before"].search(before) or phrases["left_behind"].search(behind))


def _is_enabled(value: ValuePattern) -> bool:
    return is_enabled(value.rule)
