"""The set is whole: it says nothing of what its questions are, so that the sealed part stays so."""

import pytest

from palimpsest.model.user import Language
from palimpsest_lab.recall.precision import LabelledPerson, read_labelled_people
from tests.support.paths import GOLDEN

FOLDER = GOLDEN / "relevance"


@pytest.fixture(params=[("open", 8), ("sealed", 4)], ids=lambda part: part[0])
def people(request: pytest.FixtureRequest) -> list[LabelledPerson]:
    name, of_each_language = request.param
    persons = read_labelled_people([FOLDER / f"{name}.json"])
    for language in Language:
        assert sum(person.language is language for person in persons) == of_each_language
    return persons


def test_what_matters_is_remembered(people: list[LabelledPerson]) -> None:
    for person in people:
        ids = [memory.id for memory in person.memories]
        assert len(set(ids)) == len(ids)
        assert len({memory.content for memory in person.memories}) == len(ids)
        for question in person.questions:
            assert set(question.relevant) <= set(ids)


def test_each_is_asked_what_much_little_and_nothing_answers(people: list[LabelledPerson]) -> None:
    for person in people:
        counts = sorted(len(question.relevant) for question in person.questions)
        assert counts[:3] == [0, 1, 1]
        assert all(2 <= count <= 4 for count in counts[3:])
        assert len(counts) == 8
