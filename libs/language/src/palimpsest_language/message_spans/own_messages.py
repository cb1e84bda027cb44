"""Reduces messages to the words that are their senders' own."""

import re
from collections.abc import Sequence

from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.message_spans.mark_spans import Spans, mark_spans
from palimpsest_language.message_spans.span import SpanKind, is_own_alone, own_parts

_LEADS = re.compile(r"[^\n.!?。！？]*[:：]\s*\Z")


def keep_own_words(messages: Sequence[DialogueMessage]) -> tuple[DialogueMessage, ...]:
    """Return the messages, each with its sender's own words alone.

    A line break replaces other text, so that no sentence reaches across it.
    """
    return reduce_to_own_words(messages, mark_spans(messages))


def reduce_to_own_words(
    messages: Sequence[DialogueMessage], marked: Sequence[Spans]
) -> tuple[DialogueMessage, ...]:
    """Return the messages, whose spans are known, with their senders' own words alone."""
    return tuple(
        message
        if is_own_alone(spans)
        else message.model_copy(update={"text": _join_own_words(message.text, spans)})
        for message, spans in zip(messages, marked, strict=True)
    )


def _join_own_words(text: str, spans: Spans) -> str:
    """Join the own words, without a mere lead-in to other text: "Here is the reply:"."""
    parts = own_parts(text, spans)
    kinds = [span.kind for span in spans]
    is_behind = len(kinds) > 1 and kinds[0] is SpanKind.OWN
    if parts and is_behind:
        parts[0] = _LEADS.sub("", parts[0])
    return "\n".join(part.strip() for part in parts)
