"""What changed before somebody still held the old as the present, and was told only after that."""

from datetime import timedelta
from itertools import permutations

import pytest

from palimpsest.model.memory import Candidate, Memory, Status, memory_id
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
    forget_memory,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.retroactive_changes import RETROACTIVE_PERIOD
from palimpsest_server.domain.consolidation.supersession import JOINED_REASON
from palimpsest_server.domain.consolidation.timeline import ENDED_REASON, REPLACED_REASON
from tests.support.server.domain.consolidation.samples import about, day, lives_in, no_longer

BOTH = pytest.mark.parametrize(("home", "new_home"), [("Boston", "Seattle"), ("北京", "上海")])


def known_after(*said: Candidate) -> list[Memory]:
    known = Overlay()
    for candidate in said:
        decide_candidate(
            known,
            candidate,
            received_at=candidate.evidence[0].said_at or candidate.valid_from,
            epoch=0,
        )
    memories = [change.after for change in known.take_changes()]
    return sorted(memories, key=lambda memory: (memory.valid_from, memory.content))


def line(*said: Candidate) -> list[tuple[object, ...]]:
    """In the order of time, what is known after this was said in any order."""
    lines = {
        tuple(
            (memory.value, memory.ended, memory.valid_from, memory.valid_until)
            for memory in known_after(*order)
            if memory.status_reason != JOINED_REASON
        )
        for order in permutations(said)
    }
    (only,) = lines
    return list(only)


def active(*said: Candidate) -> set[str | None]:
    return {memory.value for memory in known_after(*said) if memory.status is Status.ACTIVE}


@BOTH
def test_a_change_told_after_a_state_ends_it_though_its_date_lies_before(
    home: str, new_home: str
) -> None:
    old, new = known_after(lives_in(home, on=30), lives_in(new_home, on=31, since=20))
    assert (old.value, old.status, old.status_reason) == (home, Status.SUPERSEDED, REPLACED_REASON)
    assert (old.superseded_by, new.supersedes) == (new.id, (old.id,))
    assert (new.value, new.status, new.valid_from) == (new_home, Status.ACTIVE, day(20))


def test_what_was_over_when_it_was_said_held_on_the_last_day_before_the_change() -> None:
    assert line(lives_in("Boston", on=30), lives_in("Seattle", on=31, since=20)) == [
        ("Boston", False, day(19), day(20)),
        ("Seattle", False, day(20), None),
    ]


def test_what_was_known_to_hold_before_the_change_holds_from_then_until_it() -> None:
    assert line(
        lives_in("Boston", on=5), lives_in("Boston", on=30), lives_in("Seattle", on=31, since=20)
    ) == [("Boston", False, day(5), day(20)), ("Seattle", False, day(20), None)]


def test_the_news_are_told_to_have_taken_the_place_of_what_stood() -> None:
    known = Overlay()
    home, move = lives_in("Boston", on=30), lives_in("Seattle", on=31, since=20)
    outcomes = [
        decide_candidate(known, candidate, received_at=day(31), epoch=0)
        for candidate in (home, move)
    ]
    assert outcomes == [ConsolidationOutcome.ADDED, ConsolidationOutcome.SUPERSEDED]


def test_one_news_after_another_leave_the_last_change() -> None:
    assert line(
        lives_in("Boston", on=30),
        lives_in("Seattle", on=31, since=20),
        lives_in("Denver", on=32, since=10),
    ) == [
        ("Boston", False, day(9), day(10)),
        ("Denver", False, day(10), day(20)),
        ("Seattle", False, day(20), None),
    ]


def test_several_states_that_were_over_keep_their_order() -> None:
    said = [
        lives_in("Boston", on=29),
        lives_in("Denver", on=30),
        lives_in("Seattle", on=31, since=20),
    ]
    half_a_day = timedelta(hours=12)
    assert line(*said) == [
        ("Boston", False, day(19), day(20) - half_a_day),
        ("Denver", False, day(20) - half_a_day, day(20)),
        ("Seattle", False, day(20), None),
    ]


def test_what_is_said_to_hold_after_the_news_holds() -> None:
    assert line(
        lives_in("Boston", on=30),
        lives_in("Seattle", on=31, since=20),
        lives_in("Boston", on=40),
    ) == [
        ("Boston", False, day(19), day(20)),
        ("Seattle", False, day(20), day(40)),
        ("Boston", False, day(40), None),
    ]


def test_what_is_dated_after_the_change_wins_whenever_it_was_said() -> None:
    assert line(lives_in("Boston", on=30, since=25), lives_in("Seattle", on=31, since=20)) == [
        ("Seattle", False, day(20), day(25)),
        ("Boston", False, day(25), None),
    ]
    assert active(
        lives_in("Boston", on=28, since=25),
        lives_in("Boston", on=30),
        lives_in("Seattle", on=31, since=20),
    ) == {"Boston"}


def test_a_change_that_something_else_has_followed_by_its_date_is_no_news() -> None:
    assert line(
        lives_in("Denver", on=26, since=25),
        lives_in("Boston", on=30),
        lives_in("Seattle", on=31, since=20),
    ) == [
        ("Seattle", False, day(20), day(25)),
        ("Denver", False, day(25), day(30)),
        ("Boston", False, day(30), None),
    ]


