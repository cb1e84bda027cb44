"""Read the value that stands in the place of another in words that are otherwise the same."""

import re

_WORDS_BEYOND = 1
"""The words that a new value may have beyond the former: what is longer is more than a value."""
_LETTERS_BEYOND = 12
_ENDINGS = " .。!！"
_BREAKS = re.compile(r"[,，、;；:：.。!！?？\n()（）]")


def find_replaced_value(before: str, value: str, after: str) -> str | None:
    """Return what stands in `after` where `before` has the value, if all other words are the same.

    "lives in Oslo" with Oslo and "lives in New York" give New York; other sentences give None.
    """
    before, after = before.rstrip(_ENDINGS), after.rstrip(_ENDINGS)
    for match in re.finditer(re.escape(value), before, re.IGNORECASE):
        head, tail = before[: match.start()], before[match.end() :]
        has_room = len(after) > len(head) + len(tail)
        if has_room and after.startswith(head) and after.endswith(tail):
            written = after[len(head) : len(after) - len(tail)].strip()
            if _looks_like_value(written, value):
                return written
    return None


def _looks_like_value(written: str, value: str) -> bool:
    return (
        bool(written)
        and _BREAKS.search(written) is None
        and len(written.split()) <= len(value.split()) + _WORDS_BEYOND
        and len(written) <= len(value) + _LETTERS_BEYOND
    )
