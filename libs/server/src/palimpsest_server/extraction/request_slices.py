"""Slices of a request, each given to a provider by itself, and the merging of their answers.

A message that is longer than a window may be is read in parts. A part keeps the number of its message,
and its words are the message's own, so that quotes from a part are in the message.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.proposals import ExtractionAnswer, PictureDescription
from palimpsest_language.repeated_proposals import merge_repeated_proposals
from palimpsest_server.domain.extraction_windows import (
    BYTES_PER_TOKEN,
    MAXIMUM_FRESH_TOKENS,
    MAXIMUM_WINDOW_TOKENS,
    estimate_tokens,
)

MAXIMUM_CONTEXT_TOKENS = MAXIMUM_WINDOW_TOKENS - MAXIMUM_FRESH_TOKENS

_BORDERS = tuple(
    map(
        re.compile,
        (
            r"\n[^\S\n]*\n\s*",
            r"\n+",
            r"[。！？!?…]+[”’\"'）)」』]*\s*|\.[”’\"')]*\s+",
            r"[，,；;、]\s*|\s+",
        ),
    )
)
"""Places to cut at, best first: between paragraphs, lines, sentences, words."""


@dataclass(frozen=True)
class RequestSlice:
    request: ExtractionRequest
    part_of: int | None = None
    """Number of the message that the slice is a part of; None if its messages are whole."""


def slice_request(
    request: ExtractionRequest,
    *,
    tokens: int = MAXIMUM_FRESH_TOKENS,
    part_tokens: int = MAXIMUM_FRESH_TOKENS,
) -> list[RequestSlice]:
    """Split a request into slices; nearly all requests are one slice.

    Args:
        request: a window, or a whole session.
        tokens: largest number of fresh tokens in a slice.
        part_tokens: largest number of tokens in a part of a message that is longer than a slice.
    """
    fresh = [message for message in request.messages if message.fresh]
    if sum(map(_count_tokens, fresh)) <= tokens:
        return [RequestSlice(request)]
    return [
        RequestSlice(
            request.model_copy(
                update={"messages": (*_take_context(request.messages, group[0]), *group)}
            ),
            part_of=group[0].number if is_part else None,
        )
        for group, is_part in _group_messages(fresh, tokens, part_tokens)
    ]


def cut_text(text: str, *, tokens: int) -> list[str]:
    """Cut a text into stretches of at most this many tokens, which together are the text."""
    stretches: list[str] = []
    start = 0
    while (end := _find_reach(text, start, tokens * BYTES_PER_TOKEN)) < len(text):
        cut = _find_border(text, start + (end - start) // 2, end)
        stretches.append(text[start:cut])
        start = cut
    return [*stretches, text[start:]]


def merge_answers(answers: Sequence[ExtractionAnswer]) -> ExtractionAnswer:
    """Merge the answers to the slices of a request into one answer."""
    if len(answers) == 1:
        return answers[0]
    seen: dict[int, list[str]] = {}
    for description in (seen for answer in answers for seen in answer.seen):
        seen.setdefault(description.message, []).append(description.description)
    return ExtractionAnswer(
        proposals=tuple(
            merge_repeated_proposals(
                [proposal for answer in answers for proposal in answer.proposals]
            )
        ),
        finished=tuple(dict.fromkeys(claim for answer in answers for claim in answer.finished)),
        seen=tuple(
            PictureDescription(message=number, description="\n".join(words))
            for number, words in seen.items()
        ),
        unread_characters=sum(answer.unread_characters for answer in answers),
    )


def _group_messages(
    fresh: Sequence[DialogueMessage], tokens: int, part_tokens: int
) -> Iterator[tuple[list[DialogueMessage], bool]]:
    """Yield the messages of each slice, and whether the slice is a part of one message."""
    group: list[DialogueMessage] = []
    for message in fresh:
        if group and sum(map(_count_tokens, (*group, message))) > tokens:
            yield group, False
            group = []
        if _count_tokens(message) <= tokens:
            group.append(message)
            continue
        for position, text in enumerate(cut_text(message.text, tokens=part_tokens)):
            images = message.images if position == 0 else ()
            yield [message.model_copy(update={"text": text, "images": images})], True
    if group:
        yield group, False


def _take_context(
    messages: Sequence[DialogueMessage], first: DialogueMessage
) -> list[DialogueMessage]:
    """Return the last messages before `first` for which there is room."""
    chosen: list[DialogueMessage] = []
    room = MAXIMUM_CONTEXT_TOKENS
    for message in reversed(
        [
            dialogue_message
            for dialogue_message in messages
            if dialogue_message.number < first.number
        ]
    ):
        room -= _count_tokens(message)
        if room < 0:
            break
        chosen.append(message.model_copy(update={"fresh": False}) if message.fresh else message)
    return chosen[::-1]


def _count_tokens(message: DialogueMessage) -> int:
    return estimate_tokens(message.text)


def _find_reach(text: str, start: int, size: int) -> int:
    """Return the end of the longest stretch from `start` with at most `size` bytes."""
    stretch = text[start : start + size].encode()[:size]
    return start + max(len(stretch.decode(errors="ignore")), 1)


def _find_border(text: str, begin: int, end: int) -> int:
    """Return the end of the last border in this stretch, of the best kind found in it."""
    for border in _BORDERS:
        places = [match.end() for match in border.finditer(text, begin, end)]
        if places:
            return places[-1]
    return end
