"""A message counts only where its whole text stands in the block."""

from datetime import UTC, datetime

import pytest

from palimpsest_lab.datasets.locomo import DialogueTurn, LocomoDialogue
from palimpsest_lab.recall.context_tokens import (
    ContextMeasurement,
    build_table,
    compute_evidence_share,
    format_full_context,
)
from palimpsest_server.models.token_counter import get_token_counter


def turn(text: str, caption: str | None = None) -> DialogueTurn:
    return DialogueTurn(
        id="D1:1",
        session_id="session_1",
        speaker="Ada",
        text=text,
        caption=caption,
        image_url=None,
        occurred_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


BLOCK = "<palimpsest>\n## 1 Jan 2026\nAda: I adopted a kitten a small cat\n</palimpsest>"


@pytest.mark.parametrize(
    ("evidence", "share"),
    [
        ([turn("I adopted a kitten")], 1.0),
        ([turn("I adopted a  kitten\n", "a small cat")], 1.0),
        ([turn("I adopted a kitten", "a dog")], 0.0),
        ([turn("I adopted a kitten yesterday")], 0.0),
        ([turn("I adopted a kitten"), turn("never said")], 0.5),
        ([], 0.0),
    ],
)
def test_the_share_of_whole_messages(evidence: list[DialogueTurn], share: float) -> None:
    assert compute_evidence_share(BLOCK, evidence) == share


def test_the_table_has_a_row_for_each_budget() -> None:
    told = [
        ContextMeasurement(budget=500, recall=1.0, tokens=400, milliseconds=1),
        ContextMeasurement(budget=500, recall=0.5, tokens=500, milliseconds=1),
        ContextMeasurement(budget=250, recall=0.0, tokens=200, milliseconds=1),
    ]
    small, large = build_table(told, 10_000)
    assert (small["budget"], small["recall"], small["tokens"]) == (250, 0.0, 200)
    assert (large["recall"], large["tokens"], large["most_tokens"]) == (0.75, 450, 500)
    assert large["share_of_full_context"] == 0.045


def test_a_thousand_questions_have_a_price_beside_that_of_the_full_context() -> None:
    told = [ContextMeasurement(budget=500, recall=1.0, tokens=400, milliseconds=1)]
    [row] = build_table(told, 10_000, dollars_per_million=2.5)
    assert (row["dollars"], row["dollars_full_context"]) == (1.0, 25.0)


def test_the_full_context_is_all_that_was_said() -> None:
    dialogue = LocomoDialogue(id="d", turns=(turn("hello"), turn("hi", "a cat")), questions=())
    assert format_full_context(dialogue) == get_token_counter()("Ada: hello\nAda: hi a cat")
