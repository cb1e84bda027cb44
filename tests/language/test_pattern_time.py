"""No pattern of a table takes long on a few words over and over: each can be read in few ways only."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from palimpsest_language.rule_tables import all_rules

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


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    def end(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


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
