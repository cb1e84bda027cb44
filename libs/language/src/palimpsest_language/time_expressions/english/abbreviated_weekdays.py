"""Weekdays in short: "Tues 3pm", "due Fri", "fri 6pm", "on tues", "next wed".

Small letters are read beside an hour or a preposition alone. "sat" and "sun" are other
words too: in small letters only "on", "last", "this" or "next" makes days of them.
"""

import re

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.english.shared_words import (
    WHICH,
    build_phrase,
    build_span_meaning,
    parse_weekday,
)
from palimpsest_language.time_expressions.phrases import PhraseMeaning

_ANY = r"(?P<short>mon|tues?|weds?|thurs?|thu|fri|sat|sun)\b\.?"
_CLEAR = r"(?P<short>mon|tues?|weds?|thurs?|thu|fri|(?-i:Sat|Sun))\b\.?"
_CAPITAL = r"(?P<short>(?-i:Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun))\b\.?"

_HOUR = r"[0-9]{1,2}(?:[:.][0-5][0-9])?\s?(?:(?:-|–|to)\s?[0-9]{1,2}\s?)?[ap]\.?m\b"
_CLOCK_AHEAD = (
    rf"(?=,?\s+(?:(?:at\s+)?(?:{_HOUR}|[0-9]{{1,2}}:[0-5][0-9]|noon\b)"
    r"|(?:morning|afternoon|evening|night)\b))"
)
_BARE_HOUR_AHEAD = r"(?=,?\s+at\s+[0-9])"
# Of capital letters alone: whoever "wed at 19" did so at that age.


def _short_day(match: re.Match[str]) -> PhraseMeaning:
    """By the group `short`, and by `which` where there is one: the last, this or the next."""
    weekday = parse_weekday(match["short"])
    which = (match.groupdict().get("which") or "").lower()
    if which:
        return build_span_meaning(lambda said: spans.day_of_week(said, WHICH[which], weekday))
    return build_span_meaning(lambda said: spans.nearest_weekday(said, weekday))


ENGLISH_SHORT_WEEKDAYS = (
    build_phrase(rf"\b{_CLEAR}{_CLOCK_AHEAD}", _short_day),
    build_phrase(rf"\b{_CAPITAL}{_BARE_HOUR_AHEAD}", _short_day),
    build_phrase(
        (
            r"(?:(?<=\bby )|(?<=\buntil )|(?<=\btill )|(?<=\btil )|(?<=\bdue )|(?<=\bbefore ))"
            rf"{_CLEAR}(?![\w'’])"
        ),
        _short_day,
    ),
    build_phrase(
        rf"\b(?:(?P<which>last|this|next)\s+|on\s+){_ANY}(?![\w'’])(?!\s+(?:down|in|at the))",
        _short_day,
    ),
)
