"""The same words of another day are another statement; of the same day they repeat."""

import re
from datetime import timedelta

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.memory_keys import content_key
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import candidate, day

TODO, EVENT = Kind.ACTION_ITEM, Kind.EVENT

OTHER_DAYS = [
    ("明天要交报告", TODO),
    ("周五前完成报告", TODO),
    ("明天下午三点提醒用户给妈妈打电话", TODO),
    ("用户下周要去东京出差", EVENT),
    ("用户今天早上去跑步了", EVENT),
    ("两小时后提醒用户关火", TODO),
    ("用户上个月见了医生", EVENT),
    ("the report is due tomorrow", TODO),
    ("finish the slides by Friday", TODO),
    ("remind the user tomorrow at 3pm to call mom", TODO),
    ("The user flies to Tokyo next week", EVENT),
    ("The user went running this morning", EVENT),
    ("turn off the stove in two hours", TODO),
    ("The user saw the doctor last month", EVENT),
]
SAME = [
    ("用户最近在减肥", Kind.FACT),
    ("用户周末喜欢爬山", Kind.PREFERENCE),
    ("用户每周一开会", Kind.FACT),
    ("2026年5月1日上线", EVENT),
    ("用户六点起床", Kind.FACT),
    ("用户喜欢喝茶", Kind.PREFERENCE),
    ("The user is on a diet", Kind.FACT),
    ("The user likes hiking at the weekend", Kind.PREFERENCE),
    ("The team meets every Monday", Kind.FACT),
    ("The launch is on 1 May 2026", EVENT),
    ("The user gets up at six", Kind.FACT),
    ("The user likes tea", Kind.PREFERENCE),
]

COUNTED = re.compile("小时|hours")
"""From the moment itself, not from its day."""


def said(content: str, kind: Kind, *, on: int, hour: int = 0, timed: bool = True) -> Candidate:
    at = day(on) + timedelta(hours=hour)
    stated = candidate(content, kind=kind, on=on, id=f"{content} {at}")
    piece = stated.evidence[0].model_copy(update={"said_at": at, "message_id": f"m{at}"})
    expressions = find_sentence_times(content, UtteranceTime(at, "Asia/Shanghai"))
    data = (
        {"time": expressions[0].model_dump(mode="json", exclude={"start"})}
        if expressions and timed
        else {}
    )
    return stated.model_copy(update={"evidence": (piece,), "data": data})


def kept(*candidates: Candidate) -> int:
    known = Overlay()
    for stated in candidates:
        decide_candidate(known, stated, received_at=stated.occurred_at, epoch=1)
    return len([change for change in known.take_changes() if change.after.superseded_by is None])


@pytest.mark.parametrize("timed", [True, False])
@pytest.mark.parametrize(("content", "kind"), OTHER_DAYS)
def test_the_same_words_on_another_day_are_another_memory(
    content: str, kind: Kind, timed: bool
) -> None:
    first = said(content, kind, on=5, timed=timed)
    assert kept(first, said(content, kind, on=40, timed=timed)) == 2


@pytest.mark.parametrize(
    ("content", "kind"), [row for row in OTHER_DAYS if not COUNTED.search(row[0])]
)
def test_the_same_words_in_one_talk_are_one_memory(content: str, kind: Kind) -> None:
    assert kept(said(content, kind, on=5), said(content, kind, on=5, hour=1)) == 1


@pytest.mark.parametrize(("content", "kind"), SAME)
def test_words_without_a_day_of_their_own_are_one_memory(content: str, kind: Kind) -> None:
    assert kept(said(content, kind, on=5), said(content, kind, on=40)) == 1


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("I like tea", "3085d6dc-eb69-5423-a6c1-71d16f62290e"),
        ("2026年5月1日上线", "9b449aad-c4e1-5540-afe4-bc19391fa48d"),
    ],
)
def test_the_key_of_words_without_a_relative_day_never_changes(content: str, key: str) -> None:
    assert content_key(candidate(content)) == key
