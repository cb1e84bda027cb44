"""The markers around memory in a prompt, so that it is never remembered again."""

import re

OPENING, CLOSING = "<palimpsest>", "</palimpsest>"

_MARKED = re.compile(
    rf"{re.escape(OPENING)}.*?(?:{re.escape(CLOSING)}|\Z)", re.IGNORECASE | re.DOTALL
)

_ALIKE = re.compile(r"<\s*+/?+\s*+palimpsest(?:\s*+>)?+", re.IGNORECASE)
"""Text that a model may take for a marker."""

_LEFT_OUT = "…"
"""Replaces a marker within a text. If nothing did, the text around it could form another marker."""


def wrap_in_markers(text: str) -> str:
    """Return the text between markers, without markers inside it; empty for an empty text."""
    return f"{OPENING}\n{_plain(text)}\n{CLOSING}" if text else ""


def remove_marked_text(text: str) -> str:
    """Return the text without marked parts, each replaced by a line break.

    An opening marker without a closing one reaches to the end of the text. It is better to remember
    too little than to take recalled text for said words.
    """
    return _MARKED.sub("\n", text) if OPENING in text.lower() else text


def _plain(text: str) -> str:
    return _ALIKE.sub(_LEFT_OUT, text)
