"""The marks around what memory put into a prompt, so that it is never remembered again."""

import re

OPENING, CLOSING = "<palimpsest>", "</palimpsest>"

_MARKED = re.compile(
    rf"{re.escape(OPENING)}.*?(?:{re.escape(CLOSING)}|\Z)", re.IGNORECASE | re.DOTALL
)

_ALIKE = re.compile(r"<\s*+/?+\s*+palimpsest(?:\s*+>)?+", re.IGNORECASE)
"""Text that a model may take for a marker."""

_LEFT_OUT = "…"
"""In the place of a mark: with nothing there, what stood around it could make up another one."""


def wrap_in_markers(text: str) -> str:
    """The text between the marks; nothing where there is none. Marks within it are left out."""
    return f"{OPENING}\n{_plain(text)}\n{CLOSING}" if text else ""


def remove_marked_text(text: str) -> str:
    """The text without what stands between marks, a line break in its place.

    An opening mark that nothing closes reaches to the end: better to remember
    too little than what was recalled as if it had been said.
    """
    return _MARKED.sub("\n", text) if OPENING in text.lower() else text


def _plain(text: str) -> str:
    return _ALIKE.sub(_LEFT_OUT, text)
