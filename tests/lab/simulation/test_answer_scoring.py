"""What answers are worth: an empty one is wrong, and so is one of yesterday."""

from collections.abc import Sequence

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest_lab.simulation.answer_scoring import AnswerScorer, ProductAnswers
from palimpsest_lab.simulation.ground_truth import GroundTruth
from palimpsest_lab.simulation.simulation_figures import SimulationFigures, YesCounts
from palimpsest_lab.simulation.user_actions import SimulatedUser, UserAction, UserActionType
from tests.support.lab.simulation.people import ANN, BEN, act, memory, on

LEEDS = act(1, UserActionType.STATE, "city", "Leeds", day=10)
AUSTIN = act(2, UserActionType.CHANGE, "city", "Austin", day=30)
OYSTERS = act(3, UserActionType.STATE, "likes", "oysters", day=5)
NO_OYSTERS = act(4, UserActionType.STOP, "likes", "oysters", day=15)
HANDED = act(5, UserActionType.TELL, None, "I am left-handed", day=6)
SECRET = act(6, UserActionType.TELL, None, "I sleep badly", day=7)
FORGET = act(7, UserActionType.FORGET, None, "I sleep badly", day=8)
ACTS = (LEEDS, AUSTIN, OYSTERS, NO_OYSTERS, HANDED, SECRET, FORGET)

IN_LEEDS = memory("leeds", LEEDS, status=Status.SUPERSEDED, valid_until=on(30))
IN_AUSTIN = memory("austin", AUSTIN)
LIKED = memory("oysters", OYSTERS, status=Status.SUPERSEDED, valid_until=on(15))
LEFT = memory("left", HANDED)
GONE = memory("secret", SECRET, status=Status.FORGOTTEN)
RIGHT = (IN_LEEDS, IN_AUSTIN, LIKED, LEFT, GONE)


def judged(memories: Sequence[Memory], acts: Sequence[UserAction] = ACTS) -> SimulationFigures:
    figures = SimulationFigures()
    person = acts[0].person
    listed = [one for one in memories if one.status in (Status.ACTIVE, Status.SUPERSEDED)]
    moments = {on(day): [one for one in listed if one.valid_at(on(day))] for day in (12, 20)}
    held = ProductAnswers(person=person, now=on(50), everything=memories, as_of=moments)
    AnswerScorer(
        held, GroundTruth.after(acts), {action.id: action for action in acts}, figures
    ).judge()
    return figures


def test_what_holds_what_held_and_what_is_over_are_all_right() -> None:
    figures = judged(RIGHT)
    assert figures.current == {
        "single": YesCounts(1, 1),
        "several": YesCounts(1, 1),
        "told": YesCounts(1, 1),
    }
    assert figures.as_of == {"single": YesCounts(2, 2), "several": YesCounts(2, 2)}
    assert figures.wrongly_retired == YesCounts(2, 0)
    assert figures.near_duplicates == YesCounts(2, 0)
    assert figures.forgotten_kept == YesCounts(1, 0)
    assert figures.outdated_beside == YesCounts(1, 0)
    assert figures.exact_duplicates == 0
    assert figures.mistakes == []


def test_who_knows_nothing_has_nothing_right_not_even_what_is_over() -> None:
    figures = judged([])
    assert figures.current == {
        "single": YesCounts(1, 0),
        "several": YesCounts(1, 0),
        "told": YesCounts(1, 0),
    }
    assert figures.as_of == {"single": YesCounts(2, 0), "several": YesCounts(2, 0)}
    assert figures.wrongly_retired.share is None


def test_the_value_of_yesterday_is_wrong_and_the_one_of_today_wrongly_retired() -> None:
    kept = IN_LEEDS.model_copy(update={"status": Status.ACTIVE, "valid_until": None})
    lost = IN_AUSTIN.model_copy(update={"status": Status.SUPERSEDED, "valid_until": on(31)})
    figures = judged([kept, lost])
    assert figures.current["single"] == YesCounts(1, 0)
    assert figures.wrongly_retired == YesCounts(1, 1)
    assert figures.outdated_beside == YesCounts(1, 1)


def test_of_two_that_are_held_the_recent_one_answers_and_the_other_is_noted() -> None:
    both = IN_LEEDS.model_copy(update={"status": Status.ACTIVE, "valid_until": None})
    figures = judged([both, IN_AUSTIN])
    assert figures.current["single"] == YesCounts(1, 1)
    assert figures.outdated_beside == YesCounts(1, 1)


def test_what_is_over_and_held_all_the_same_is_wrong() -> None:
    liked = LIKED.model_copy(update={"status": Status.ACTIVE, "valid_until": None})
    assert judged([liked]).current["several"] == YesCounts(1, 0)
    # What says that it is over does not say that it is so.
    over = memory("over", NO_OYSTERS, ended=True)
    assert judged([LIKED, over]).current["several"] == YesCounts(1, 1)


def test_what_was_forgotten_and_is_held_is_counted() -> None:
    assert judged([memory("secret", SECRET)]).forgotten_kept == YesCounts(1, 1)


def test_what_a_rule_lets_go_is_neither_asked_for_nor_missed() -> None:
    passing = act(1, UserActionType.TELL, None, "It rains", day=1, kind=Kind.CONTEXT)
    figures = judged([memory("rain", passing, status=Status.FORGOTTEN)], [passing])
    assert figures.current["told"] == YesCounts()
    assert figures.wrongly_retired == YesCounts()


def test_the_same_thing_twice_is_a_near_duplicate_and_in_the_same_words_an_exact_one() -> None:
    again = act(8, UserActionType.REPEAT, "city", "Austin", day=40)
    otherwise = memory("again", again, content="My home is Austin")
    figures = judged([IN_AUSTIN, otherwise], [*ACTS, again])
    assert figures.near_duplicates == YesCounts(2, 1)
    assert figures.exact_duplicates == 0
    word_for_word = memory("again", again, content=f" {IN_AUSTIN.content.upper()}")
    assert judged([IN_AUSTIN, word_for_word], [*ACTS, again]).exact_duplicates == 1


def test_a_memory_of_several_memories_says_nothing_twice() -> None:
    pattern = memory("pattern", AUSTIN, content="Often in Austin", kind=Kind.PATTERN)
    assert judged([IN_AUSTIN, pattern]).near_duplicates == YesCounts(1, 0)


@pytest.mark.parametrize(("person", "asked"), [(ANN, 2), (BEN, 1)])
def test_after_plain_sentences_nobody_is_asked_right_beside_a_change(
    person: SimulatedUser, asked: int
) -> None:
    leeds, austin = (
        act(day, UserActionType.STATE, "city", value, day=day, person=person)
        for value, day in (("Leeds", 1), ("Austin", 29))
    )
    figures = judged([], [leeds, austin])
    assert figures.as_of["single"].asked == asked


def test_a_memory_says_only_what_it_names() -> None:
    elsewhere = memory("village", LEEDS, content="Grew up in a village", value=None)
    assert judged([elsewhere], [LEEDS]).current["single"] == YesCounts(1, 0)
