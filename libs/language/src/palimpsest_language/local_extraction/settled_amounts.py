"""Short answers that take an amount back: "Twelve. No, make it fifteen", 三万吧，算了，五万."""

import re

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("local_extraction/settled_amounts")
_LONGEST = 60
"""The most characters of an answer that is nothing but amounts."""


def settle_amount(text: str, question: str) -> str | None:
    """Return the amount that an answer settles on, with its unit; None if it takes none back."""
    if len(text) > _LONGEST or _PHRASES["asks_amount"].search(question) is None:
        return None
    match = _PHRASES["takes_back"].search(text.strip())
    if match is None:
        return None
    unit = match["unit"] if match["last_unit"] is None else match["last_unit"]
    sign = re.match(r"[$£€¥]?", match["first"])
    lead = "" if sign is None or match["last"].startswith(sign[0]) else sign[0]
    return f"{lead}{match['last']}{unit or ''}"
