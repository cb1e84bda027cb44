"""Marks whose words each stretch of a conversation's messages holds.

This is the one stage before all rules and prompts. It is pure, and linear in the length of a
message.
"""

from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from palimpsest.model.turn import Role
from palimpsest_language.message_spans.chat_logs import find_chat_logs
from palimpsest_language.message_spans.documents import find_documents
from palimpsest_language.message_spans.fiction_frames import read_frame
from palimpsest_language.message_spans.guest_turns import read_guests
from palimpsest_language.message_spans.line_blocks import find_line_blocks
from palimpsest_language.message_spans.mails import find_mails
from palimpsest_language.message_spans.quotations import find_quotations
from palimpsest_language.message_spans.repetitions import find_repetitions
from palimpsest_language.message_spans.span import MessageSpan, SpanClaims, SpanKind
from palimpsest_language.message_spans.structured_data import find_structured_data
from palimpsest_language.message_spans.text_tasks import announces_text, find_texts_to_work_on

MOST_EARLIER_MESSAGES = 30
"""The most messages of others in which a repetition is looked for."""

_OF_ROLE = {Role.AGENT: SpanKind.AGENT, Role.TOOL: SpanKind.TOOL}

Spans = tuple[MessageSpan, ...]


class Said(Protocol):
    """A message with the fields that this stage needs."""

    @property
    def role(self) -> Role: ...
    @property
    def speaker(self) -> str | None: ...
    @property
    def text(self) -> str: ...
    @property
    def in_fiction(self) -> bool | None:
        """True if a frame of fiction holds at its end or before; None if that was not checked."""
        ...


def mark_spans(messages: Sequence[Said], among: Container[int] | None = None) -> list[Spans]:
    """Return the spans of each message; those of one message cover its text in order.

    If the places of some messages are given, from 0, the others have no spans.
    """
    return list(_mark(messages, among))


def _mark(messages: Sequence[Said], among: Container[int] | None) -> Iterator[Spans]:
    is_open = False
    is_awaited = False
    guest: str | None = None
    earlier: list[tuple[str | None, str]] = []
    for place, message in enumerate(messages):
        text = message.text
        if message.in_fiction is False:
            is_open = False
        if message.role is not Role.USER:
            is_open = is_open or bool(message.in_fiction)
            kind = SpanKind.FICTION if is_open else _OF_ROLE[message.role]
            yield _whole(text, kind)
        else:
            frame = read_frame(text, is_open=is_open)
            if message.in_fiction and not frame.spans:
                frame = read_frame(text, is_open=True)
            is_open = frame.is_open
            others = [said for by, said in earlier if by is None or by != message.speaker]
            if is_awaited and not frame.spans:
                yield _whole(text, SpanKind.MATERIAL)
            else:
                typed = read_guests(text, guest, message.speaker)
                guest = typed.guest
                apart = (*frame.spans, *typed.spans)
                is_wanted = among is None or place in among
                yield mark_text(text, message.speaker, tuple(others), apart) if is_wanted else ()
            is_awaited = announces_text(text)
        speaker = message.speaker if message.role is Role.USER else None
        if message.role is not Role.USER or speaker is not None:
            earlier = [*earlier[1 - MOST_EARLIER_MESSAGES :], (speaker, text)]


@lru_cache(maxsize=256)
def mark_text(
    text: str, sender: str | None = None, earlier: tuple[str, ...] = (), apart: Spans = ()
) -> Spans:
    """Return the spans of a person's text, in order; they cover all of it.

    Args:
        text: the sent text.
        sender: the name of the sender, if known.
        earlier: the earlier texts of others, in order.
        apart: stretches said in a role, and those that a guest typed.
    """
    claims = SpanClaims(text)
    claims.claim(apart)
    claims.claim(find_structured_data(claims.masked))
    repeated = list(find_repetitions(claims.masked, earlier))
    claims.claim(find_quotations(claims.masked, repeated))
    claims.claim(repeated)
    if "\n" in text or len(text) > _SHORT:
        claims.claim(find_mails(claims.masked))
    claims.claim(find_chat_logs(claims.masked, sender))
    claims.claim(find_line_blocks(claims.masked))
    claims.claim(find_texts_to_work_on(claims.masked))
    claims.claim(find_documents(claims.masked))
    return claims.spans()


_SHORT = 200


def _whole(text: str, kind: SpanKind) -> Spans:
    return (MessageSpan(start=0, end=len(text), kind=kind),) if text else ()
