"""No pattern of a table takes long on a few words over and over: each can be read in few ways only."""

import re

import pytest

from palimpsest_language.rule_tables import all_rules
from tests.support.processor_limit import ended_after

RULES = all_rules()
TABLES = sorted({row.table for row in RULES})

# Read in every way that they can be, 44 of one of these take minutes.
PIECES = [
    "刚", "刚刚", "早就", "不对啊", "记错了", "不是，", "我的", "哈", "嗯", "对了", "等等", "不", "改成", "，", "是", "名字",
    "wait, no ", "and ", "sorry, ", "it's ", "my ", "not the 12th, ", "I mean ", "really ", "- ", "a", "A b ", "12, ",
]  # fmt: skip
TIMES = 44
WITHIN_SECONDS = 1.0
"""A thousand times what a pattern takes that is read in one way."""


@pytest.mark.parametrize("table", TABLES)
def test_each_pattern_is_read_at_once_on_what_repeats_itself(table: str) -> None:
    slow = []
    for row in RULES:
        if row.table != table or not row.pattern:
            continue
        pattern = re.compile(row.pattern, re.IGNORECASE)
        for piece in PIECES:
            try:
                with ended_after(WITHIN_SECONDS):
                    pattern.search(piece * TIMES)
            except TimeoutError:
                slow.append((row.id, piece))
    assert slow == []
