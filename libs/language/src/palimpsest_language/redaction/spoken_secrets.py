"""Passwords, codes and answers as people tell them in a sentence: the rules of a table."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from palimpsest_language.redaction.policy import SecretKind
from palimpsest_language.redaction.secret_measures import (
    measure_chinese_passphrase,
    measure_mixed_value,
    measure_nonword_value,
    measure_value_in_sentence,
)
from palimpsest_language.redaction.secret_rules import SecretMeasure, SecretRule, measure_whole
from palimpsest_language.redaction.word_measures import (
    measure_app_password,
    measure_strong_value,
    measure_word_passphrase,
)
from palimpsest_language.rule_tables import RuleRow, is_enabled, note_match, read_rules
from palimpsest_language.vocabulary.pattern_prefilter import PatternPrefilter

_MEASURES: Mapping[str, SecretMeasure] = {
    "app_password": measure_app_password,
    "chinese_passphrase": measure_chinese_passphrase,
    "mixed": measure_mixed_value,
    "nonword": measure_nonword_value,
    "strong": measure_strong_value,
    "value_in_sentence": measure_value_in_sentence,
    "whole": measure_whole,
    "word_passphrase": measure_word_passphrase,
}


def find_spoken_secrets(text: str) -> Iterator[tuple[SecretKind, int, int]]:
    """Find kind, start and end of each."""
    for rule_id, rule in _sift_rules().through(text):
        if is_enabled(rule_id):
            for start, end in rule.stretches(text):
                note_match(rule_id)
                yield rule.kind, start, end


@cache
def read_spoken_rules() -> Mapping[str, SecretRule]:
    """Read the rules of the table by their ids."""
    return {row.id: _build_rule(row) for row in read_rules("redaction/spoken_secrets")}


def _build_rule(row: RuleRow) -> SecretRule:
    return SecretRule(
        kind=SecretKind(row.columns["kind"]),
        hints=(),
        pattern=re.compile(row.pattern, re.IGNORECASE),
        measure=_MEASURES[row.columns.get("measure", "whole")],
    )


@cache
def _sift_rules() -> PatternPrefilter[tuple[str, SecretRule]]:
    return PatternPrefilter((named[1].pattern, named) for named in read_spoken_rules().items())
