"""When a profile is made anew, and what it may not lose."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palimpsest.model.change_set import Cause, ChangeSet, MemoryChange
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.profile import Profile, build_empty_profile
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.profiles.lost_details import find_lost_details
from palimpsest_server.domain.profiles.refresh_schedule import (
    has_profile_content,
    is_refresh_due,
    is_refresh_reason,
)
from tests.support.server.domain.consolidation.samples import candidate, day

NOW = datetime(2026, 3, 10, tzinfo=UTC)


def profile(days_ago: float) -> Profile:
    made_at = NOW - timedelta(days=days_ago)
    return build_empty_profile("ann", Language.ENGLISH, epoch=0, now=made_at)


@pytest.mark.parametrize(
    ("made", "summaries", "news", "noted", "due"),
    [
        # Nothing stands yet.
        (None, 0, True, 0, True),
        (None, 4, False, 0, False),
        (None, 5, False, 0, True),
        (None, 1, False, 7, True),
        (None, 1, False, 6.9, False),
        # One stands.
        (1, 4, False, 1, False),
        (1, 5, False, 1, True),
        (1, 0, True, 1, True),
        (6.9, 1, False, 6, False),
        (7, 1, False, 6, True),
        # It is old, and what came is new: a week is long enough without anything.
        (30, 1, False, 0, True),
    ],
)
def test_five_summaries_a_week_or_important_news(
    made: float | None, summaries: int, news: bool, noted: float, due: bool
) -> None:
    standing = None if made is None else profile(made)
    first = NOW - timedelta(days=noted)
    assert (
        is_refresh_due(standing, summaries=summaries, news=news, first_noted=first, now=NOW) is due
    )


def changed(cause: str, *changes: MemoryChange) -> ChangeSet:
    return ChangeSet(
        id="c",
        user_id="alice",
        revision=1,
        epoch=0,
        cause=Cause(event_id="e", type=cause, occurred_at=NOW, received_at=NOW),
        actor="user",
        reason="",
        decided_at=NOW,
        changes=changes,
    )


ATLAS = Scope(user_id="alice", project_id="atlas")


def memory(**fields: Any) -> Memory:
    stated = build_memory(candidate("I live in Oslo", kind=Kind.FACT), received_at=day(1), epoch=0)
    return stated.model_copy(update=fields)


@pytest.mark.parametrize(
    ("cause", "before", "after", "news"),
    [
        ("RememberRequested", None, memory(), True),
        ("CandidatesProposed", None, memory(), False),
        ("CandidatesProposed", None, memory(supersedes=("old",)), True),
        (
            "CandidatesProposed",
            None,
            memory(supersedes=("old",), lifetime=Lifetime.WORKING),
            False,
        ),
        ("CandidatesProposed", memory(supersedes=("old",)), memory(supersedes=("old",)), False),
        ("ForgetMemory", memory(), memory(version=2), True),
        ("RunMaintenance", memory(), memory(version=2), False),
        ("RunMaintenance", memory(), memory(status=Status.FORGOTTEN), False),
        ("EditMemory", memory(), memory(content="I live in Rome"), True),
        ("EditMemory", memory(), memory(tags=("home",), version=2), False),
        ("EditMemory", memory(scope=ATLAS), memory(scope=ATLAS, content="It is in Rome"), False),
        ("RestoreMemory", memory(status=Status.FORGOTTEN), memory(), True),
        ("ConfirmMemory", memory(status=Status.PENDING), memory(), True),
        # Its message is told no more, and the account may rest on what was summed up of that.
        ("RejectMemory", memory(status=Status.PENDING), memory(status=Status.REJECTED), True),
        ("FeedbackGiven", memory(), memory(status=Status.PENDING), True),
        ("FeedbackGiven", memory(), memory(importance=0.9), False),
        ("RefreshProfile", memory(), memory(importance=0.9), True),
        ("PinMemory", memory(), memory(pinned=True), False),
        ("CandidatesProposed", memory(), memory(status=Status.SUPERSEDED), True),
        ("CandidatesProposed", memory(value="Oslo"), memory(value="Rome"), True),
        (
            "CandidatesProposed",
            memory(value="Oslo"),
            memory(value="Oslo", content="Oslo it is"),
            False,
        ),
        ("CompleteTodo", memory(kind=Kind.ACTION_ITEM), memory(status=Status.ARCHIVED), True),
        ("CandidatesProposed", memory(kind=Kind.LESSON), memory(status=Status.SUPERSEDED), False),
    ],
)
def test_news_is_what_somebody_wants_remembered_or_a_change_of_life(
    cause: str, before: Memory | None, after: Memory, news: bool
) -> None:
    change_set = changed(cause, MemoryChange(before=before, after=after))
    assert is_refresh_reason(change_set) is news
    assert has_profile_content(change_set) is news


BEFORE = (
    "Ming works at TechCorp and has 2 cats. He lives in Oslo since 2019.\n\n"
    "小明喜欢打羽毛球，住在上海，有5年经验。"
)


@pytest.mark.parametrize(
    ("after", "contradicted", "missing"),
    [
        (BEFORE, [], []),
        ("Since 2019 in Oslo: Ming, of TechCorp, and 2 cats. 小明在上海打羽毛球5年。", [], []),
        (BEFORE.replace("TechCorp", "a company"), [], ["TechCorp"]),
        (BEFORE.replace("2 cats", "cats"), [], ["2"]),
        (BEFORE.replace("2019", "long ago"), [], ["2019"]),
        (BEFORE.replace("Oslo", "Bergen"), ["Oslo"], []),
        (BEFORE.replace("上海", "杭州"), [], ["上海"]),
        (BEFORE.replace("上海", "杭州"), ["用户住在上海"], []),
        (BEFORE.replace("5年", "多年"), [], ["5"]),
    ],
)
def test_names_and_numbers_survive_unless_something_contradicts_them(
    after: str, contradicted: list[str], missing: list[str]
) -> None:
    found = find_lost_details(
        BEFORE, after, known_names=["上海", "东京"], contradicted=contradicted
    )
    assert found == missing


def test_nothing_is_known_in_both_languages() -> None:
    texts = [
        build_empty_profile("ann", language, epoch=0, now=NOW).narrative for language in Language
    ]
    assert texts == ["新用户，尚无信息", "New user, nothing is known yet"]
