"""The set is whole: it says nothing of what its questions are, so that the sealed part stays so."""

import pytest

from palimpsest_lab.datasets.locomo import LocomoDialogue, read_locomo_dialogues
from tests.support.paths import GOLDEN

FOLDER = GOLDEN / "recall_zh"


@pytest.fixture(params=[("open", 10), ("sealed", 5)], ids=lambda part: part[0])
def people(request: pytest.FixtureRequest) -> list[LocomoDialogue]:
    name, count = request.param
    dialogues = read_locomo_dialogues(FOLDER / f"{name}.json")
    assert len(dialogues) == count
    return dialogues


def test_each_person_chats_over_many_days_and_is_asked_ten_questions(
    people: list[LocomoDialogue],
) -> None:
    for person in people:
        sessions = [turn.session_id for turn in person.turns]
        assert 6 <= len(set(sessions)) <= 10
        assert all(12 <= sessions.count(session) <= 25 for session in set(sessions))
        assert len({turn.occurred_at.date() for turn in person.turns}) == len(set(sessions))
        assert len(person.questions) == 10


def test_all_evidence_is_among_the_messages(people: list[LocomoDialogue]) -> None:
    for person in people:
        said = [turn.id for turn in person.turns]
        assert len(set(said)) == len(said)
        for question in person.questions:
            assert question.evidence
            assert set(question.evidence) <= set(said)


def test_only_a_question_that_needs_several_messages_is_called_so(
    people: list[LocomoDialogue],
) -> None:
    for person in people:
        for question in person.questions:
            assert question.category in {1, 2, 3, 4}
            assert question.category != 1 or len(question.evidence) > 1
            assert question.category != 4 or len(question.evidence) == 1


def test_time_goes_forward(people: list[LocomoDialogue]) -> None:
    for person in people:
        times = [turn.occurred_at for turn in person.turns]
        assert times == sorted(times)
