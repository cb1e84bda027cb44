"""Finds code fences, JSON and similar objects, and markup: data in brackets."""

import re
from collections.abc import Iterator

from palimpsest_language.message_spans.span import MessageSpan, SpanKind

_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})[^\n]*(?:\n|\Z)|`{3,}", re.MULTILINE)
_OPENS = re.compile(
    r"[{\[]\s*[\"'“][^\"'”\n]{0,200}[\"'”]\s*(?:[:：,，\]]|=>)"
    r"|\{\s*[A-Za-z_$][\w$.-]{0,60}\s*(?:[:：]|=>?)"
    r"|\[\s*\{\s*[\"'“A-Za-z_]"
)
_TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|[{}\[\]]")
_CLOSES = {"{": "}", "[": "]"}
_TAG = re.compile(r"<(?P<name>[A-Za-z][\w:.-]{0,40})(?:\s[^<>]{0,2000})?>")
_OF_WRITING = frozenset(
    {"b", "i", "u", "s", "em", "strong", "small", "big", "br", "p", "span", "a", "q", "sub", "sup"}
    | {"mark", "del", "ins", "code", "kbd", "font", "center"}
)
_MOST_UNCLOSED = 100
"""The most unclosed tags before the search stops."""
_PROLOGUE = re.compile(r"<\?xml[^>]{0,200}\?>|<!DOCTYPE[^>]{0,200}>", re.IGNORECASE)


def find_structured_data(text: str) -> Iterator[MessageSpan]:
    """Find data in brackets; an unclosed bracket reaches to the end of its paragraph."""
    yield from _find_fences(text)
    yield from _find_objects(text)
    if "<" in text:
        yield from _find_markup(text)


def _find_fences(text: str) -> Iterator[MessageSpan]:
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match.group().strip()[0] == opened.group().strip()[0]:
            yield _pasted(opened.start(), match.end())
            opened = None
    if opened is not None:
        yield _pasted(opened.start(), len(text))


def _find_objects(text: str) -> Iterator[MessageSpan]:
    position = 0
    while opening := _OPENS.search(text, position):
        position = _end_of_object(text, opening.start())
        yield _pasted(opening.start(), position)


def _end_of_object(text: str, start: int) -> int:
    """Return the end behind the bracket that closes the one at `start`."""
    expected: list[str] = []
    for token in _TOKEN.finditer(text, start):
        mark = token.group()
        if mark in _CLOSES:
            expected.append(_CLOSES[mark])
        elif mark[0] != '"' and expected and mark == expected[-1]:
            expected.pop()
            if not expected:
                return token.end()
    end = text.find("\n\n", start)
    return len(text) if end < 0 else end


def _find_markup(text: str) -> Iterator[MessageSpan]:
    for prologue in _PROLOGUE.finditer(text):
        yield _pasted(prologue.start(), prologue.end())
    position = 0
    unclosed: set[str] = set()
    while opening := _TAG.search(text, position):
        position = opening.end()
        name = opening["name"]
        if name.lower() in _OF_WRITING or name in unclosed or len(unclosed) > _MOST_UNCLOSED:
            continue
        end = text.find(f"</{name}>", position)
        if end < 0:
            unclosed.add(name)
            continue
        position = end + len(name) + 3
        yield _pasted(opening.start(), position)


def _pasted(start: int, end: int) -> MessageSpan:
    return MessageSpan(start=start, end=end, kind=SpanKind.PASTED)
