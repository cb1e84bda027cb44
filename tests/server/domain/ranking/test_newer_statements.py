"""What changed stands before what it changed, where both are about the same and about as relevant."""

from datetime import timedelta

import pytest

from palimpsest.model.turn import Role, Turn
from palimpsest_server.domain.ranking.newer_statements import put_changes_first
from palimpsest_server.domain.ranking.score import RankedCandidate, RankingCandidate, ScoreBreakdown
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from tests.support.turns import MORNING, turn


def said(number: int, text: str, **fields: object) -> Turn:
    given = {"role": Role.USER, "text": text, "occurred_at": MORNING + timedelta(days=number)}
    return turn(number, **{**given, **fields})


def rank(question: str, *turns: Turn, relevance: dict[int, float] | None = None) -> list[str]:
    """Rank turns that were found in this order."""
    found = [
        RankedCandidate(RankingCandidate(one.id), ScoreBreakdown(dense=1.0 - place / 10))
        for place, one in enumerate(turns)
    ]
    documents = VisibleDocuments(turns={one.id: one for one in turns})
    told = {one.id: (relevance or {}).get(place, 0.8) for place, one in enumerate(turns)}
    order = put_changes_first(found, documents, told, question)
    return [documents.turns[one.candidate.id].text for one in order]


@pytest.mark.parametrize(
    ("question", "before", "after"),
    [
        ("am I a morning person?", "I'm a morning person", "not a morning person anymore, sadly"),
        ("which team am I on?", "I'm on the payments team", "moved over to the search team"),
        ("what phone do I have?", "my phone is a pixel 7", "just upgraded to an iphone 17"),
        ("where does my sister live?", "My sister lives in Graz", "I mixed that up, my sister lives in Linz"),
        ("我工资多少", "我现在月薪一万八", "涨工资啦，从这个月起两万二"),
        ("我吃香菜吗", "我特别爱吃香菜", "最近不知道怎么了，受不了香菜的味道了"),
        ("我还考研吗", "我打算考研，报北大", "考研算了，不考了，直接找工作"),
        ("我们团队多少人", "我们团队一共12个人", "上次说错了，我们团队是15个人，不是12个"),
    ],
)  # fmt: skip
def test_the_change_comes_first(question: str, before: str, after: str) -> None:
    assert rank(question, said(1, before), said(9, after)) == [after, before]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (said(1, "I'm a morning person"), said(9, "I like mornings, people say")),
        (said(9, "I'm a morning person"), said(1, "not a morning person anymore")),
        (said(1, "I'm a morning person"), said(9, "we moved to Ulm")),
        (said(1, "I'm a morning person"), said(9, "no longer a morning person?", role=Role.AGENT)),
    ],
)
def test_nothing_else_changes_places(first: Turn, second: Turn) -> None:
    texts = [first.text, second.text]
    assert rank("am I a morning person?", first, second) == texts


def test_nobody_changes_what_another_person_said() -> None:
    texts = ["我每周去三次健身房", "早就不去健身房了"]
    turns = [
        said(number, text, speaker=speaker)
        for number, text, speaker in zip((1, 9), texts, ("林涛", "王芳"), strict=True)
    ]
    assert rank("还去健身房吗", *turns) == texts


def test_what_is_less_relevant_stays_behind() -> None:
    texts = ["My cat is called Mia", "My cat finally eats dry food"]
    turns = [said(number, text) for number, text in zip((1, 9), texts, strict=True)]
    assert rank("what is my cat called?", *turns, relevance={0: 0.95, 1: 0.7}) == texts
