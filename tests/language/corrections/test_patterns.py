"""How the tables are written: a count in a pattern that is put together stays a count."""

import re

from palimpsest_language.facts.chinese import CHINESE
from palimpsest_language.facts.english import ENGLISH
from palimpsest_language.statements import chinese_kind_cues as chinese_signs
from palimpsest_language.statements import english_kind_cues as english_signs

_A_TUPLE_NOT_A_COUNT = re.compile(r"\(\d+,(?: \d+)?\)")
"""What `{1, 6}` becomes between the braces of an f-string: a group that matches "1, 6"."""

PATTERNS = [
    each.pattern.pattern
    for table in (CHINESE, ENGLISH, chinese_signs.SIGNS, english_signs.SIGNS)
    for each in table
]


def test_there_are_tables_to_look_at() -> None:
    assert len(PATTERNS) > 200


def test_no_count_became_a_tuple() -> None:
    assert [pattern for pattern in PATTERNS if _A_TUPLE_NOT_A_COUNT.search(pattern)] == []


def test_a_tuple_would_be_seen() -> None:
    assert _A_TUPLE_NOT_A_COUNT.search(rf"被[^，。]{1, 6}领养")
