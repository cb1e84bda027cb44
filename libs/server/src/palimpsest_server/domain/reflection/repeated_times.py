"""Find events that happen again and again on the same day of the week."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from zoneinfo import ZoneInfo

from palimpsest.model.bilingual_text import shorten_to_summary
from palimpsest.model.distillate import LEAST_BASES
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory
from palimpsest.model.user import Language
from palimpsest_server.domain.compression.distillation import common_language
from palimpsest_server.domain.reflection.finding import ReflectionFinding
from palimpsest_server.domain.reflection.memory_names import group_by_name

RULE = "repeated times"
LEAST_SHARE = 0.75
"""Share of the known events about a thing that must be on one weekday."""

_DAYS = {
    Language.ENGLISH: (
        "Mondays",
        "Tuesdays",
        "Wednesdays",
        "Thursdays",
        "Fridays",
        "Saturdays",
        "Sundays",
    ),
    Language.CHINESE: ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}
_SENTENCES = {
    Language.ENGLISH: "{name} often comes up on {day}: {example}",
    Language.CHINESE: "{name}经常在{day}：{example}",
}


def find_repeated_times(memories: Sequence[Memory], time_zone: str) -> Iterator[ReflectionFinding]:
    """Yield findings of events about one thing in at least three weeks, nearly all on one weekday."""
    zone = ZoneInfo(time_zone)
    timed = [memory for memory in memories if memory.kind.times.is_at_a_time]
    for plain, name, about in group_by_name(timed):
        days = {memory.id: memory.occurred_at.astimezone(zone).date() for memory in about}
        weekday, _ = Counter(day.weekday() for day in days.values()).most_common(1)[0]
        on_it = [memory for memory in about if days[memory.id].weekday() == weekday]
        weeks = {_week(days[memory.id]) for memory in on_it}
        if len(weeks) >= LEAST_BASES and len(on_it) >= LEAST_SHARE * len(about):
            yield _finding(plain, name, weekday, on_it)


def _finding(plain: str, name: str, weekday: int, bases: Sequence[Memory]) -> ReflectionFinding:
    language = common_language(bases)
    latest = max(bases, key=lambda memory: (memory.occurred_at, memory.id))
    content = _SENTENCES[language].format(
        name=name, day=_DAYS[language][weekday], example=shorten_to_summary(latest.summary)
    )
    return ReflectionFinding(RULE, f"{plain} {weekday}", Kind.PATTERN, content, tuple(bases))


def _week(day: date) -> tuple[int, int]:
    return day.isocalendar()[:2]
