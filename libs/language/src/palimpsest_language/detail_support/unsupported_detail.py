"""Finds a number, a date or a name in a proposal that nothing said supports. Pure.

No rule and no model may invent one: a spliced number, a month that nobody named, a person that
nobody named. The modules beside this one list each allowed derivation by name.
"""

from collections.abc import Sequence
from enum import StrEnum

from palimpsest_language.detail_support.source_words import SourceWords
from palimpsest_language.detail_support.supported_dates import find_unsupported_date
from palimpsest_language.detail_support.supported_names import find_unsupported_name
from palimpsest_language.detail_support.supported_numbers import find_unsupported_number


class DetailSort(StrEnum):
    """Sorts of details that must be said or derived."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"


_FINDERS = (
    (DetailSort.NUMBER, find_unsupported_number),
    (DetailSort.DATE, find_unsupported_date),
    (DetailSort.NAME, find_unsupported_name),
)


def find_unsupported_detail(texts: Sequence[str], sources: SourceWords) -> DetailSort | None:
    """Return the sort of the first invented detail in a proposal's texts; None without one."""
    return next(
        (sort for sort, find in _FINDERS for text in texts if find(text, sources) is not None), None
    )
