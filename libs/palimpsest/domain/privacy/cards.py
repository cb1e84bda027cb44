"""Payment card numbers: by network, length, grouping and check digit, all four."""

import re
from collections.abc import Iterator, Sequence

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
"""How people write them: in one piece, or in the groups printed on the card."""

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
)

_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)

_NAMED_AS_SOMETHING_ELSE = re.compile(
    r"(?:order|invoice|tracking|shipment|parcel|ticket|receipt|transaction|serial|isbn|imei"
    r"|订单|运单|快递|单号|流水|发票|票号|编号|序列)"
    r"[ _-]?(?:numbers?|nos?|ids?|codes?|号码|号)?[\s.#:：=是为\"']*(?:(?:is|was)\s+)?[#\"']?$",
    re.IGNORECASE,
)
_CONTEXT_CHARACTERS = 40


def card_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each card number, in order."""
    for run in _RUN.finditer(text):
        before = max(0, run.start() - _CONTEXT_CHARACTERS)
        named = _NAMED_AS_SOMETHING_ELSE.search(text, before, run.start())
        if named is None and not _goes_on(text, run.end()):
            yield from _within(text, run.start(), run.end())


def _goes_on(text: str, end: int) -> bool:
    following = text[end : end + 2]
    return bool(following) and (
        (following[0].isascii() and (following[0].isalnum() or following[0] == "_"))
        or (following[0] == "." and following[1:].isdigit())
    )


def _within(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    groups = [match.span() for match in _GROUP.finditer(text, start, end)]
    lengths = tuple(group_end - group_start for group_start, group_end in groups)
    first = 0
    while first < len(groups):
        last = first + 1
        if lengths[first] in _FIRST_LENGTHS:
            for last in range(min(first + _MOST_GROUPS, len(groups)), first, -1):
                if lengths[first:last] in _GROUPED and _is_card(text, groups[first:last]):
                    yield groups[first][0], groups[last - 1][1]
                    break
            else:
                last = first + 1
        first = last


def _is_card(text: str, groups: Sequence[tuple[int, int]]) -> bool:
    digits = "".join(text[start:end] for start, end in groups)
    return _checks(digits) and _issued(digits)


def _issued(digits: str) -> bool:
    return any(
        int(digits[:count]) in leading and len(digits) in lengths
        for leading, count, lengths in _NETWORKS
    )


def _checks(digits: str) -> bool:
    """Luhn: every second digit from the right doubled, its own digits summed."""
    single = sum(map(int, digits[-1::-2]))
    doubled = sum(_DOUBLED[int(digit)] for digit in digits[-2::-2])
    return (single + doubled) % 10 == 0
