"""Places of values in a JSON text, so that one value is replaced and no byte of the others.

A chat carries pictures of megabytes. Only what is needed is parsed, and nothing is written anew.
"""

import re
from typing import NamedTuple

from pydantic_core import from_json

_BLANKS = b" \t\r\n"
_MARK = re.compile(rb'["{}\[\],]')


class Span(NamedTuple):
    """The start and end of a value in a text."""

    start: int
    end: int


def list_parts(text: bytes, opening: int) -> list[Span]:
    """List the parts between the commas of the object or array that opens here.

    Raises:
        ValueError: it does not end.
    """
    depth, start, place, parts = 0, opening + 1, opening, list[Span]()
    while (match := _MARK.search(text, place)) is not None:
        place = match.end()
        match match[0]:
            case b'"':
                place = _find_end_of_string(text, place)
            case b"{" | b"[":
                depth += 1
            case b"," if depth == 1:
                parts.append(Span(start, match.start()))
                start = place
            case b"}" | b"]":
                depth -= 1
                if depth == 0:
                    last = strip_span(text, Span(start, match.start()))
                    return [*parts, last] if parts or last.start < last.end else []
    raise ValueError("the text ends within an object, an array or a string")


def find_members(text: bytes) -> dict[str, Span]:
    """Find the values of an object by name; of a repeated name the last one.

    Raises:
        ValueError: the text is not an object.
    """
    opening = strip_span(text, Span(0, len(text))).start
    if text[opening : opening + 1] != b"{":
        raise ValueError("the text is no object")
    members: dict[str, Span] = {}
    for part in list_parts(text, opening):
        quote = text.index(b'"', *part)
        end = _find_end_of_string(text, quote + 1)
        colon = text.index(b":", end, part.end)
        members[from_json(text[quote:end])] = strip_span(text, Span(colon + 1, part.end))
    return members


def strip_span(text: bytes, span: Span) -> Span:
    """Return the span without the white space around its value, which may be large: nothing is copied."""
    start, end = span
    while start < end and text[start] in _BLANKS:
        start += 1
    while end > start and text[end - 1] in _BLANKS:
        end -= 1
    return Span(start, end)


def _find_end_of_string(text: bytes, place: int) -> int:
    """Return the place behind the quotation mark that ends the string begun before `place`."""
    while True:
        quote = text.index(b'"', place)
        backslashes = quote
        while text[backslashes - 1] == ord("\\"):
            backslashes -= 1
        if (quote - backslashes) % 2 == 0:
            return quote + 1
        place = quote + 1
