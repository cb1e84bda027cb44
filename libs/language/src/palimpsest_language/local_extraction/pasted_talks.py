"""Pasted talks of other people, as conversations of their own."""

from collections.abc import Iterator, Sequence
from itertools import chain

from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.message_spans.mark_spans import Spans
from palimpsest_language.message_spans.span import SpanKind
from palimpsest_language.proposals import Proposal

MOST_STATEMENTS = 120
"""The most messages of a talk that are read."""

_SENDER = "user"
"""The sender's name in a talk, if it gives none."""


def list_pasted_talks(
    request: ExtractionRequest, marked: Sequence[Spans]
) -> Iterator[tuple[int, ExtractionRequest]]:
    """Yield each fresh message's talk with the message's number; each line is of its speaker.

    `marked`: the spans of each message.
    """
    for message, spans in zip(request.messages, marked, strict=True):
        if message.fresh and message.role is Role.USER and _names(spans):
            said = _said(message, spans)
            yield message.number, request.model_copy(update={"messages": said, "agents": ()})


def cite_message(
    proposals: Sequence[Proposal], number: int, talk: ExtractionRequest
) -> list[Proposal]:
    """Return the speakers' statements about themselves, with evidence in the sent message."""
    names = {message.speaker for message in talk.messages} - {_SENDER}
    return [
        proposal.model_copy(
            update={
                "evidence": tuple(
                    quote.model_copy(update={"message": number}) for quote in proposal.evidence
                )
            }
        )
        for proposal in proposals
        if proposal.subject in names
    ]


def _names(spans: Spans) -> list[str]:
    return [
        span.speaker for span in spans if span.speaker is not None and span.kind is SpanKind.PASTED
    ]


def _said(message: DialogueMessage, spans: Spans) -> tuple[DialogueMessage, ...]:
    statements = [
        (span.speaker, span.of(message.text).strip())
        for span in spans
        if span.speaker is not None and span.kind is SpanKind.PASTED
    ]
    sender = (message.speaker or _SENDER, "")
    return tuple(
        message.model_copy(update={"number": number, "speaker": name, "text": text})
        for number, (name, text) in enumerate(
            chain([sender], statements[:MOST_STATEMENTS]), start=1
        )
    )
