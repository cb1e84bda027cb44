"""The date of a time expression in brackets: “（2026年3月11日）”, " (11 Mar 2026)"."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime

_LEAST = timedelta(milliseconds=1)


def write_date(time: TimeExpression, said: UtteranceTime, *, with_clock: bool = False) -> str:
    """Return the date in brackets, in the language of the words, with the hour if requested.

    A span has its first and last day, a whole month or year its name, an open span its known side.
    """
    zone = ZoneInfo(said.time_zone)
    first = None if time.starts_at is None else time.starts_at.astimezone(zone)
    last = None if time.ends_at is None else time.ends_at.astimezone(zone)
    if last is not None and last != first:
        last -= _LEAST
    chinese = has_chinese(time.words)
    write = _write_chinese if chinese else _write_english
    text = write(first, last)
    if with_clock and first is not None:
        clock = f"{first:%H:%M:%S}" if first.second else f"{first:%H:%M}"
        text += clock if chinese else f", {clock}"
    return f"（{text}）" if chinese else f" ({text})"


def _write_chinese(first: datetime | None, last: datetime | None) -> str:
    if first is None or last is None:
        return f"{_chinese_day(first)}起" if first else f"至{_chinese_day(last)}"
    if first.date() == last.date():
        return _chinese_day(first)
    if (months := _whole_months(first, last)) is not None:
        begins = f"{first.year}年" + ("" if months == _YEAR else f"{first.month}月")
        if months in {1, _YEAR}:
            return begins
        year = "" if first.year == last.year else f"{last.year}年"
        return f"{begins}至{year}{last.month}月"
    if first.year != last.year:
        return f"{_chinese_day(first)}至{_chinese_day(last)}"
    month = "" if first.month == last.month else f"{last.month}月"
    return f"{_chinese_day(first)}至{month}{last.day}日"


def _write_english(first: datetime | None, last: datetime | None) -> str:
    if first is None or last is None:
        return f"from {_english_day(first)}" if first else f"until {_english_day(last)}"
    if first.date() == last.date():
        return _english_day(first)
    months = _whole_months(first, last)
    if months in {1, _YEAR}:
        return f"{first:%b %Y}" if months == 1 else f"{first.year}"
    if months is not None:
        begins = f"{first:%b}" if first.year == last.year else f"{first:%b %Y}"
        return f"{begins} to {last:%b %Y}"
    begins = _english_day(first)
    if first.year == last.year:
        begins = f"{first.day}" if first.month == last.month else f"{first.day} {first:%b}"
    return f"{begins} to {_english_day(last)}"


_YEAR = 12


def _whole_months(first: datetime, last: datetime) -> int | None:
    """Return the months from the first day of one to the last day of another; None otherwise."""
    if first.day != 1 or (last + timedelta(days=1)).day != 1:
        return None
    months = (last.year - first.year) * 12 + last.month - first.month + 1
    return months if months != _YEAR or first.month == 1 else None


def _chinese_day(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment.year}年{moment.month}月{moment.day}日"


def _english_day(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment.day} {moment:%b %Y}"
