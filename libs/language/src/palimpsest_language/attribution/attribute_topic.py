"""Topics of statements: attributes with one value at a time, and the words for them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.technologies import TECHNOLOGY_KIND
from palimpsest_language.phrase_tables import PhraseSet
from palimpsest_language.rule_tables import RuleRow, join_words, put_pieces_in, read_rules
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

_FORMS = {
    "any_case": ("%s", re.IGNORECASE),
    "as_written": ("%s", re.NOFLAG),
    "words": (r"(?<![\w’'-])(?:%s)(?![\w-])", re.IGNORECASE),
    "phrase": (r"(?<![\w’'-])(?:%s)", re.IGNORECASE),
    "names": (r"(?<![\w’'-])(?P<value>%s)(?![\w-])", re.NOFLAG),
}
"""How a pattern of the table matches in a text, by the `form` of its row."""


class ValuePattern(NamedTuple):
    """A pattern with a group `value`: names of one kind only, or whatever stands at a place."""

    rule: str
    pattern: LazyPattern


@dataclass(frozen=True, kw_only=True)
class AttributeTopic:
    attribute: str
    kind: Kind
    rule: str
    """The id of the topic's rule."""
    cue: LazyPattern
    """Words that a statement on the topic contains."""
    values: tuple["ValuePattern", ...]
    is_own: bool = False
    """True if these words are about the speaker even without saying so."""


@dataclass(frozen=True, kw_only=True)
class TopicLanguage:
    """The topics of a language, and its phrases about others, about the past, or about nobody."""

    topics: tuple[AttributeTopic, ...]
    phrases: Mapping[str, PhraseSet]
    """Phrases by sign: `vetoes`, `left_before` and `left_behind` a value, `holds_now`,
    `about_speaker`.
    """


def read_topics(
    table: str, pieces: Mapping[str, str], *, cue_form: str, value_form: str
) -> tuple[AttributeTopic, ...]:
    """Read a table: a row with a kind begins a topic, those after it are patterns of its value."""
    topics: list[tuple[RuleRow, list[ValuePattern]]] = []
    for row in read_rules(table):
        if "kind" in row.columns:
            topics.append((row, []))
        else:
            topics[-1][1].append(ValuePattern(row.id, _compile(row, pieces, value_form)))
    return tuple(
        AttributeTopic(
            attribute=row.columns["attribute"],
            kind=Kind(row.columns["kind"]),
            rule=row.id,
            cue=_compile(row, pieces, cue_form),
            values=tuple(values),
            is_own=row.columns.get("own", False),
        )
        for row, values in topics
    )


def name_technologies(kind: str, *, shortest: int) -> str:
    """Join the technologies of a kind into a pattern, without names under `shortest` letters."""
    return join_words(
        name for name, known in TECHNOLOGY_KIND.items() if known == kind and len(name) >= shortest
    )


def _compile(row: RuleRow, pieces: Mapping[str, str], usual_form: str) -> LazyPattern:
    form, flags = _FORMS[row.columns.get("form", usual_form)]
    return LazyPattern(form.replace("%s", put_pieces_in(row.pattern, pieces)), flags)
