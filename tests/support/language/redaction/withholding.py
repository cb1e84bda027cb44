"""Requests not to remember something, and sentences that only sound like one."""

from tests.support.language.rows import read_rows


def _texts(withholds: str) -> list[str]:
    rows = read_rows("withholding_requests")
    return [row.text for row in rows if row.fields["withholds"] == withholds]


AFTER_THE_FACT = _texts("before")
"""Behind a statement these withhold it; alone, the message before."""

NEXT_MESSAGE = _texts("after")
NO_REQUEST = _texts("nothing")