def test_a_story_of_long_ago_ends_nothing() -> None:
    long_ago = lives_in("Seattle", on=300, since=300 - RETROACTIVE_PERIOD.days - 1)
    assert active(lives_in("Boston", on=299), long_ago) == {"Boston"}
    still_news = lives_in("Seattle", on=300, since=300 - RETROACTIVE_PERIOD.days)
    assert active(lives_in("Boston", on=299), still_news) == {"Seattle"}


def test_a_year_that_is_just_over_is_a_story_too() -> None:
    in_that_year = lives_in("Seattle", on=370, since=364, occurred_at=day(0))
    assert active(lives_in("Boston", on=369), in_that_year) == {"Boston"}


def test_what_was_told_before_the_state_was_said_does_not_end_it() -> None:
    assert active(lives_in("Seattle", on=29, since=20), lives_in("Boston", on=30)) == {"Boston"}


def test_what_was_told_in_the_same_breath_does_not_end_it() -> None:
    assert active(lives_in("Seattle", on=30, since=20), lives_in("Boston", on=30)) == {"Boston"}


def test_of_words_without_a_time_nothing_is_supposed() -> None:
    unknown = lives_in("Seattle", on=31, since=20)
    quoted = unknown.evidence[0].model_copy(update={"said_at": None})
    unknown = unknown.model_copy(update={"evidence": (quoted,)})
    assert active(lives_in("Boston", on=30), unknown) == {"Boston"}


def test_what_holds_for_a_while_only_ends_nothing() -> None:
    visit = lives_in("Seattle", on=31, since=20, valid_until=day(25))
    assert active(lives_in("Boston", on=30), visit) == {"Boston", "Seattle"}


def test_others_lines_are_not_touched() -> None:
    hers = lives_in("Boston", on=30).model_copy(update={"id": "hers", "subject": "Anna"})
    assert active(hers, lives_in("Seattle", on=31, since=20)) == {"Boston", "Seattle"}


@pytest.mark.parametrize("attribute", ["employer", "likes", "工具"])
def test_what_was_over_before_it_was_said_ends_when_it_is_told(attribute: str) -> None:
    held, over = known_after(
        about(attribute, "X", on=30), no_longer(attribute, "X", on=31, since=20)
    )
    assert (held.status, held.status_reason, held.valid_until) == (
        Status.SUPERSEDED,
        ENDED_REASON,
        day(20),
    )
    assert (over.ended, over.valid_from) == (True, day(20))


def test_what_had_been_replaced_stays_so_when_that_turns_out_to_be_over_too() -> None:
    assert active(
        about("tools", "Vue", on=29),
        about("tools", "React", on=30, data={"replaces": "Vue"}),
        no_longer("tools", "React", on=31, since=20),
    ) == {"React"}


def test_what_came_back_in_between_stays_in_between() -> None:
    said = [
        lives_in("Boston", on=26),
        lives_in("Denver", on=28),
        lives_in("Boston", on=31, since=20),
    ]
    half_a_day = timedelta(hours=12)
    assert line(*said) == [
        ("Boston", False, day(19), day(20) - half_a_day),
        ("Denver", False, day(20) - half_a_day, day(20)),
        ("Boston", False, day(20), None),
    ]


def test_memories_between_which_nothing_stands_any_more_become_one() -> None:
    said = [
        lives_in("Seattle", on=12, since=10),
        lives_in("Boston", on=30),
        lives_in("Seattle", on=31, since=20),
        no_longer("city", "Seattle", on=32, since=25),
    ]
    assert line(*said) == [
        ("Seattle", False, day(10), day(25)),
        ("Seattle", True, day(25), None),
        ("Boston", False, day(30), None),
    ]
    taken_in = [memory for memory in known_after(*said) if memory.status_reason == JOINED_REASON]
    assert [(memory.value, memory.status) for memory in taken_in] == [("Seattle", Status.ARCHIVED)]


def test_what_is_moved_beside_a_memory_that_says_the_same_becomes_part_of_it() -> None:
    said = [
        lives_in("Boston", on=10),
        lives_in("Seattle", on=36, since=20, occurred_at=day(-300)),
        lives_in("Boston", on=30),
        lives_in("Seattle", on=31, since=10),
    ]
    assert line(*said) == [("Boston", False, day(9), day(10)), ("Seattle", False, day(10), None)]


def test_what_the_news_ended_is_left_as_it_is_when_they_are_forgotten() -> None:
    known = Overlay()
    home, move = lives_in("Boston", on=30), lives_in("Seattle", on=31, since=20)
    for candidate in (home, move):
        decide_candidate(known, candidate, received_at=day(31), epoch=0)
    forget_memory(known, memory_id("alice", move.id), reason="asked")
    assert (
        decide_candidate(known, home, received_at=day(32), epoch=0)
        is ConsolidationOutcome.DUPLICATE
    )
    decide_candidate(known, lives_in("Boston", on=40), received_at=day(40), epoch=0)
    boston = [change.after for change in known.take_changes() if change.after.value == "Boston"]
    assert sorted((memory.valid_from, memory.valid_until) for memory in boston) == [
        (day(19), day(20)),
        (day(40), None),
    ]
