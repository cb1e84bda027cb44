"""Write patterns for Go's RE2, which never backtracks, so that Python's `re` stays linear on them.

Repeats get an upper bound, and flags inside a pattern become groups. The marks that end a value in
a source file are left out, for in a sentence a key is followed by anything. A value without a form
of its own must not be continued instead: its length is all that tells it.
"""

import re

_VALUE_ENDS_IN_CODE = r"""(?:\\?['"\x60]|[\s;]|\\[nr]|$)"""
_NOT_CONTINUED = "(?![A-Za-z0-9_-])"
_ASSIGNED_IN_CODE = r"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)"
_ASSIGNED = r"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,|：|\b(?:is|was)\b|是|为)"
_SPANS_LINES = re.compile(r"\[\\n\\r\]|\[\\s\\S\]|\(\?s|\.\*|\[\^[{}]\]\+")
_PIECE = re.compile(
    r"\\.|\[(?:\\.|\[:\w+:\]|[^\]\\])+\]|\(\?P<\w+>|\(\?[a-z]+\)|\{\d+,\}|.", re.DOTALL
)
_AT_LEAST = re.compile(r"\{(\d+),\}")
_MOST_REPEATS = 256
_MOST_BEYOND = 200


def is_assigned(pattern: str) -> bool:
    """Tell whether a pattern wants the vendor's name and a sign of assignment before the value."""
    return _ASSIGNED_IN_CODE in pattern


def convert_pattern(pattern: str) -> str | None:
    """Return the pattern for `re`, or None where it spans lines or cannot be compiled."""
    if _SPANS_LINES.search(pattern):
        return None
    value_ends = _NOT_CONTINUED if is_assigned(pattern) else ""
    pattern = pattern.replace(_VALUE_ENDS_IN_CODE, value_ends)
    pattern = pattern.replace(_ASSIGNED_IN_CODE, _ASSIGNED)
    converted = _convert_pieces(_PIECE.findall(pattern))
    try:
        re.compile(converted, re.ASCII)
    except re.error:
        return None
    return converted


def _convert_pieces(pieces: list[str]) -> str:
    written: list[str] = []
    opened = [0]
    """Groups that flags have opened, at each depth: they close where their surroundings do."""
    for position, piece in enumerate(pieces):
        if piece.startswith("(?") and piece.endswith(")"):
            written.append(piece[:-1] + ":")
            opened[-1] += 1
        elif piece.startswith("(?P<"):
            written.append("(?:")
            opened.append(0)
        elif piece == "(":
            written.append(piece)
            opened.append(0)
        elif piece == ")":
            written.append(")" * opened.pop() + piece)
        elif piece in "+*" and position and pieces[position - 1] != "(":
            written.append(f"{{{int(piece == '+')},{_MOST_REPEATS}}}")
        elif at_least := _AT_LEAST.fullmatch(piece):
            written.append(f"{{{at_least[1]},{int(at_least[1]) + _MOST_BEYOND}}}")
        else:
            written.append(piece.replace("[:alnum:]", "A-Za-z0-9").replace(r"\z", r"\Z"))
    return "".join(written) + ")" * opened.pop()
