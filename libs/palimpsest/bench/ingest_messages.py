"""What arrives during `bench ingest`: messages as long as people's, of which some say what is to be remembered."""

from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random

from palimpsest.bench.texts import Invented, invented
from palimpsest.contracts.conversations import MessageAdded
from palimpsest.contracts.envelope import Event
from palimpsest.domain.turn import Role

SAYING_SHARE = 0.4
"""Of the messages that say something to be remembered, in sentences that rules can read."""

_SAYINGS = (
    "I really like {mark} tea. ",
    "I am allergic to {mark} powder. ",
    "My favourite restaurant is the {mark} house. ",
    "I want to learn {mark} weaving this year. ",
)
_SAYING_ZH = "我最喜欢喝{mark}茶。"


def messages(seed: int) -> Iterator[Invented]:
    """As long as LoCoMo's turns; four in ten say what rules can read, and all of them ask."""
    random = Random(seed)  # noqa: S311 - to be repeated, not to be kept secret
    for number, said in enumerate(invented(seed)):
        chinese = not said.text.isascii() and "收据" in said.text
        asked = (
            f"帮我查一下{said.text}，是真的吗？" if chinese else f"Can you find out if {said.text}?"
        )
        saying = ""
        if random.random() < SAYING_SHARE:
            told = _SAYING_ZH if chinese else _SAYINGS[number % len(_SAYINGS)]
            saying = told.format(mark=said.mark)
        yield Invented(f"{saying}{asked}", said.question, said.mark)


def message_added(user_id: str, said: Invented) -> Event:
    return MessageAdded(
        occurred_at=datetime.now(UTC),
        user_id=user_id,
        session_id=f"session-{user_id}",
        message_id=said.mark,
        role=Role.USER,
        text=said.text,
    )
