"""Words of English that several kinds of expressions share."""

import re
from collections.abc import Callable

from palimpsest_language.time_expressions.phrases import PhraseMeaning, TimePhrase
from palimpsest_language.time_expressions.spans import SpanResolver

NUMBER = (
    r"(?:[0-9]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    r"|twenty|thirty|(?:a )?couple of)"
)
UNIT = r"(?P<unit>minute|hour|day|week|month|year|min|hr|wk|mth|yr)s?"
_IN_FULL = {"min": "minute", "hr": "hour", "wk": "week", "mth": "month", "yr": "year"}
_WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY = r"(?P<weekday>Mon|Tues?|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
MONTH = (
    r"(?P<month>January|February|March|April|May|June|July|August|September|October|November"
    r"|December|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)(?![a-z])"
)
WHICH = {
    "last": -1,
    "past": -1,
    "this past": -1,
    "this": 0,
    "the current": 0,
    "next": 1,
    "the coming": 1,
}
WHICH_ONE = r"(?P<which>last|this past|this|next|the coming)"
YEAR = r"(?P<year>(?:19|20)[0-9]{2})"
DAY = r"(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?"
ON = r"(?:\b(?:on|at|in|during)\s+(?:the\s+)?)?"


def parse_unit(written: str) -> str:
    unit = written.lower()
    return _IN_FULL.get(unit, unit)


def parse_weekday(name: str) -> int:
    return next(
        place for place, full in enumerate(_WEEKDAY_NAMES) if full.startswith(name.lower()[:3])
    )


def parse_month(name: str) -> int:
    return 1 + next(
        place for place, full in enumerate(_MONTH_NAMES) if full.startswith(name.lower()[:3])
    )


def is_month(name: str) -> bool:
    """`may`, `march`, `mar` and `sun` in small letters are other words."""
    return name[0].isupper() or len(name) > 5 or name in {"april", "june", "july"}


def is_month_of_date(name: str) -> bool:
    """Months beside the number of a day: "1 sept", "june 5"; "may 5" may be of other things."""
    return is_month(name) or name.lower().rstrip(".") not in {"may", "march", "mar"}


_OF_A_DATE = re.compile(
    (
        r"(?:[,;(]\s*|\b(?:on|by|from|until|till?|to|before|after|since|its|it['’]s|is|was|due"
        r"|around|for|and|until)\s+(?:the\s+)?)$"
    ),
    re.IGNORECASE,
)
_NO_MORE_OF_IT = re.compile(
    (
        r"\s*(?:$|[,;!?)]|\.(?![0-9])|(?:-|–|to|till?|until|thru|through)\s?[0-9]{1,2}(?!\s*"
        r"(?:%|percent|people|km|miles|k\b))|(?:at|btw|tho|though|pls|please|so|and|but|or|then"
        r"|which|when|because|lol|haha|yes|yep|this year|next year|last year)\b|[0-9]{1,2}"
        r"(?::[0-9]{2}|\s?[ap]m))"
    ),
    re.IGNORECASE,
)


def is_written_as_date(match: re.Match[str]) -> bool:
    """“Its may 25”, “regatta is may 21 to 23”: beside what no verb has beside it."""
    before = match.string[max(0, match.start() - 12) : match.start()]
    on = match[0][:1].islower() and match[0].lower().startswith(("on ", "at ", "in "))
    behind = _NO_MORE_OF_IT.match(match.string, match.end())
    return behind is not None or on or _OF_A_DATE.search(before) is not None


_MOVED_FROM = re.compile(
    (
        r"\b(?:moved|pushed|shifted|postponed|rescheduled|changed|delayed|bumped|brought forward"
        r"|put back)(?: (?:back|forward|up|out))? (?:from )?(?:the )?$"
    ),
    re.IGNORECASE,
)
_LONGEST_MOVE = 40


def is_rescheduled_from(sentence: str, start: int) -> bool:
    """“Moved from the 16th to the 23rd” is no range: by where its first day stands."""
    return _MOVED_FROM.search(sentence, max(0, start - _LONGEST_MOVE), start) is not None


def build_span_meaning(resolve: SpanResolver, *, weak: bool = False) -> PhraseMeaning:
    return PhraseMeaning(resolve=resolve, weak=weak)


def build_phrase(
    pattern: str, meaning: Callable[[re.Match[str]], PhraseMeaning | None]
) -> TimePhrase:
    return TimePhrase(re.compile(pattern, re.IGNORECASE), meaning)
