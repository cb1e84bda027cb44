"""Which year or month a date is of, by what is said of it."""

from datetime import UTC, date, datetime

import pytest

from palimpsest_language.time_expressions.finder import find_times


@pytest.mark.parametrize(
    ("said", "sentence", "begins"),
    [
        ("2026-10-06", "Also booked the flights to Jaipur, Feb 8 to 23.", "2027-02-08"),
        ("2026-10-06", "I booked a table for March 3.", "2027-03-03"),
        ("2026-10-06", "We got the tickets: 4 May", "2027-05-04"),
        # When it was booked.
        ("2026-10-06", "I booked the flights on Monday.", "2026-10-05"),
        ("2026-10-06", "We booked it on 8 September", "2026-09-08"),
        # A birthday comes back: the nearer one.
        ("2026-11-20", "18号是我丈母娘生日", "2026-11-18"),
        ("2026-11-03", "18号是我丈母娘生日", "2026-11-18"),
        ("2026-11-20", "Her birthday is on the 18th", "2026-11-18"),
        ("2026-11-20", "18号交房租", "2026-12-18"),
        ("2026-11-20", "10月18号是糖糖生日", "2027-10-18"),
    ],
)
def test_a_date_is_of_the_year_and_month_that_is_meant(
    said: str, sentence: str, begins: str
) -> None:
    said_at = datetime.fromisoformat(said).replace(hour=9, tzinfo=UTC)
    (expression,) = find_times(sentence, said_at=said_at, time_zone="UTC")
    assert expression.starts_at is not None
    assert expression.starts_at.date() == date.fromisoformat(begins)
