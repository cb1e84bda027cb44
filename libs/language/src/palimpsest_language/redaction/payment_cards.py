"""Payment card numbers: known by network, length, grouping and check digit, all four."""

import re
from collections.abc import Iterator, Sequence

from stdnum import luhn

from palimpsest_language.redaction.number_context import (
    is_named_as_other_number,
    is_number_continued,
)
from palimpsest_language.redaction.secret_rules import has_words_before

_RUN = re.compile(r"(?<![A-Za-z0-9_.])[0-9](?:[ \-\u00a0]?[0-9]){13,}+")
_GROUP = re.compile(r"[0-9]+")

_GROUPED = frozenset(
    {
        *((length,) for length in range(14, 20)),
        (4, 4, 4, 4),
        *((4, 4, 4, 4, last) for last in (1, 2, 3)),
        (4, 6, 5),
        (4, 6, 4),
        (6, 10),
        (6, 13),
        (8, 8),
    }
)
"""Groupings that people write: one piece, or the groups printed on the card."""

_FIRST_LENGTHS = frozenset(groups[0] for groups in _GROUPED)
_MOST_GROUPS = max(len(groups) for groups in _GROUPED)

_NETWORKS: tuple[tuple[range, int, frozenset[int]], ...] = (
    # Leading digits, how many of them, and the lengths that the network issues.
    (range(4, 5), 1, frozenset({16, 19})),
    (range(51, 56), 2, frozenset({16})),
    (range(2221, 2721), 4, frozenset({16})),
    (range(2200, 2205), 4, frozenset({16, 17, 18, 19})),
    (range(34, 35), 2, frozenset({15})),
    (range(37, 38), 2, frozenset({15})),
    (range(300, 306), 3, frozenset({14, 16, 19})),
    (range(36, 37), 2, frozenset({14, 16, 19})),
    (range(38, 40), 2, frozenset({14, 16, 19})),
    (range(3528, 3590), 4, frozenset({16, 17, 18, 19})),
    (range(6011, 6012), 4, frozenset({16, 17, 18, 19})),
    (range(644, 660), 3, frozenset({16, 17, 18, 19})),
    (range(62, 63), 2, frozenset({16, 17, 18, 19})),
    (range(9558, 9559), 4, frozenset({16, 17, 18, 19})),
    (range(6013, 6014), 4, frozenset({16, 19})),
)

_LENGTHS = {
    f"{number:0{count}}": lengths for leading, count, lengths in _NETWORKS for number in leading
}

_NAMED_AS_CARD = re.compile(r"卡号|银行卡|储蓄卡|借记卡|信用卡|\bcard\b", re.IGNORECASE)
_STATED_AS_CARD = re.compile(
    r"(?:卡号|(?:银行|储蓄|借记|信用|工资|[工农中建交招]行)卡(?:的?号码?)?"
    r"|\b(?:credit|debit|bank|visa|master ?card|amex)?\s?card\s?(?:number|no\.?|#))"
    r"(?:\s(?:is|was)\b|是|为|[:：=＝#]|\s){0,4}$",
    re.IGNORECASE,
)
"""Words right before a number that make it a card number, even mistyped."""
_ANY_CARD = range(16, 20)
"""Lengths of a number called a card: Chinese banks use many leading digits."""

_CODE_ON_THE_BACK = re.compile(
    r"(?:\b(?:cvv2?|cvc2?|csc|cid)\b|安全码)(?:\s?(?:code|码))?"
    r"(?:\s?(?:is|was)\s|\s?[:：=＝]|是|为|\s){1,3}\s?(?P<code>[0-9]{3,4})(?![0-9A-Za-z_])",
    re.IGNORECASE,
)


def find_card_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each card number, and of each code on the back of one."""
    for run in _RUN.finditer(text):
        start, end = run.span()
        if not is_named_as_other_number(text, start) and not is_number_continued(text, end):
            called_card = has_words_before(_NAMED_AS_CARD, text, start)
            if _is_stated(text, start, end):
                yield start, end
            else:
                yield from _within(text, start, end, called_card=called_card)
    for match in _CODE_ON_THE_BACK.finditer(text):
        yield match.span("code")


def _is_stated(text: str, start: int, end: int) -> bool:
    digits = sum(map(str.isdigit, text[start:end]))
    return digits in _ANY_CARD and has_words_before(_STATED_AS_CARD, text, start)


def _within(text: str, start: int, end: int, *, called_card: bool) -> Iterator[tuple[int, int]]:
    groups = [match.span() for match in _GROUP.finditer(text, start, end)]
    lengths = tuple(group_end - group_start for group_start, group_end in groups)
    first = 0
    while first < len(groups):
        last = first + 1
        if lengths[first] in _FIRST_LENGTHS:
            for last in range(min(first + _MOST_GROUPS, len(groups)), first, -1):
                if lengths[first:last] in _GROUPED and _is_card(
                    text, groups[first:last], called_card=called_card
                ):
                    yield groups[first][0], groups[last - 1][1]
                    break
            else:
                last = first + 1
        first = last


def _is_card(text: str, groups: Sequence[tuple[int, int]], *, called_card: bool) -> bool:
    digits = "".join(text[start:end] for start, end in groups)
    return (_issued(digits) or (called_card and len(digits) in _ANY_CARD)) and luhn.is_valid(digits)


def _issued(digits: str) -> bool:
    return any(len(digits) in _LENGTHS.get(digits[:count], ()) for count in range(1, 5))
