"""Reads answers to “Are you still …?”: that it is over, and what is so instead.

“No, at the Marriott now” holds two statements: “no” and “at the Marriott now”. Either may be left
out, for whoever names something else says by it that the first is over.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.local_extraction.omitted_speakers import find_omitted_speakers
from palimpsest_language.phrase_tables import read_phrases

_WORDS = read_phrases("local_extraction/answer_words")
_PART_ENDS = re.compile(r"[，,;；。！!?？\n]|\.(?=\s|$)")
_PARTS = 2
"""Parts behind a no that may tell the new value."""
_SINCE = re.compile(r"^(?:since|in) ", re.IGNORECASE)


@dataclass(frozen=True)
class ChangedAnswer:
    denial: str
    """The words that say it is over; "" if only the new value says so."""
    between: str
    """Words before the new value: “left in March”."""
    instead: str
    """The words that tell the new value; "" without one."""
    value: str
    """The new value in these words; "" without one."""
    since: str
    """When it began, with a preposition; “ now” if that was not said."""
    rest: str
    """Words behind it."""


def read_changed_answer(text: str, fits: str) -> ChangedAnswer | None:
    """Read an answer by which something is over; None if it says no such thing.

    `fits` is the pattern of a new value.
    """
    said = text.strip()
    denied = _WORDS["no_longer"].search(said)
    denial = denied.group() if denied else ""
    behind = said[len(denial) :]
    for start, part in _list_parts(behind):
        value, since = _find_value(part, fits, by_itself=not denial or start > 0)
        if value and (denial or start == 0):
            end = start + len(part)
            return ChangedAnswer(denial.rstrip(), behind[:start], part, value, since, behind[end:])
    return ChangedAnswer(denial.rstrip(), behind, "", "", "", "") if denial else None


def _list_parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the first parts of a text, each with its position."""
    start = 0
    for _ in range(_PARTS):
        end = _PART_ENDS.search(text, start)
        part = text[start : end.start() if end else len(text)]
        spaces = len(part) - len(part.lstrip())
        yield start + spaces, part.strip()
        if end is None:
            return
        start = end.end()


def _find_value(part: str, fits: str, *, by_itself: bool) -> tuple[str, str]:
    """Find a new value and since when. By itself it takes a word for the change."""
    match = _WORDS["in_its_place"].search(part) if part else None
    if (
        match is None
        or _WORDS["no_longer"].search(part)
        or (by_itself and not (match["lead"] or match["now"]))
    ):
        return "", ""
    if by_itself and has_chinese(part) and not _WORDS["changes"].search(match["lead"]):
        return "", ""
    value = match["answer"]
    if re.fullmatch(fits, value, re.IGNORECASE) is None:
        return "", ""
    since = match.groupdict().get("since")
    return value, f" since {_SINCE.sub('', since)}" if since else " now"


def speak_in_first_person(words: str) -> str:
    """Return words with their speaker: “sold it” is “I sold it”."""
    for stated, said in find_omitted_speakers(words):
        return words.replace(said, stated, 1)
    return f"I {words}" if _WORDS["own_deed"].search(words) else words
