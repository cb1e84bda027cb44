"""Chinese and Latin text: its language, and its display width."""

import re

from palimpsest.model.user import Language

MAXIMUM_SUMMARY_WIDTH = 100
"""The width of a summary: 50 Chinese or 100 Latin characters, or a mixture of the same width."""

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WIDE = re.compile(r"[\u2e80-\u303e\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def has_chinese(text: str) -> bool:
    return _HAN.search(text) is not None


def detect_language(text: str) -> Language:
    """Return Chinese if Chinese characters outnumber Latin words, otherwise English.

    A Chinese sentence about TypeScript and React is Chinese; an English one that names 上海 is
    English.
    """
    chinese = len(_HAN.findall(text))
    latin = len(_LATIN_WORD.findall(text))
    return Language.CHINESE if chinese > latin else Language.ENGLISH


_MARKS = {",": "，", ";": "；", ":": "："}


def join_with_punctuation(mark: str, first: str, second: str) -> str:
    """Join two texts by a mark, in the form that their language uses.

    If the languages differ, or one text is only a name or number, the wider text decides.
    """
    chinese = detect_language(max(first, second, key=display_width)) is Language.CHINESE
    return f"{first}{_MARKS[mark] if chinese else mark + ' '}{second}"


def display_width(text: str) -> int:
    """Return the width of a text: 2 for each Chinese character, 1 for any other."""
    return len(text) + len(_WIDE.findall(text))


def shorten_to_summary(content: str, limit: int = MAXIMUM_SUMMARY_WIDTH) -> str:
    """Return the first line of a content, cut with an ellipsis to a width of `limit`.

    Latin words are kept whole if that costs less than half of the width.
    """
    line = content.strip().partition("\n")[0].rstrip()
    if display_width(line) <= limit:
        return line
    cut = line[:limit]
    while display_width(cut) > limit - 1:
        cut = cut[:-1]
    next_character = line[len(cut)]
    if cut[-1:].isascii() and cut[-1:].isalnum() and next_character.isalnum():
        whole_words = cut.rpartition(" ")[0]
        if display_width(whole_words) * 2 > limit:
            cut = whole_words
    return cut.rstrip() + "…"
