"""Requests to remember: what their author settled stays, and a todo is due when it says."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import MemorySource
from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo
from palimpsest.model.turn import Role
from palimpsest.model.user import Language, SharingPolicy
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.consolidation.memory_keys import content_key
from palimpsest_server.domain.todos.todo_projection import project_todo
from services.consolidator.remember_requests import build_requested_candidate, shorten_to_line
from tests.support.server.domain.consolidation.samples import day
from tests.support.services.consolidator.events import remember


def test_what_is_to_be_remembered_is_confirmed_and_rests_on_its_own_words() -> None:
    event = remember(
        "I like tea",
        kind=Kind.PREFERENCE,
        occurred_at=day(3),
        session_id="s",
        message_id="m",
        tags=("drinks",),
        data={"cups": 3},
    )
    candidate = build_requested_candidate(event, SharingPolicy.LAYERED, time_zone="UTC")
    assert (candidate.confirmed, candidate.confidence) == (True, 1.0)
    assert (candidate.importance, candidate.lifetime) == (0.9, Lifetime.CORE)
    assert (candidate.valid_from, candidate.occurred_at) == (day(3), day(3))
    assert (candidate.tags, candidate.data) == (("drinks",), {"cups": 3})
    (evidence,) = candidate.evidence
    assert (evidence.quote, evidence.origin) == ("I like tea", "command")
    assert (evidence.session_id, evidence.message_id) == ("s", "m")
    assert evidence.said_by is Role.USER
    assert evidence.said_at == candidate.valid_from


@pytest.mark.parametrize(
    ("source", "said_by"),
    [
        (MemorySource.USER_INPUT, Role.USER),
        (MemorySource.FEEDBACK, Role.USER),
        (MemorySource.SKILL, Role.AGENT),
        (MemorySource.FILE, None),
        (MemorySource.IMPORT, None),
    ],
)
def test_who_said_it_follows_from_where_it_came_from(
    source: MemorySource, said_by: Role | None
) -> None:
    assert (
        build_requested_candidate(
            remember("x", source=source), SharingPolicy.LAYERED, time_zone="UTC"
        ).said_by
        is said_by
    )


def test_what_the_author_settled_stays() -> None:
    event = remember("I like tea", summary="tea", importance=0.25)
    candidate = build_requested_candidate(event, SharingPolicy.LAYERED, time_zone="UTC")
    assert (candidate.summary, candidate.importance) == ("tea", 0.25)


def test_the_sharing_policy_says_where_it_goes() -> None:
    event = remember("I like tea", agent_id="coach", project_id="p")
    layered = build_requested_candidate(event, SharingPolicy.LAYERED, time_zone="UTC").scope
    everyones = build_requested_candidate(event, SharingPolicy.USER_LEVEL, time_zone="UTC").scope
    assert layered == Scope(user_id="alice", agent_id="coach", project_id="p")
    assert everyones == Scope(user_id="alice", project_id="p")


@pytest.mark.parametrize(
    ("content", "language", "characters"),
    [("我喜欢喝茶。" * 20, Language.CHINESE, 50), ("I like tea. " * 20, Language.ENGLISH, 100)],
)
def test_a_summary_is_short_in_either_language(
    content: str, language: Language, characters: int
) -> None:
    candidate = build_requested_candidate(
        remember(content, "e"), SharingPolicy.LAYERED, time_zone="UTC"
    )
    assert candidate.language is language
    assert len(candidate.summary) <= characters
    assert candidate.summary.endswith("…")


def test_what_is_short_is_its_own_summary() -> None:
    assert shorten_to_line("I like\n  tea", 100) == "I like tea"


def added_todo(content: str, **fields: Any) -> Todo:
    event = remember(content, kind=Kind.ACTION_ITEM, occurred_at=SAID_AT, **fields)
    candidate = build_requested_candidate(event, SharingPolicy.LAYERED, time_zone=ZONE)
    memory = build_memory(candidate, received_at=SAID_AT, epoch=0)
    todo = project_todo(MemoryChange(after=memory), None, time_zone=ZONE, now=SAID_AT)
    assert todo is not None
    return todo


ZONE = "Asia/Shanghai"
SAID_AT = datetime(2026, 11, 25, 1, 0, tzinfo=UTC)
"""Wednesday, nine in the morning there."""
DUE = datetime(2026, 11, 26, 18, 35, 49, tzinfo=UTC)


@pytest.mark.parametrize(
    ("content", "due", "reminded"),
    [
        ("明天下午三点交报告", "11-26 15:00", "11-26 14:00"),
        ("后天上午10点去医院体检", "11-27 10:00", "11-27 09:00"),
        ("周五前完成报告", "11-27 00:00", "11-27 09:00"),
        ("十分钟后提醒我关火", "11-25 09:10", "11-25 09:10"),
        ("12月3号交房租", "12-03 00:00", "12-03 09:00"),
        ("整理书架", None, None),
        ("send the report tomorrow at 3pm", "11-26 15:00", "11-26 14:00"),
        ("dentist on Friday at 10am", "11-27 10:00", "11-27 09:00"),
        ("finish the slides by Friday", "11-27 00:00", "11-27 09:00"),
        ("remind me in ten minutes to turn off the stove", "11-25 09:10", "11-25 09:10"),
        ("pay the rent on 3 December", "12-03 00:00", "12-03 09:00"),
        ("tidy the shelf", None, None),
    ],
)
def test_a_todo_by_hand_reads_its_words(
    content: str, due: str | None, reminded: str | None
) -> None:
    todo = added_todo(content)
    assert [_shown(todo.due_at), _shown(todo.remind_at)] == [due, reminded]


def _shown(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment.astimezone(ZoneInfo(ZONE)):%m-%d %H:%M}"


@pytest.mark.parametrize(
    "stated", [{"due_at": DUE}, {"data": {"due_at": DUE.isoformat()}}], ids=["field", "data"]
)
@pytest.mark.parametrize("content", ["交报告", "明天下午三点交报告", "send the report tomorrow"])
def test_a_stated_due_time_counts_more_than_the_words(content: str, stated: dict[str, Any]) -> None:
    todo = added_todo(content, **stated)
    assert (todo.due_at, todo.all_day) == (DUE, False)
    assert todo.remind_at == DUE - timedelta(hours=1)


def test_a_stated_reminder_counts_more_than_the_usual_one() -> None:
    at = DUE - timedelta(minutes=5)
    assert added_todo("交报告", due_at=DUE, remind_at=at).remind_at == at
    assert added_todo("call mom", remind_at=at).remind_at == at
    assert added_todo("call mom", data={"remind_at": "soon", "due_at": 5}).remind_at is None


def test_two_todos_in_the_same_words_are_told_apart_by_their_stated_days() -> None:
    keys = {
        content_key(
            build_requested_candidate(
                remember("交报告", kind=Kind.ACTION_ITEM, due_at=due),
                SharingPolicy.LAYERED,
                time_zone=ZONE,
            )
        )
        for due in (None, DUE, DUE + timedelta(days=30))
    }
    assert len(keys) == 3


def test_a_request_may_say_when_it_expires() -> None:
    event = remember("the wifi password is on the fridge", expires_at=DUE)
    candidate = build_requested_candidate(event, SharingPolicy.LAYERED, time_zone=ZONE)
    assert build_memory(candidate, received_at=SAID_AT, epoch=0).expires_at == DUE


@pytest.mark.parametrize("kind", [Kind.EVENT, Kind.FACT])
def test_what_takes_place_has_the_time_of_its_words_and_a_fact_has_not(kind: Kind) -> None:
    event = remember("明天下午三点面试", kind=kind, occurred_at=SAID_AT)
    candidate = build_requested_candidate(event, SharingPolicy.LAYERED, time_zone=ZONE)
    assert ("time" in candidate.data) is (kind is Kind.EVENT)
