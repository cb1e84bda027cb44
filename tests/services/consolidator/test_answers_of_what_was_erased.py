"""An answer that may say what was erased meanwhile is none; what was asked afterwards is one."""

from datetime import datetime, timedelta

import pytest

from palimpsest.contracts.answers import CandidatesProposed, QuestionAnswered, SummaryProposed
from palimpsest.domain.erasure import Erasure
from services.consolidator.erasing import ErasedAt
from tests.libs.domain.evolution.samples import day
from tests.services.consolidator.events import envelope

TURN = Erasure(epoch=0, turn_ids=("t1",), window_ids=("w1",))
PROJECT = Erasure(epoch=0, project_id="ship")


def window(name: str, asked: datetime, project: str | None = None) -> CandidatesProposed:
    fields = envelope(name, "alice", received_at=asked, project_id=project)
    return CandidatesProposed(
        window_id=name, provider="local", session_id="s", candidates=(), **fields
    )


def summary(asked: datetime) -> SummaryProposed:
    fields = envelope("summary", "alice", received_at=asked)
    return SummaryProposed(question_id="q", provider="local", session_id="s", **fields)


@pytest.mark.parametrize(
    ("erasure", "answer", "concerned"),
    [
        (TURN, window("w1", day(9)), True),
        (TURN, window("w1", day(11)), True),  # Whenever it was asked: it was shown the turn.
        (TURN, window("w2", day(9)), False),
        (TURN, summary(day(9)), True),
        (TURN, summary(day(10) + timedelta(seconds=5)), True),  # Not blanked everywhere yet.
        (TURN, summary(day(11)), False),
        (PROJECT, window("w1", day(9), "ship"), True),
        (PROJECT, window("w1", day(9), "house"), False),
        (PROJECT, window("w1", day(11), "ship"), False),
    ],
)
def test_what_a_model_may_have_been_shown_decides(
    erasure: Erasure, answer: QuestionAnswered, concerned: bool
) -> None:
    assert ErasedAt(erasure, day(10)).concerns(answer) is concerned
