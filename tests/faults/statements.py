"""Statements of several people, each of which becomes one memory, half of them by the rules."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

PEOPLE = 30
_BEGAN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_HOBBIES = (
    *("fencing", "pottery", "rowing", "chess", "archery", "knitting", "sailing", "baking"),
    *("juggling", "surfing", "hiking", "cycling", "painting", "yoga", "gardening", "karate"),
    *("tennis", "bowling", "origami", "calligraphy"),
)
_THINGS = ("notebooks", "teapots", "bicycles", "records", "maps", "lamps", "kettles", "violins")
_PLACES = ("attic", "kitchen", "cellar", "hallway", "workshop", "garage", "office", "pantry")
_THINGS_ZH = ("笔记本", "茶壶", "自行车", "唱片", "地图", "台灯", "水壶", "小提琴")

Statement = Mapping[str, Any]
"""The body of `POST /v1/events`."""


def statements(count: int) -> list[Sequence[Statement]]:
    """By person, in the order they are made in; the end of the session, of no memory, comes last."""
    return [
        [*(_statement(person, place) for place in range(count // PEOPLE)), _end(person)]
        for person in range(PEOPLE)
    ]


def _statement(person: int, place: int) -> Statement:
    said = {
        "user_id": f"person-{person}",
        "session_id": "s",
        "occurred_at": (_BEGAN + timedelta(minutes=place)).isoformat(),
    }
    if place % 2 == 0:
        hobby = _HOBBIES[place % len(_HOBBIES)]
        text = f"I love {hobby}."
        return {
            **said,
            "type": "MessageAdded",
            "message_id": f"m{place}",
            "role": "user",
            "text": text,
        }
    number = person * 100 + place
    thing, where = number % len(_THINGS), _PLACES[number % len(_PLACES)]
    content = (
        f"Box {number} in the {where} holds the {_THINGS[thing]} of {number} relatives."
        if place % 4 == 1
        else f"第{number}号箱子里放着{number}件{_THINGS_ZH[thing]}。"
    )
    return {**said, "type": "RememberRequested", "content": content}


def _end(person: int) -> Statement:
    return {
        "type": "SessionEnded",
        "user_id": f"person-{person}",
        "session_id": "s",
        "occurred_at": (_BEGAN + timedelta(days=1)).isoformat(),
    }
