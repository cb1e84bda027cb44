"""What is not eaten, drunk, watched or played is avoided, and a later liking ends that."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Status
from palimpsest_language.attributes.aversions import find_avoided_thing
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    build_memory,
    decide_candidate,
)
from palimpsest_server.domain.consolidation.memory_keys import value_keys
from palimpsest_server.domain.consolidation.memory_lookup import MemoryLookup
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import ALICE, about, candidate, day


@pytest.mark.parametrize(
    ("content", "thing"),
    [
        ("用户不吃辣", "辣"),
        ("我不吃辣的。", "辣"),
        ("用户从来不吃香菜", "香菜"),
        ("我一直都不喝咖啡", "咖啡"),
        ("用户不怎么吃甜食", "甜食"),
        ("用户平时不喝碳酸饮料", "碳酸饮料"),
        ("本人向来不吃羊肉", "羊肉"),
        ("用户不爱吃鱼", "鱼"),
        ("用户现在不喝酒", "酒"),
        ("我基本不吃榴莲", "榴莲"),
        ("用户不看恐怖片", "看恐怖片"),
        ("用户不听重金属", "听重金属"),
        ("用户从不玩手游", "玩手游"),
        ("The user doesn't eat spicy food", "spicy food"),
        ("I don't eat meat.", "meat"),
        ("The user does not drink coffee", "coffee"),
        ("The user never eats fish", "fish"),
        ("The user really doesn't eat cilantro", "cilantro"),
        ("I never drink red wine", "red wine"),
        ("The user doesn't ever eat pork", "pork"),
        ("The user does not watch horror movies", "watching horror movies"),
        ("The user never plays video games", "playing video games"),
        ("The user doesn't listen to jazz", "listening to jazz"),
    ],
)
def test_what_is_left_out_altogether_is_avoided(content: str, thing: str) -> None:
    assert find_avoided_thing(content) == thing


@pytest.mark.parametrize(
    "content",
    [
        "用户不能吃辣",
        "用户对花生过敏，不吃坚果",
        "用户今天不吃辣",
        "用户晚上不吃碳水",
        "用户不吃早饭",
        "用户不吃这一套",
        "用户不吃亏",
        "用户不喝多",
        "用户不吃牛肉和羊肉",
        "用户的妈妈不吃辣",
        "Bob 不吃辣",
        "用户不看好这个方案",
        "用户不听劝就走了",
        "The user can't eat gluten",
        "The user doesn't eat much",
        "The user doesn't eat out",
        "The user doesn't eat meat on Fridays",
        "The user doesn't drink coffee after lunch",
        "The user never eats breakfast",
        "The user doesn't eat beef or pork",
        "The user's mother doesn't eat fish",
        "The user isn't eating meat this week",
        "The user never drinks alone",
    ],
)
def test_what_is_left_out_at_times_or_for_a_reason_is_not(content: str) -> None:
    assert find_avoided_thing(content) is None


def test_others_have_their_own_tastes() -> None:
    assert find_avoided_thing("Bob doesn't eat fish", "Bob") == "fish"
    assert find_avoided_thing("Bob doesn't eat fish", "Alice") is None


TASTES = [
    ("用户不吃辣", "吃辣"),
    ("The user doesn't eat spicy food", "spicy food"),
    ("我不喝咖啡", "喝咖啡"),
]


@pytest.mark.parametrize(("plain", "liked"), TASTES)
def test_who_likes_a_thing_avoids_it_no_more(plain: str, liked: str) -> None:
    known = Overlay()
    said = [_avoided(plain, on=1), _liked(liked, on=5)]
    assert [_taken_in(known, one) for one in said] == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.SUPERSEDED,
    ]
    ended, holding = (change.after for change in known.take_changes())
    assert (ended.content, ended.status) == (plain, Status.SUPERSEDED)
    assert (ended.valid_until, holding.supersedes) == (day(5), (ended.id,))


@pytest.mark.parametrize(("plain", "liked"), TASTES)
def test_who_avoids_a_thing_may_like_it_all_the_same(plain: str, liked: str) -> None:
    known = Overlay()
    said = [_liked(liked, on=1), _avoided(plain, on=5)]
    assert [_taken_in(known, one) for one in said] == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.ADDED,
    ]
    assert {change.after.status for change in known.take_changes()} == {Status.ACTIVE}


def test_a_liking_that_is_read_by_its_value_finds_what_is_avoided() -> None:
    nearby = MemoryLookup()
    avoided_before = build_memory(_avoided("用户不吃辣", on=1), received_at=day(1), epoch=0)
    nearby.want(_liked("吃辣", on=5), whole=False)
    assert not nearby.values()[ALICE.namespace].isdisjoint(value_keys(avoided_before))


def _avoided(content: str, *, on: int) -> Candidate:
    return candidate(content, on=on, kind=Kind.PREFERENCE, subject="user")


def _liked(value: str, *, on: int) -> Candidate:
    return about("likes", value, on=on, kind=Kind.PREFERENCE, subject="user")


def _taken_in(known: Overlay, one: Candidate) -> ConsolidationOutcome:
    return decide_candidate(known, one, received_at=one.occurred_at, epoch=0)
