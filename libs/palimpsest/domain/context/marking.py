"""The marks around what memory put into a prompt, so that it is never remembered again."""

import re

OPENING, CLOSING = "<palimpsest>", "</palimpsest>"

_MARKED = re.compile(
    rf"{re.escape(OPENING)}.*?(?:{re.escape(CLOSING)}|\Z)", re.IGNORECASE | re.DOTALL
)


def marked(text: str) -> str:
    """The text between the marks; nothing where there is none. Marks within it are taken out."""
    return f"{OPENING}\n{_plain(text)}\n{CLOSING}" if text else ""


def without_marked(text: str) -> str:
    """The text without what stands between marks, a line break in its place.

    An opening mark that nothing closes reaches to the end: better to remember
    too little than what was recalled as if it had been said.
    """
    return _MARKED.sub("\n", text) if OPENING in text.lower() else text


def _plain(text: str) -> str:
    return re.sub(rf"{re.escape(OPENING)}|{re.escape(CLOSING)}", "", text, flags=re.IGNORECASE)
