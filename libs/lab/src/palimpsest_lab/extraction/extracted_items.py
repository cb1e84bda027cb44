"""The items that an extractor found, in plain terms: nothing here knows an extractor."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from palimpsest.model.kinds import Kind

_WRITTEN_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
)


@dataclass(frozen=True, kw_only=True)
class ExtractedItem:
    """An item that an extractor found, with aware times; a todo is of kind action_item."""

    kind: Kind
    content: str
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    ended: bool = False
    """It says that this value no longer holds."""
    data: Mapping[str, Any] = field(default_factory=dict)
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    agent_id: str | None = None
    project_id: str | None = None
    message_ids: tuple[str, ...] = ()
    due_at: datetime | None = None
    remind_at: datetime | None = None
    completed: bool = False

    @property
    def layer(self) -> Literal["user", "agent", "project"]:
        if self.project_id is not None:
            return "project"
        return "user" if self.agent_id is None else "agent"

    @property
    def words(self) -> str:
        """All words that the item keeps."""
        data = json.dumps(dict(self.data), ensure_ascii=False, default=str) if self.data else ""
        return "\n".join(part for part in (self.content, self.value, data) if part)


def is_due_date_kept(stated: str, item: ExtractedItem, zone: ZoneInfo) -> bool:
    """Return whether the due moment, else the reminder, keeps the stated date."""
    moment = item.due_at or item.remind_at
    return moment is not None and is_on_stated_date(stated, moment, zone)


def is_reminder_kept(stated: str, item: ExtractedItem, zone: ZoneInfo) -> bool:
    return item.remind_at is not None and is_on_stated_date(stated, item.remind_at, zone)


def has_stated_date(stated: str, item: ExtractedItem, zone: ZoneInfo) -> bool:
    """Return whether a date of the memory is the stated one, as exactly as stated."""
    moments = [item.occurred_at, item.valid_from, item.valid_until, item.due_at]
    return any(
        is_on_stated_date(stated, moment, zone) for moment in moments if moment is not None
    ) or any(is_on_stated_date(stated, moment, zone) for moment in _written(item.words, zone))


def is_on_stated_date(stated: str, moment: datetime, zone: ZoneInfo) -> bool:
    """A year, month or day by the calendar of the zone; a moment to the minute."""
    if "T" in stated:
        return abs((moment - datetime.fromisoformat(stated)).total_seconds()) < 60
    return moment.astimezone(zone).date().isoformat().startswith(stated)


def _written(words: str, zone: ZoneInfo) -> list[datetime]:
    moments: list[datetime] = []
    for text in _WRITTEN_DATE.findall(words):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            continue
        moments.append(moment if moment.tzinfo else moment.replace(tzinfo=zone))
    return moments
