"""Seventy-five messages of three people, and what must be remembered of them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.model.turn import Role

USERS = 3
MESSAGES_EACH = 25
SESSION = "talk"

_BEGAN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_CITIES = ("Lisbon", "Oslo", "Kyoto", "Lima", "Accra", "Turin", "Quito", "Busan", "Porto", "Tunis")
_FOODS = ("peanuts", "shrimp", "kiwi", "celery", "sesame", "mustard", "lupin", "squid")
_DRINKS = ("手冲咖啡", "乌龙茶", "气泡水", "豆浆", "普洱茶", "酸梅汤", "椰子水")
_PARTS = ("checkout", "search page", "mobile app", "billing", "newsletter")


def _statements(number: int) -> tuple[str, ...]:
    city, next_city = _CITIES[number % 10], _CITIES[(number + 3) % 10]
    return (
        f"I live in {city}.",
        f"I'm allergic to {_FOODS[number % 8]}.",
        "I love using Vue for my pages.",
        f"我喜欢喝{_DRINKS[number % 7]}。",
        "What did you think of the weather today?",
        f"My goal this year is to run a marathon in {next_city}.",
        f"Lesson learned: always test the {_PARTS[number % 5]} before a holiday.",
        f"We decided to rewrite the {_PARTS[(number + 1) % 5]} in spring.",
        "I switched from Vue to React.",
        f"I moved to {next_city}.",
        "That reminds me, how is the harbour?",
        "That was a long day, wasn't it?",
        f"I'm learning to sail near {next_city}.",
    )


MEMORIES_EACH = 10
SUPERSEDED_EACH = 2
"""The part of them that changes: where they live and what they build with."""


def user(number: int) -> str:
    return f"talker-{number}"


def messages(number: int) -> list[MessageAdded]:
    """The messages of this user and their agent, in order."""
    return [
        MessageAdded(
            occurred_at=_BEGAN + timedelta(minutes=place),
            user_id=user(number),
            agent_id="companion",
            session_id=SESSION,
            message_id=f"m{place}",
            role=role,
            text=text,
        )
        for place, (role, text) in zip(range(1, MESSAGES_EACH + 1), _said(number), strict=False)
    ]


def end(number: int) -> SessionEnded:
    return SessionEnded(
        occurred_at=_BEGAN + timedelta(days=1),
        user_id=user(number),
        agent_id="companion",
        session_id=SESSION,
    )


def body(event: MessageAdded | SessionEnded) -> dict[str, Any]:
    return event.model_dump(mode="json", exclude_defaults=True) | {"type": event.type}


def _said(number: int) -> Iterator[tuple[Role, str]]:
    for place, statement in enumerate(_statements(number), start=1):
        yield Role.USER, statement
        yield Role.AGENT, f"I see. ({place})"
