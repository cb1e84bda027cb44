from typing import Any

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.reports.contradictions import (
    CONTRADICTED,
    find_contradictions,
    settle_contradiction,
)
from tests.support.server.domain.forgetting.standings import days_ago, memory


def said(content: str, days: float, **fields: Any) -> Memory:
    return memory(content, recorded_at=days_ago(days), kind=Kind.PREFERENCE, **fields)


def city(name: str, days: float, **fields: Any) -> Memory:
    return said(f"I live in {name}", days, subject="user", attribute="city", value=name, **fields)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (said("I like coffee", 9), said("I don't like coffee", 1)),
        (said("I no longer like coffee", 9), said("I like coffee", 1)),
        (said("我喜欢喝咖啡", 9), said("我不喜欢喝咖啡", 1)),
        (said("我不再喝酒", 9), said("我喝酒", 1)),
        (city("Paris", 9), city("Berlin", 1)),
    ],
)
def test_the_later_of_two_that_contradict_holds(earlier: Memory, later: Memory) -> None:
    (found,) = find_contradictions([later, earlier])
    assert found == (earlier, later)
    ended, holding = settle_contradiction(found)
    assert (ended.status, ended.status_reason) == (Status.SUPERSEDED, CONTRADICTED)
    assert (ended.valid_until, ended.superseded_by) == (later.valid_from, later.id)
    assert holding.supersedes == (earlier.id,)
    assert find_contradictions([ended, holding]) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (said("I like coffee", 9), said("I like tea", 1)),
        (said("I like coffee", 9), said("I like coffee", 1)),
        (said("I don't like coffee", 9), said("I don't like tea", 1)),
        (city("Paris", 9), city("paris", 1, id="again")),
        (city("Paris", 9, valid_until=days_ago(2)), city("Berlin", 1)),
        (city("Paris", 9), city("Berlin", 1, scope=Scope(user_id="alice", agent_id="coach"))),
        (
            said("I like tea", 9, attribute="likes", value="tea"),
            said("I like milk", 1, attribute="likes", value="milk"),
        ),
        (said("I like coffee", 9), said("I don't like coffee", 1, status=Status.FORGOTTEN)),
    ],
)
def test_these_stand_beside_each_other(one: Memory, other: Memory) -> None:
    assert find_contradictions([one, other]) == []
