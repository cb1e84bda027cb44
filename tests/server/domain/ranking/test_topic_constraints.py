"""How memories are led to by a topic: by meaning, by words, by both; and when it opens the gate."""

import math

import pytest

from palimpsest_server.domain.ranking.match_pool import SearchMatch, TurnPosition
from palimpsest_server.domain.ranking.similarity_calibration import Calibration
from palimpsest_server.domain.ranking.topic_constraints import (
    TopicDirections,
    TopicMatch,
    compute_topic_directions,
    measure_topic_opening,
    promote,
)

DIRECTIONS = TopicDirections(
    of={"food": [1.0, 0.0, 0.0], "gifts": [0.0, 1.0, 0.0]},
    calibration=Calibration(average=0.0, spread=0.1),
)
ALLERGY, HOBBY = TopicMatch(0.45, None), TopicMatch(0.1, None)
WORD_ALONE, WORD_BESIDE = TopicMatch(0.05, 1.5), TopicMatch(0.12, 1.5)
SPREAD = 0.06


def test_what_all_topics_share_is_no_direction() -> None:
    directions = compute_topic_directions(
        {"food": [[1.0, 0.2, 5.0], [1.0, -0.2, 5.0]], "gifts": [[0.0, 1.0, 5.0]]}
    )
    food, gifts = directions["food"], directions["gifts"]
    assert food[2] == gifts[2] == 0.0
    assert math.hypot(*food) == pytest.approx(1.0)
    assert food[0] > 0 > gifts[0]


def test_several_topics_lead_between_them() -> None:
    both = DIRECTIONS.combine(["food", "gifts"])
    assert both[0] == both[1] > 0.7
    assert DIRECTIONS.combine(["food"]) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("one", "stands"),
    [
        (ALLERGY, True),
        (HOBBY, False),
        (WORD_BESIDE, True),
        (WORD_ALONE, False),
        (TopicMatch(None, 1.5), False),
    ],
)
def test_a_memory_stands_in_a_topic_by_meaning_and_never_by_a_word_alone(
    one: TopicMatch, stands: bool
) -> None:
    assert DIRECTIONS.is_match(one) is stands


def test_the_more_a_memory_stands_in_it_the_nearer_it_counts() -> None:
    both = TopicMatch(ALLERGY.cosine, WORD_BESIDE.lexical)
    order = [HOBBY, WORD_BESIDE, ALLERGY, both]
    assert sorted(order, key=DIRECTIONS.promotion) == order


@pytest.mark.parametrize("one", [HOBBY, WORD_ALONE, TopicMatch(-0.2, None), TopicMatch(None, None)])
def test_what_does_not_stand_in_it_stays_as_far_away_as_it_is(one: TopicMatch) -> None:
    assert DIRECTIONS.promotion(one) == 0.0


def test_a_topic_opens_the_gate_to_what_speaks_of_a_life_where_a_memory_stands_in_it() -> None:
    assert measure_topic_opening(2.0, [HOBBY, ALLERGY], DIRECTIONS) == 1.0
    assert measure_topic_opening(-1.5, [ALLERGY], DIRECTIONS) == -2.5
    assert measure_topic_opening(2.0, [HOBBY], DIRECTIONS) is None
    assert measure_topic_opening(2.0, [], DIRECTIONS) is None


class TestLed:
    matches = (
        SearchMatch("recipe", 0.5, 2.0),
        SearchMatch("allergy", 0.1),
        SearchMatch("said", 0.4, place=TurnPosition("s", 1)),
        SearchMatch("stranger", 0.05),
    )

    def test_memories_of_the_topic_are_let_in_and_count_as_nearer(self) -> None:
        found = {
            search_match.id: search_match
            for search_match in self._led({"allergy": ALLERGY}, ["recipe", "said"])
        }
        assert list(found) == ["recipe", "said", "allergy"]
        assert found["allergy"].cosine == pytest.approx(0.1 + 0.35 * 4.5 * SPREAD)
        assert found["said"] is self.matches[2]
        assert found["recipe"] is self.matches[0]

    def test_what_was_found_by_its_topic_alone_is_as_far_as_the_farthest(self) -> None:
        (*_, alone) = self._led({"diet": WORD_BESIDE}, ["recipe"])
        assert (alone.id, alone.lexical, alone.place) == ("diet", None, None)
        assert alone.cosine == pytest.approx(0.05 + (0.35 * 1.2 + 0.2 * 1.5) * SPREAD)

    def test_what_hardly_stands_in_it_is_let_in_by_nothing(self) -> None:
        assert [search_match.id for search_match in self._led({"stranger": HOBBY}, ["recipe"])] == [
            "recipe"
        ]

    def test_what_is_let_in_and_does_not_stand_in_it_is_told_as_it_was_found(self) -> None:
        by_words = SearchMatch("recipe", None, 2.0)
        standing = {"recipe": HOBBY, "allergy": ALLERGY}
        first, *_ = promote([by_words, *self.matches[1:]], ["recipe"], standing, DIRECTIONS, SPREAD)
        assert first is by_words

    def test_without_a_memory_in_the_topic_nothing_changes(self) -> None:
        assert self._led({}, ["recipe", "said"]) == [self.matches[0], self.matches[2]]

    def _led(self, standing: dict[str, TopicMatch], admitted: list[str]) -> list[SearchMatch]:
        return promote(self.matches, admitted, standing, DIRECTIONS, SPREAD)
