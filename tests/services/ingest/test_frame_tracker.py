"""Turns are marked that are said in a role, in this batch or in one after it."""

from collections.abc import Sequence

import pytest

from palimpsest.model.turn import Role
from palimpsest_server.stores.sessions import Session, SessionKey
from services.ingest.frame_tracker import FrameTracker
from tests.support.turns import turn

KEY = SessionKey.of(turn(1))


def track(
    session: Session, texts: Sequence[str], *, first: int = 1
) -> tuple[list[bool | None], Session]:
    tracker = FrameTracker({KEY: session.is_in_fiction})
    marks = []
    for number, text in enumerate(texts, start=first):
        role = Role.AGENT if text.startswith("agent: ") else Role.USER
        marks.append(tracker.mark(turn(number, text=text, role=role)).in_fiction)
    for step in tracker.progress:
        session = session.advanced(step)
    return marks, session


@pytest.mark.parametrize(
    ("opening", "within", "end"),
    [
        (
            "Let's role-play, you are the innkeeper.",
            "I live in a castle",
            "OK, stop. I live in Kent.",
        ),
        ("Pretend you're an interviewer, I'll be a candidate.", "I live in Dubai", "That was fun!"),
        ("我们来角色扮演，你是医生，我扮演病人。", "我有糖尿病", "好了，不演了。"),
        ("陪我做个模拟面试", "我住在迪拜", "到此为止吧"),
    ],
)
def test_a_frame_holds_over_batches_until_somebody_ends_it(
    opening: str, within: str, end: str
) -> None:
    session = Session.unknown(KEY)
    marks, session = track(session, ["hi", opening, "agent: ok"])
    assert (marks, session.is_in_fiction) == ([False, True, True], True)
    marks, session = track(session, [within] * 40, first=4)
    assert (set(marks), session.is_in_fiction) == ({True}, True)
    _, session = track(session, [end], first=44)
    marks, session = track(session, ["I live in Kent. 我住在成都。"], first=45)
    assert (marks, session.is_in_fiction) == ([False], False)


def test_a_frame_ends_with_its_session() -> None:
    _, session = track(Session.unknown(KEY), ["Let's role-play."])
    tracker = FrameTracker({KEY: session.is_in_fiction})
    tracker.end(KEY, 1)
    assert not session.advanced(tracker.progress[0]).is_in_fiction


def test_a_batch_that_comes_again_is_followed_by_the_same_marks() -> None:
    first = FrameTracker({})
    opening = first.mark(turn(1, text="Let's role-play."))
    again = FrameTracker({})
    again.follow(opening)
    assert again.mark(turn(2, text="I live in a castle")).in_fiction
