"""Reminders and the questions for profiles say the date beside words that name a day by distance."""

from datetime import timedelta

import pytest

from palimpsest.model.change_set import Cause, ChangeSet, TodoChange
from palimpsest.model.kinds import Kind
from palimpsest.model.todo import Todo
from palimpsest.model.user import UserSettings, UserState
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.stores.profiles import ProfileNeed
from services.consolidator.profile_requests import build_profile_request
from services.consolidator.todo_reminders import build_reminders, has_reminders
from tests.support.server.domain.consolidation.samples import ALICE, candidate, day

ZONE = "Asia/Shanghai"
SAID_AT = day(0) + timedelta(hours=16, minutes=30)
"""It is 2 January 2025 there already."""


def todo(content: str) -> Todo:
    return Todo(
        id=content,
        scope=ALICE,
        content=content,
        due_at=SAID_AT + timedelta(days=1),
        created_at=SAID_AT,
        epoch=0,
        remind_at=SAID_AT + timedelta(hours=9),
    )


def reminding(content: str) -> ChangeSet:
    before = todo(content)
    after = before.model_copy(update={"reminded_at": before.remind_at, "version": 2})
    cause = Cause(event_id="e", type="TodoDue", occurred_at=SAID_AT, received_at=SAID_AT)
    return ChangeSet(
        id="c",
        user_id="alice",
        revision=2,
        epoch=0,
        cause=cause,
        actor="clock",
        reason="due",
        decided_at=SAID_AT,
        changes=(TodoChange(before=before, after=after),),
    )


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("明天下午三点要交季度报告", "提醒：明天下午三点（2025年1月3日）要交季度报告"),
        ("今晚八点给妈妈打电话", "提醒：今晚八点（2025年1月2日）给妈妈打电话"),
        ("交房租", "提醒：交房租"),
        (
            "send the report tomorrow at 3pm",
            "Reminder: send the report tomorrow at 3pm (3 Jan 2025)",
        ),
        ("call mom on Friday", "Reminder: call mom on Friday (3 Jan 2025)"),
        ("pay the rent", "Reminder: pay the rent"),
    ],
)
def test_a_reminder_has_words_for_the_user(content: str, text: str) -> None:
    change_set = reminding(content)
    assert has_reminders(change_set)
    (reminder,) = build_reminders(change_set, time_zone=ZONE)
    assert reminder.text == text
    assert text.endswith(reminder.content)


def test_a_profile_is_asked_for_with_the_dates_of_what_is_known() -> None:
    memories = [
        build_memory(
            candidate(content, kind=kind, valid_from=SAID_AT, evidence=()).model_copy(
                update={"evidence": candidate(content, on=0).evidence}
            ),
            received_at=SAID_AT,
            epoch=0,
        )
        for content, kind in [
            ("用户下周要去东京出差", Kind.EVENT),
            ("The user flies to Rome tomorrow", Kind.EVENT),
            ("用户喜欢喝茶", Kind.PREFERENCE),
        ]
    ]
    asked = build_profile_request(
        ProfileNeed(id="alice", revision=3, epoch=0, first_noted=SAID_AT, look_at=SAID_AT),
        None,
        summaries=[],
        memories=memories,
        todos=[todo("明天要交报告"), todo("pay the rent")],
        state=UserState(settings=UserSettings(time_zone=ZONE)),
        now=SAID_AT + timedelta(days=30),
    )
    assert {fact.content for fact in asked.facts} == {
        "用户下周（2025年1月6日至12日）要去东京出差",
        "The user flies to Rome tomorrow (2 Jan 2025)",
        "用户喜欢喝茶",
    }
    assert asked.open_todos == ("明天（2025年1月3日）要交报告（已逾期）", "pay the rent (overdue)")
