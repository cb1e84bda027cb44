"""Finds earlier messages that a chat platform, a forum or a mail program put into a message."""

import re
from collections.abc import Iterator, Sequence

from palimpsest_language.message_spans.span import MessageSpan, SpanKind
from palimpsest_language.message_spans.span_rules import (
    SpanRule,
    build_span_sieve,
    build_spans,
    read_span_rules,
)

_FORMS = build_span_sieve(read_span_rules("quotation_forms"))
_MARKED_LINES = re.compile(r"(?:^[ \t]*(?:>|&gt;|[│▎┃❘▌▍╭┌┏])[^\n]*(?:\n|\Z))+", re.MULTILINE)
_ONE_MARKED_LINE = re.compile(r"\s*(?:>|&gt;)[ \t]*(?=[^\s>])(?P<words>[^\n]{1,120})\s*\Z")
_WORD = re.compile(r"\S")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def find_quotations(text: str, repeated: Sequence[MessageSpan] = ()) -> Iterator[MessageSpan]:
    """Find quotations by their form, anywhere; they may overlap.

    Some forms have the quotation in front or behind: `repeated`, the texts of others, decides.
    """
    for rule in _FORMS.through(text):
        for span in find_by_form(rule, text):
            behind = any(span.start < other.start and span.end < other.end for other in repeated)
            if not (behind and rule.columns.get("unless_repeated_behind")):
                yield span
    yield from _find_marked_lines(text)


def find_by_form(rule: SpanRule, text: str) -> Iterator[MessageSpan]:
    """Find the quotations of one form."""
    for match in rule.finditer(text):
        end = _REACH[rule.columns["reach"]](text, match)
        if end > match.start():
            yield from build_spans(match, SpanKind(rule.columns.get("kind", "quoted")), end)


def _find_marked_lines(text: str) -> Iterator[MessageSpan]:
    """Find lines behind ">". If one short line is the whole message, only its mark is quoted."""
    if alone := _ONE_MARKED_LINE.match(text):
        yield MessageSpan(start=0, end=alone.start("words"), kind=SpanKind.QUOTED)
        return
    for match in _MARKED_LINES.finditer(text):
        yield MessageSpan(start=match.start(), end=match.end(), kind=SpanKind.QUOTED)


def _to_match(text: str, match: re.Match[str]) -> int:  # noqa: ARG001 - all reaches are called alike
    return match.end()


def _to_line_end(text: str, match: re.Match[str]) -> int:
    end = text.find("\n", match.end())
    return len(text) if end < 0 else end


def _to_end(text: str, match: re.Match[str]) -> int:  # noqa: ARG001 - all reaches are called alike
    return len(text)


def _to_own_words(text: str, match: re.Match[str]) -> int:
    """Return the end of a quotation: its line if more follows, otherwise the answer's start."""
    end = _to_line_end(text, match)
    start = _next_word(text, end)
    if text[match.end() : end].strip():
        return match.start() if start == len(text) else end
    blank = _BLANK_LINE.search(text, start)
    if blank is not None:
        return blank.start()
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _to_marked_or_end(text: str, match: re.Match[str]) -> int:
    """Return the end of the marked lines behind a heading, or else of the text or its paragraph."""
    start = _next_word(text, match.end())
    if marked := _MARKED_LINES.match(text, text.rfind("\n", 0, start) + 1):
        return marked.end()
    blank = _BLANK_LINE.search(text, start)
    return len(text) if blank is None or _next_word(text, 0) < match.start() else blank.start()


def _next_word(text: str, position: int) -> int:
    word = _WORD.search(text, position)
    return len(text) if word is None else word.start()


_REACH = {
    "match": _to_match,
    "line": _to_line_end,
    "rest": _to_end,
    "line_before_own": _to_own_words,
    "marked_or_rest": _to_marked_or_end,
}
