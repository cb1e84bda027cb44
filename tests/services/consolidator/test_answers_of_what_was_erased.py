"""An answer that may say what was erased meanwhile is none; what was asked afterwards is one."""

from datetime import datetime

import pytest

from palimpsest.events.extractor_answers import (
    CandidatesProposed,
    ExtractorAnswer,
    ProfileProposed,
    SummaryProposed,
)
from palimpsest.model.erasure import Erasure
from palimpsest.model.profile import build_empty_profile
from palimpsest.model.session_summary import summary_id
from palimpsest.model.user import Language
from services.consolidator.erasure_step import DatedErasure
from tests.support.server.domain.consolidation.samples import day
from tests.support.services.consolidator.events import envelope

TURN = Erasure(
    epoch=0, turn_ids=("t1",), window_ids=("w1",), summary_ids=(summary_id("alice", "s"),)
)
SUMMARY = Erasure(epoch=0, summary_ids=(summary_id("alice", "s"),))
OLDER = Erasure(epoch=0, turn_ids=("t1",))
"""Written down before erasures named the sessions that go with messages."""
PROJECT = Erasure(epoch=0, project_id="ship")


def window(name: str, asked: datetime, project: str | None = None) -> CandidatesProposed:
    fields = envelope(name, "alice", received_at=asked, project_id=project)
    return CandidatesProposed(
        window_id=name, provider="local", session_id="s", candidates=(), **fields
    )


def summary(aware_of: int, session: str = "s", project: str | None = None) -> SummaryProposed:
    """Whenever it was asked for: that is known by the erasures that it knew of."""
    fields = envelope("summary", "alice", project_id=project)
    return SummaryProposed(
        question_id="q", provider="local", session_id=session, aware_of=aware_of, **fields
    )


def profile(asked: datetime) -> ProfileProposed:
    made = build_empty_profile("alice", Language.ENGLISH, epoch=0, now=asked)
    fields = envelope("profile", "alice", received_at=asked)
    return ProfileProposed(question_id="q", provider="local", profile=made, **fields)


@pytest.mark.parametrize(
    ("erasure", "answer", "concerned"),
    [
        (TURN, window("w1", day(9)), True),
        (TURN, window("w1", day(11)), True),  # Whenever it was asked: it was shown the turn.
        (TURN, window("w2", day(9)), False),
        (TURN, summary(6), True),
        (TURN, summary(7), False),
        (TURN, summary(6, "another"), False),
        (OLDER, summary(6, "another"), True),
        (SUMMARY, summary(6), True),
        (SUMMARY, summary(6, "another"), False),
        (TURN, profile(day(9)), True),
        (TURN, profile(day(11)), False),
        (SUMMARY, profile(day(9)), False),
        (PROJECT, summary(6, "another", "ship"), True),
        (PROJECT, summary(7, "another", "ship"), False),
        (PROJECT, summary(6, "another", "house"), False),
        (PROJECT, window("w1", day(9), "ship"), True),
        (PROJECT, window("w1", day(9), "house"), False),
        (PROJECT, window("w1", day(11), "ship"), False),
    ],
)
def test_what_a_model_may_have_been_shown_decides(
    erasure: Erasure, answer: ExtractorAnswer, concerned: bool
) -> None:
    assert DatedErasure(erasure, day(10), revision=7).concerns(answer) is concerned
