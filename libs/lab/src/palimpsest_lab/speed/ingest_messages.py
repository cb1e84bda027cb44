"""Messages of `bench ingest`: as long as people's, some of them to be remembered."""

from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random

from palimpsest.events.conversations import MessageAdded
from palimpsest.events.envelope import Event
from palimpsest.model.turn import Role
from palimpsest_lab.datasets.invented_texts import InventedStatement, generate_statements

MEMORABLE_SHARE = 0.4
"""Of the messages that say something to be remembered, in sentences that rules can read."""

_SAYINGS = (
    "I really like {mark} tea. ",
    "I am allergic to {mark} powder. ",
    "My favourite restaurant is the {mark} house. ",
    "I want to learn {mark} weaving this year. ",
)
_SAYING_ZH = "我最喜欢喝{mark}茶。"


def generate_messages(seed: int) -> Iterator[InventedStatement]:
    """Generate messages as long as LoCoMo's turns; four in ten say what rules can read."""
    random = Random(seed)  # noqa: S311 - to be repeated, not to be kept secret
    for number, said in enumerate(generate_statements(seed)):
        chinese = not said.text.isascii() and "收据" in said.text
        asked = (
            f"帮我查一下{said.text}，是真的吗？" if chinese else f"Can you find out if {said.text}?"
        )
        saying = ""
        if random.random() < MEMORABLE_SHARE:
            told = _SAYING_ZH if chinese else _SAYINGS[number % len(_SAYINGS)]
            saying = told.format(mark=said.mark)
        yield InventedStatement(f"{saying}{asked}", said.question, said.mark)


def build_message_added(user_id: str, said: InventedStatement) -> Event:
    return MessageAdded(
        occurred_at=datetime.now(UTC),
        user_id=user_id,
        session_id=f"session-{user_id}",
        message_id=said.mark,
        role=Role.USER,
        text=said.text,
    )
