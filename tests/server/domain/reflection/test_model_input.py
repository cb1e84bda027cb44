"""When a model is asked what memories show, and what it is shown then."""

from datetime import timedelta

import pytest

from palimpsest.model.bilingual_text import display_width
from palimpsest.model.memory import Memory, MemorySource, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.reflection.model_input import (
    MOST_SHOWN,
    MOST_STANDING,
    NEW_ENOUGH,
    WIDEST,
    select_reflection_input,
    shorten_content,
)
from tests.support.server.domain.forgetting.standings import ALICE, NOW, memory

MARATHON = Scope(user_id="alice", project_id="marathon")


def said(count: int, *, first: int = 0, scope: Scope = ALICE, **fields: object) -> list[Memory]:
    """One a day."""
    return [
        memory(
            f"{scope.project_id} {number}",
            scope=scope,
            recorded_at=NOW + timedelta(days=number),
            **fields,
        )
        for number in range(first, first + count)
    ]


@pytest.mark.parametrize(
    ("memories", "reached", "asked"),
    [
        (said(NEW_ENOUGH), None, True),
        (said(NEW_ENOUGH - 1), None, False),
        (said(NEW_ENOUGH), 0, False),
        (said(NEW_ENOUGH + 1), 0, True),
        (said(NEW_ENOUGH, source=MemorySource.REFLECTION), None, False),
        (said(NEW_ENOUGH, source=MemorySource.CONSOLIDATION), None, False),
        (said(NEW_ENOUGH, status=Status.ARCHIVED), None, False),
        (said(NEW_ENOUGH, standalone=True), None, False),
        (said(NEW_ENOUGH - 1) + said(NEW_ENOUGH - 1, scope=MARATHON), None, False),
    ],
)
def test_it_is_asked_when_enough_is_new_in_one_scope(
    memories: list[Memory], reached: int | None, *, asked: bool
) -> None:
    marks = {} if reached is None else {ALICE: NOW + timedelta(days=reached)}
    assert (select_reflection_input(memories, marks) is not None) is asked


def test_once_it_was_shown_these_it_is_not_asked_about_them_again() -> None:
    memories = said(MOST_SHOWN + 9)
    shown = select_reflection_input(memories, {})
    assert shown is not None
    assert select_reflection_input(memories, {ALICE: shown.through}) is None
    more = memories + said(NEW_ENOUGH, first=len(memories))
    assert select_reflection_input(more, {ALICE: shown.through}) is not None


def test_it_sees_the_latest_of_the_scope_where_most_is_new_and_no_other() -> None:
    memories = said(NEW_ENOUGH) + said(MOST_SHOWN + 1, scope=MARATHON)
    shown = select_reflection_input(memories[::-1], {})
    assert shown is not None
    assert shown.scope == MARATHON
    assert [one.content for one in shown.memories] == [
        f"marathon {number}" for number in range(1, MOST_SHOWN + 1)
    ]
    left = select_reflection_input(memories, {MARATHON: shown.through})
    assert left is not None
    assert {one.scope for one in left.memories} == {ALICE}


def test_what_was_found_before_is_known_to_it_and_nothing_to_conclude_from() -> None:
    memories = said(MOST_STANDING + 1, first=100, source=MemorySource.REFLECTION)
    shown = select_reflection_input(said(NEW_ENOUGH) + memories, {})
    assert shown is not None
    assert list(shown.standing) == memories[1:]
    assert len(shown.memories) == NEW_ENOUGH


@pytest.mark.parametrize(
    "content", ["word " * 500, "我每天早上跑步。" * 200, "short\nand two lines"]
)
def test_of_what_is_long_its_beginning_is_shown(content: str) -> None:
    assert display_width(shorten_content(memory(content))) <= WIDEST
    assert "\n" not in shorten_content(memory(content))
