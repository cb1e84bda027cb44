"""Full-width letters and digits of Chinese keyboards are read like narrow ones."""

import re

_WIDE = re.compile(r"[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a＋－．＠＿＃＄％＆＊／]")
_NARROW = {
    **{wide: wide - 0xFEE0 for wide in range(0xFF10, 0xFF1A)},
    **{wide: wide - 0xFEE0 for wide in range(0xFF21, 0xFF3B)},
    **{wide: wide - 0xFEE0 for wide in range(0xFF41, 0xFF5B)},
    **{ord(wide): ord(wide) - 0xFEE0 for wide in "＋－．＠＿＃＄％＆＊／"},
}
"""Narrow forms, character by character, so that positions stay. Marks that end a sentence stay
wide.
"""


def convert_to_half_width(text: str) -> str:
    return text.translate(_NARROW) if not text.isascii() and _WIDE.search(text) else text
