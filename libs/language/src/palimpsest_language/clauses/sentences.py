"""Sentences of a message that state something: no questions, suppositions, hearsay or code."""

import re
from collections.abc import Iterator
from functools import lru_cache

MAXIMUM_SENTENCE_CHARACTERS = 400
"""The longest sentence that is read; longer ones are logs, tables or pasted texts."""

SENTENCE_CACHE_SIZE = 4_096
"""Cached sentences: each is read as a fresh message, as context, and for the session's summary."""

_CODE = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>[^\n]*$", re.DOTALL | re.MULTILINE)
_PICTURES = "[\U0001f000-\U0001faff\u2600-\u2763\u2765-\u27bf\ufe0f\u200d\u2640\u2642]"
_END = re.compile(
    r"[。！？!?；;\n]+[\"'”’」）)]*|\.+[\"'”’)]*(?=\s|$)"
    rf"|(?<=[\w'’,]) ?{_PICTURES}+(?=\s)(?!\s*(?:and|but|or|with)\b)"
)
"""The end of a sentence. An emoji behind words ends it like a full stop, except a heart, which may
be a verb.
"""
_BREAK = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|st|vs|prof|e\.g|i\.e|etc)|(?<![\w'’])[a-z])\.$", re.IGNORECASE
)
_DATE_IN_FIGURES = re.compile(
    (
        r"(?<![0-9.])[0-9]{1,2}\.(?:[0-9]{1,2}\.(?=\s)|(?=\s(?:jan|feb|mar|apr|may|jun|jul|aug"
        r"|sep|oct|nov|dec)))"
    ),
    re.IGNORECASE,
)
"""“1. November”, “from 3.11. to 13.11.”: dates as they are written in central Europe."""
_LONGEST_FIGURES = 6
_NUMBERED = re.compile(r"\bno\.\s*\d", re.IGNORECASE)
"""“No. 7” continues a sentence, “no. not me” does not."""

_QUESTION = re.compile(
    r"[?？]|(?:吗|呢|么|是不是|对不对|有没有|要不要|能不能|可不可以)[。.!！~～]*$"
)
_SUPPOSITION = re.compile(
    r"\b(?:if|suppose|supposing|imagine|pretend|let's say|what if|maybe|perhaps|assuming|unless|"
    r"whether|i wish|i thought|i dreamed|i dreamt|hypothetically|for example|e\.g\.|"
    r"(?:he|she|they|someone|who|people) (?:say|says|said|think|thinks|thought|claims?|asked|told)|"
    r"not (?:true )?that|never said|didn't say|in the (?:story|novel|game|movie|film))\b"
    r"|如果|假如|假设|要是|倘若|万一|的话|是否|会不会|也许|或许|可能|大概|说不定|想象|比如|例如|"
    r"[他她它们人]说|听说|据说|以为|梦见|没说过?|没有说|不是说|并不是|小说里|游戏里|电影里",
    re.IGNORECASE,
)

_SPEAKER_FIRST = re.compile(r"(?:I|we)\b|(?:I|we)['’]|I(?:m|ve)\b", re.IGNORECASE)
_ONLY_THEN = re.compile(r"\b(?:by|until|till|at) the time\s+$", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([\w'’]+)\s+$")
_BEGINS_CLAUSE = re.compile(
    r"and|but|so|or|because|'?cause|since|as|while|whereas|yeah|yes|yep|no|well|also|actually|anyway|plus|then"
    r"|now|"
    r"okay|ok|oh|hey|hi|hiya|heya|yo|howdy|hello|wow|recently|lately|currently|honestly"
    r"|personally|finally|"
    r"(?:un)?fortunately|sadly|luckily|basically|btw|fyi|context|background"
    r"|reference|way|know|remember|time|today|yesterday|ago|"
    r"week|weekend|month|year|morning|night|evening|summer|winter|spring|fall|autumn|\w+day|\d+",
    re.IGNORECASE,
)


_ADDRESS = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]*://|\bwww\.|(?<![\w.])(?:~|\.{1,2})?/(?=\w)|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,8}"
    r"(?::\d+)?/)[^\s<>\"'“”，。！？；、（）《》]*[\w/#=&%~+-]",
    re.IGNORECASE,
)
"""An address or a path with what stands in it: “?dry=1”, “;v=2”, “!”."""


def blank_addresses(text: str) -> str:
    """Replace addresses by letters of the same length."""
    if "/" not in text and "www." not in text.lower():
        return text
    return _ADDRESS.sub(lambda match: "x" * len(match.group()), text)


def find_sentence_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence, or the sentences, around a stretch begin and end."""
    before = list(_BREAK.finditer(text, 0, start))
    closing = _BREAK.search(text, end)
    return before[-1].end() if before else 0, closing.start() if closing else len(text)


def split_declarative_sentences(text: str) -> Iterator[str]:
    """Return the statements of a text, in order, verbatim and with their marks."""
    for sentence in split_sentences(text):
        if len(sentence) <= MAXIMUM_SENTENCE_CHARACTERS and not _QUESTION.search(
            blank_addresses(sentence)
        ):
            yield sentence


def is_inside_supposition(sentence: str, position: int) -> bool:
    """Tell whether words before this position make what follows a supposition or hearsay."""
    return _SUPPOSITION.search(sentence, 0, position) is not None


def is_subordinate(sentence: str, position: int) -> bool:
    """Tell whether "I" or "we" at this position only completes another clause.

    "I love hiking" is a statement; "the trip we took" and "why I love it" are not.
    """
    if not _SPEAKER_FIRST.match(sentence, position):
        return False
    if _ONLY_THEN.search(sentence, 0, position):
        return True
    before = _WORD_BEFORE.search(sentence, 0, position)
    return before is not None and _BEGINS_CLAUSE.fullmatch(before.group(1)) is None


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text with their marks, without code and quoted lines."""
    return tuple(_split(text))


def _split(text: str) -> Iterator[str]:
    text = _CODE.sub("\n", text)
    start = 0
    for end in _END.finditer(blank_addresses(text)):
        if end.group().startswith(".") and _is_abbreviated(text, start, end.start()):
            continue
        if sentence := text[start : end.end()].strip():
            yield sentence
        start = end.end()
    if sentence := text[start:].strip():
        yield sentence


def _is_abbreviated(text: str, start: int, stop: int) -> bool:
    """Tell whether the full stop only marks an abbreviation; its sentence begins at `start`."""
    if _ABBREVIATION.search(text, start, stop + 1):
        return True
    if stop - start >= 2 and _NUMBERED.match(text, stop - 2) is not None:
        return True
    dates = _DATE_IN_FIGURES.finditer(text, max(start, stop - _LONGEST_FIGURES), stop + 5)
    return any(stop < date.end() and date.start() < stop for date in dates)
