"""The words of a turn that may be remembered: not injected by memory, not off the record."""

from functools import lru_cache

from palimpsest.model.turn import ImageReference, Role, Turn, words_of
from palimpsest_language.off_the_record.forgotten_topics import leave_topic_request_out
from palimpsest_language.off_the_record.requests import extract_recordable_text

NOTHING = "[…]"
"""Replaces a message of which nothing may be remembered."""


def own_text(turn: Turn) -> str:
    """Return the text without injected memory, requests to forget, and what is off the record."""
    if turn.withheld:
        return ""
    if turn.role is not Role.USER:
        return turn.said
    return _find_recordable(turn.said)


@lru_cache(maxsize=256)
def _find_recordable(said: str) -> str:
    """Return what is on the record; cached: each proposal of a window asks."""
    return leave_topic_request_out(extract_recordable_text(said)).strip()


def own_images(turn: Turn) -> tuple[ImageReference, ...]:
    """Return the pictures, or none if they came with words that are all off the record."""
    off_the_record = turn.withheld or (turn.said and not own_text(turn))
    return () if off_the_record else turn.images


def own_words(turn: Turn) -> str:
    """Return what may be remembered of the text and of the captions of its pictures."""
    return "\n".join((own_text(turn), *words_of(own_images(turn)))).strip()


def searched_text(turn: Turn) -> str:
    """Return the text by which a turn is found and shown.

    A turn without words of its own is named by its kind of picture, or by `NOTHING`.
    """
    pictures = "\n".join(f"[{image.medium}]" for image in own_images(turn))
    return own_words(turn) or pictures or NOTHING
