"""Values that fit a pattern, invented from a seed: no secret stands in the repository itself."""

import re
from random import Random
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from string import ascii_letters, digits
from typing import Any

_PRINTABLE = ascii_letters + digits + "_-"
_CLASSES = {
    codes.CATEGORY_DIGIT: digits,
    codes.CATEGORY_WORD: ascii_letters + digits + "_",
    codes.CATEGORY_SPACE: " ",
}
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


def invent_match(pattern: str, random: Random) -> str:
    """Invent a text that the pattern fits; what it looks for around the text is left out."""
    return _invent(parser.parse(pattern, re.ASCII), random)


def _invent(sequence: Any, random: Random) -> str:
    return "".join(_invent_piece(code, argument, random) for code, argument in sequence)


def _invent_piece(code: Any, argument: Any, random: Random) -> str:
    if code is codes.LITERAL:
        return chr(argument)
    if code is codes.IN:
        return random.choice(_list_characters(argument))
    if code is codes.BRANCH:
        return _invent(random.choice(argument[1]), random)
    if code is codes.SUBPATTERN:
        return _invent(argument[-1], random)
    if code in _REPEATS:
        least, most, repeated = argument
        times = random.randint(least, min(int(most), least + 4))
        return "".join(_invent(repeated, random) for _ in range(times))
    return random.choice(_PRINTABLE) if code in (codes.ANY, codes.NOT_LITERAL) else ""


def _list_characters(items: Any) -> str:
    if items[0][0] is codes.NEGATE:
        return "".join(set(_PRINTABLE) - set(_list_characters(items[1:]))) or " "
    listed = ""
    for code, argument in items:
        if code is codes.LITERAL:
            listed += chr(argument)
        elif code is codes.RANGE:
            listed += "".join(map(chr, range(argument[0], argument[1] + 1)))
        elif code is codes.CATEGORY:
            listed += _CLASSES.get(argument, _PRINTABLE)
    return listed
