"""Of the first three memories, those that matter; and what a file of people must be like."""

import json
from pathlib import Path

import pytest

from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.user import Language
from palimpsest_lab.datasets.locomo import UnreadableData
from palimpsest_lab.recall.precision import (
    PrecisionMeasurement,
    build_table,
    compute_precision,
    read_labelled_people,
)


@pytest.mark.parametrize(
    ("returned", "relevant", "share"),
    [
        (["a", "b", "c"], ["a", "b", "c"], 1.0),
        (["a", "x", "c"], ["a", "b", "c", "d"], 2 / 3),
        (["a", "x", "y"], ["a"], 1.0),
        (["x", "a", "y"], ["a"], 0.0),
        (["a", "x", "b"], ["a", "b"], 0.5),
        ([], ["a"], 0.0),
        (["a"], ["a", "b"], 0.5),
        (["a"], [], None),
    ],
)
def test_as_many_are_counted_as_could_matter(
    returned: list[str], relevant: list[str], share: float | None
) -> None:
    assert compute_precision(returned, relevant) == share


def found(
    precision: float | None, returned: int, mattering: int, language: str = "en"
) -> PrecisionMeasurement:
    return PrecisionMeasurement(
        policy=PolicyName.GATED,
        language=Language(language),
        precision=precision,
        returned=returned,
        mattering=mattering,
    )


def test_questions_that_nothing_answers_are_counted_apart() -> None:
    whole, english, chinese = build_table(
        [found(1.0, 3, 2), found(0.5, 1, 1, "zh"), found(None, 0, 0), found(None, 2, 0)]
    )
    assert (whole["precision_at_3"], whole["of_returned"], whole["refused"]) == (0.75, 0.75, 0.5)
    assert (english["language"], english["questions"]) == ("en", 3)
    assert (chinese["precision_at_3"], chinese["refused"]) == (0.5, None)


def test_people_are_read_from_several_files(tmp_path: Path) -> None:
    person = {
        "user": "ann",
        "language": "en",
        "memories": [{"id": "m1", "kind": "fact", "content": "The user lives in Oslo"}],
        "questions": [{"text": "Where do I live?", "relevant": ["m1"]}],
    }
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        file.write_text(json.dumps([person]))
    labelled_person, two = read_labelled_people(files)
    assert labelled_person == two
    assert labelled_person.questions[0].relevant == ("m1",)


@pytest.mark.parametrize("text", ["[]x", '[{"user": "ann"}]', "{}x"])
def test_another_file_is_refused_with_words(text: str, tmp_path: Path) -> None:
    (file := tmp_path / "other.json").write_text(text)
    with pytest.raises(UnreadableData, match=r"other\.json"):
        read_labelled_people([file])
