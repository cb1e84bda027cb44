"""One fact said six ways is one result, for as long as there are others."""

import pytest

from palimpsest_server.domain.ranking.ranking_features import RankingFeatures
from palimpsest_server.domain.ranking.repetitions import (
    extract_content_terms,
    find_repetitions,
    take_distinct,
)
from palimpsest_server.domain.ranking.score import (
    RankedCandidate,
    RankingCandidate,
    ScoreBreakdown,
)

OOLONG = [
    "我喜欢喝乌龙茶", "我最爱乌龙", "乌龙茶是我最喜欢的茶", "平时我都喝乌龙茶", "说到茶，我只喝乌龙茶", "我就爱喝乌龙茶",
]  # fmt: skip


def ranked(contents: list[str], quoted: dict[str, str] | None = None) -> list[RankedCandidate]:
    quotes = quoted or {}
    return [
        RankedCandidate(
            RankingCandidate(
                content, RankingFeatures(quoted=(quotes[content],) if content in quotes else ())
            ),
            ScoreBreakdown(dense=1 - number / 100),
        )
        for number, content in enumerate(contents)
    ]


def repeats(question: str, contents: list[str], **quoted: str) -> list[str]:
    told = {content: extract_content_terms(content) for content in contents}
    found = find_repetitions(ranked(contents, quoted), told, extract_content_terms(question).terms)
    return [content for content in contents if content in found]


def test_six_ways_to_say_one_thing_leave_room_for_another() -> None:
    others = ["早上我喜欢来一杯意式浓缩", "周末偶尔喝点红酒"]
    contents = [*OOLONG, *others]
    said_again = repeats("我喜欢喝什么？", contents)
    assert len(said_again) >= 3
    assert set(said_again) <= set(OOLONG)
    shown = [one.candidate.id for one in take_distinct(ranked(contents), 5, said_again)]
    assert set(others) < set(shown)
    assert shown[0] == OOLONG[0]
    assert len(take_distinct(ranked(contents), 8, said_again)) == 8


@pytest.mark.parametrize(
    ("question", "contents"),
    [
        ("what do I like to drink?", ["I like oolong tea", "Oolong is my favourite tea", "I love oolong tea"]),
        ("where do I live?", ["I live in Austin now", "Austin is where I live", "lives in Austin"]),
        ("我对什么过敏", ["我对花生过敏", "花生我一点都不能碰，过敏", "花生过敏的我"]),
    ],
)  # fmt: skip
def test_what_is_said_again_in_either_language(question: str, contents: list[str]) -> None:
    assert contents[-1] in repeats(question, contents)


@pytest.mark.parametrize(
    ("question", "contents"),
    [
        ("when is the meeting?", ["the meeting is on Monday", "the meeting is on Tuesday", "the meeting is on Friday"]),
        ("what did Nora paint?", ["Nora painted a sunrise", "Nora painted a lake", "Nora painted a horse"]),
        ("What do I drink?", ["I drink oolong tea", "I don't drink oolong tea"]),
        ("我喜欢喝什么", ["我喜欢喝乌龙茶", "我不喜欢喝乌龙茶"]),
        ("我喜欢喝什么", ["我喜欢喝乌龙茶", "我喜欢喝普洱茶", "我喜欢喝咖啡"]),
        ("我家的狗", ["豆豆三岁了", "豆豆喜欢吃胡萝卜", "豆豆昨天去打了疫苗"]),
        ("who manages whom?", ["Alice manages Bob", "Carol manages Dave"]),
        ("how often did I run?", ["I ran 5 km on 3 May", "I ran 7 km on 9 May", "I ran 6 km on 20 June"]),
        ("我跑了多少", ["3月1日跑了五公里", "3月8日跑了八公里"]),
        ("tea?", ["tea", "tea"]),
    ],
)  # fmt: skip
def test_what_differs_in_what_it_tells_is_no_repetition(question: str, contents: list[str]) -> None:
    assert repeats(question, contents) == []


def test_a_memory_and_its_turn_are_said_once_and_count_once() -> None:
    turn, memory, other = (
        "I like oolong tea",
        "likes oolong tea",
        "oolong is what I buy at the market",
    )
    found = repeats("what do I like?", [turn, memory, other], **{memory: turn})
    assert found == []


def test_of_what_was_not_read_nothing_is_told() -> None:
    assert find_repetitions(ranked(["a", "b"]), {}, ()) == frozenset()
