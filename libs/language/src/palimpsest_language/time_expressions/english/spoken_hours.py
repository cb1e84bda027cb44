"""Spoken hours of English: "half past two", "by EOD", "2 to 4pm", "after 2300"."""

import re

from palimpsest_language.time_expressions.clock_time import AFTERNOON, EVENING, MORNING, ClockTime
from palimpsest_language.time_expressions.english.shared_words import build_phrase
from palimpsest_language.time_expressions.numerals import parse_english_number
from palimpsest_language.time_expressions.phrases import PhraseMeaning

END_OF_WORK = ClockTime(18, exact=True)

_WORD_HOUR = (
    r"(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9])"
)
_MINUTES_OF = {"five": 5, "ten": 10, "twenty": 20, "twenty-five": 25, "twenty five": 25}
_MINUTES = "twenty[ -]five|five|ten|twenty"


def _spoken_clock(match: re.Match[str]) -> PhraseMeaning:
    """“Half past two”, “ten to six”; “half eight” is half past, as it is said in Britain."""
    hour, words = parse_english_number(match["hour"]), match["fraction"].lower()
    minutes = 30 if words == "half" else 15 if words.endswith("quarter") else _MINUTES_OF[words]
    if match["way"].lower() != "to":
        return PhraseMeaning(clock=ClockTime(hour, minutes))
    return PhraseMeaning(clock=ClockTime(hour - 1 or 12, 60 - minutes))


def _hour_in_words(match: re.Match[str]) -> PhraseMeaning:
    return PhraseMeaning(
        clock=ClockTime(parse_english_number(match["hour"])), weak=match["plainly"] is None
    )


def _hour_in_part(match: re.Match[str]) -> PhraseMeaning:
    part = {"morning": MORNING, "afternoon": AFTERNOON}.get((match["part"] or "").lower(), EVENING)
    return PhraseMeaning(clock=ClockTime(parse_english_number(match["hour"]), part=part))


_OF_YEARS_TOO = range(19, 21)


def _hour_in_four_figures(match: re.Match[str]) -> PhraseMeaning | None:
    """“After 2300”, “at 0730”; 1945 and 2000 are years sooner than hours."""
    hour = int(match["hour"])
    if hour in _OF_YEARS_TOO and match["plainly"] is None:
        return None
    return PhraseMeaning(clock=ClockTime(hour, int(match["minute"]), exact=True))


def _begins_at(match: re.Match[str]) -> PhraseMeaning | None:
    """Read the half of the day behind the second hour: "2 to 4pm"; "10 to 2pm" begins before."""
    hour, last = int(match["begins"]), int(match["ends"])
    if not (1 <= hour <= 12 and 1 <= last <= 12):
        return None
    same_half = hour % 12 <= last % 12
    after_noon = (match["half"][0] in "pP") == same_half
    minute = int(match["minute"] or 0)
    return PhraseMeaning(clock=ClockTime(hour % 12 + (12 if after_noon else 0), minute, exact=True))


ENGLISH_HOURS = (
    build_phrase(
        (
            r"\b(?:(?-i:EOD|COB|EOB)|(?:the\s+)?end of (?:the )?(?:working |business )?day|"
            r"(?:the\s+)?close of (?:business|play))\b"
        ),
        lambda _: PhraseMeaning(clock=END_OF_WORK),
    ),
    build_phrase(
        rf"(?:\bat\s+)?\b(?P<fraction>half|(?:a\s+)?quarter)\s+(?P<way>past|to)\s+{_WORD_HOUR}\b",
        _spoken_clock,
    ),
    build_phrase(rf"\bat\s+(?P<fraction>{_MINUTES})\s+(?P<way>to)\s+{_WORD_HOUR}\b", _spoken_clock),
    build_phrase(
        rf"(?:\bat\s+)?\b(?P<fraction>{_MINUTES})\s+(?P<way>past)\s+{_WORD_HOUR}\b", _spoken_clock
    ),
    build_phrase(
        rf"\b(?:at|around|about)\s+(?P<fraction>half)(?P<way>)\s+{_WORD_HOUR}\b", _spoken_clock
    ),
    build_phrase(
        r"\bat\s+(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
        r"(?P<plainly>\s+o['’]clock|\s+sharp|(?=\s*[.!;]?\s*$|\s*,|\s+(?:with "
        r"(?:his|her|my|our|the|their|a)|today|tonight|tomorrow|tmrw|and|but|so)\b))?",
        _hour_in_words,
    ),
    build_phrase(
        r"(?:(?<=\bafter )|(?<=\bbefore )|(?<=\bby )|(?<=\btill )|(?<=\buntil ))"
        r"(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
        r"(?P<plainly>\s+o['’]clock|\s+sharp|(?=\s*(?:[,.;!]|$)|\s+"
        r"(?:today|tonight|tomorrow|tmrw)\b))?(?!\s+(?:days?|weeks?|months?|years?|hours?"
        r"|minutes?))",
        _hour_in_words,
    ),
    build_phrase(
        (
            r"(?:(?<=\bout from )|(?<=\boff from )|(?<=\bin from )|(?<=\bfree from )|"
            r"(?<=\bopen from )|(?<=\bthere from )|(?<=\bhere from )|(?<=\bavailable from ))"
            r"(?P<hour>1[0-2]|[1-9])(?P<plainly>)(?=\s*(?:[,.;!]|$)|\s+"
            r"(?:today|tonight|tomorrow|tmrw|on|to|till)\b)"
        ),
        _hour_in_words,
    ),
    build_phrase(
        (
            r"(?:\bat\s+)?\b(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven"
            r"|twelve|1[0-2]|[1-9])\s+(?:in\s+the\s+(?P<part>morning|afternoon|evening)|at\s+"
            r"(?P<night>night))\b"
        ),
        _hour_in_part,
    ),
    build_phrase(
        (
            r"(?:\bat\s+|(?<=\bafter )|(?<=\bby )|(?<=\bbefore )|(?<=\buntil )|(?<=\btill )|"
            r"(?<=\bfrom )|(?<=\bday ))(?P<hour>[01][0-9]|2[0-3])(?P<minute>00|15|30|45)(?:\s?"
            r"(?P<plainly>h|hrs|hours)\b|(?![0-9:.%,]|\s+[a-z]+s\b))"
        ),
        _hour_in_four_figures,
    ),
    build_phrase(
        (
            r"(?<=day )(?P<hour>1[0-2]|[1-9])(?P<plainly>)(?=\s?(?:-|–|to|till)\s?"
            r"(?:1[0-2]|[1-9])\b(?!\s?(?:[ap]\.?m|people|points|goals|%|:)))"
        ),
        _hour_in_words,
    ),
    build_phrase(
        (
            r"(?:(?<=\bnight )|(?<=\bmorning )|(?<=\bevening )|(?<=\bafternoon ))(?P<plainly>)"
            r"(?P<hour>1[0-2]|[1-9])(?=\s*(?:[,.;!]|$)|\s+(?:to|for|sharp|ish)\b)"
        ),
        _hour_in_words,
    ),
    build_phrase(
        r"(?<![0-9.:$€£])\b(?P<begins>[0-9]{1,2})(?:[:.](?P<minute>[0-5][0-9]))?"
        r"(?=\s?(?:-|–|to|and|till|until)\s?(?P<ends>[0-9]{1,2})(?:[:.][0-5][0-9])?\s?"
        r"(?P<half>[ap])\.?m\b)",
        _begins_at,
    ),
)
