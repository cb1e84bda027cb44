"""A stretch of a message, with the person whose words it holds."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from palimpsest.model.value_types import Value


class SpanKind(StrEnum):
    OWN = "own"
    """The sender's own words, meant seriously."""
    QUOTED = "quoted"
    """An earlier message, in a chat platform's marks or verbatim."""
    PASTED = "pasted"
    """Code, data, logs, tables, e-mails, talks of others, documents."""
    FICTION = "fiction"
    """Said in a role."""
    MATERIAL = "material"
    """A text to work on: to translate, proofread or continue."""
    AGENT = "agent"
    TOOL = "tool"


class MessageSpan(Value):
    """A stretch of a text, in characters, end exclusive."""

    start: int
    end: int
    kind: SpanKind
    speaker: str | None = None
    """The name of the speaker, if the message tells it."""

    def of(self, text: str) -> str:
        return text[self.start : self.end]


MASK = "\0"
"""Replaces each character that a span has claimed, except line breaks."""


class SpanClaims:
    """Collects the spans of one text. A claimed stretch is claimed by no other span."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._claimed: list[MessageSpan] = []
        self.masked = text
        """The text with a mask over all claimed stretches."""

    def claim(self, spans: Iterable[MessageSpan]) -> None:
        """Claim these spans, in any order; one that overlaps an earlier span is skipped."""
        taken: list[MessageSpan] = []
        end = 0
        for span in sorted(spans, key=lambda span: (span.start, -span.end)):
            if span.start >= end and span.end > span.start and not self._is_claimed(span):
                taken.append(span)
                end = span.end
        if not taken:
            return
        self._claimed += taken
        pieces, position = [], 0
        for span in taken:
            pieces += [self.masked[position : span.start], _mask(self.masked, span)]
            position = span.end
        self.masked = "".join([*pieces, self.masked[position:]])

    def spans(self, rest: SpanKind = SpanKind.OWN) -> tuple[MessageSpan, ...]:
        """Return spans that cover the whole text in order; unclaimed text is of kind `rest`.

        Marks and spaces between two spans belong to the one before.
        """
        found: list[MessageSpan] = []
        position = 0
        for span in (*sorted(self._claimed, key=lambda span: span.start), None):
            stop = len(self._text) if span is None else span.start
            between = self._text[position:stop]
            if any(map(str.isalnum, between)):
                found.append(MessageSpan(start=position, end=stop, kind=rest))
            elif between and found:
                found[-1] = found[-1].model_copy(update={"end": stop})
            elif between and span is not None:
                span = span.model_copy(update={"start": position})  # noqa: PLW2901
            elif between:
                found.append(MessageSpan(start=position, end=stop, kind=rest))
            if span is not None:
                found.append(span)
                position = span.end
        return tuple(found)

    def _is_claimed(self, span: MessageSpan) -> bool:
        return MASK in self.masked[span.start : span.end]


def own_parts(text: str, spans: Sequence[MessageSpan]) -> list[str]:
    """Return the stretches that are the sender's own words."""
    return [span.of(text) for span in spans if span.kind in _OF_SENDER]


def is_own_alone(spans: Sequence[MessageSpan]) -> bool:
    return all(span.kind in _OF_SENDER for span in spans)


_OF_SENDER = frozenset({SpanKind.OWN, SpanKind.AGENT, SpanKind.TOOL})


def _mask(text: str, span: MessageSpan) -> str:
    return "\n".join(MASK * len(line) for line in text[span.start : span.end].split("\n"))
