"""`bench fit-gate`: what opens the gate of an embedding model, from its finds in labelled memories.

A fifth of the people and of the nonsense stands apart in turns: what is
reported was measured on what the weights had not seen.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from palimpsest.model.user import Language
from palimpsest_lab.datasets.locomo import LocomoDialogue, UnreadableData
from palimpsest_lab.fitting.gate_cross_validation import EmbedQuestion, GateFit, assign_folds
from palimpsest_lab.fitting.gate_memories import EmbeddedQuestion
from palimpsest_lab.fitting.gate_people import GateMemorySource, GatePerson, collect_gate_people
from palimpsest_lab.fitting.gate_samples import SAMPLED_MEMORY_COUNTS
from palimpsest_lab.fitting.plausibility_planes import PlausibilityPlanes, collect_sensible_texts
from palimpsest_lab.recall.gate import compute_gate_figures
from palimpsest_lab.recall.precision import LabelledPerson
from palimpsest_lab.reporting.report import BenchmarkReport
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.domain.ranking.similarity_calibration import calibrate
from palimpsest_server.embedders.calibration_texts import ORDINARY_TEXTS, STRANGE_QUESTIONS
from palimpsest_server.embedders.dense_model import DenseModel
from palimpsest_server.embedders.local_models import load_dense_model

MINIMUM_GROUPS = 3
"""Groups of people and lines of nonsense: one to stand apart, one that a sense is not fitted on, one."""


def fit_gate_weights(
    embedder: str,
    dialogues: Sequence[LocomoDialogue],
    labelled: Sequence[LabelledPerson],
    nonsense: Sequence[Mapping[str, str]],
    file: Path,
    nonsense_apart: Sequence[Mapping[str, str]] = (),
) -> BenchmarkReport:
    """Write what opens the gate of this local model. To `nonsense_apart` nothing is fitted.

    A language of which there are no three groups of people or lines of nonsense stays as it stood.

    Raises:
        UnreadableData: for none of them is there enough.
    """
    model = load_dense_model(embedder)
    ask, gate = cache(lambda text: EmbeddedQuestion(text, model)), build_unfitted_gate(model)
    openings = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    people = {one: collect_gate_people(dialogues, labelled, one, model) for one in Language}
    strange = {one: _texts(nonsense, one) for one in Language}
    enough = [
        one
        for one in Language
        if min(len({person.group for person in people[one]}), len(strange[one])) >= MINIMUM_GROUPS
    ]
    if not enough:
        raise UnreadableData("a gate is fitted on three conversations and three lines of nonsense")
    senses = fit_plausibility_planes([(people[one], strange[one]) for one in enough], ask)
    rows: list[dict[str, Any]] = []
    found: dict[str, Any] = {}
    remarks = [f"What opens it for {embedder} stands in {file.name}."]
    for language in enough:
        fitting = GateFit(people[language], strange[language], gate, ask, senses)
        for source, size in _measured(fitting):
            measured = compute_gate_figures(fitting.held_out(source, size))
            of_them: dict[str, Any] = {"remembered": source.value, "of them": size or "all"}
            rows.append({"language": language.value, **of_them, **measured["now"]})
            found[f"{language.value}, {size or 'all'} {source.value}"] = measured
        if judging := _texts(nonsense_apart, language):
            refused = round(fitting.refused_apart(judging), 4)
            found[f"{language.value}, nonsense apart"] = {"lines": len(judging), "refused": refused}
            remarks.append(f"Of {len(judging)} lines of nonsense apart it refuses {refused:.1%}.")
        name = "chinese" if language is Language.CHINESE else "english"
        openings[name] = fitting.opening().model_dump()
    openings["sense"] = senses.without(frozenset()).model_dump()
    file.write_text(json.dumps(openings) + "\n", encoding="utf-8")
    return BenchmarkReport(
        title="What the gate lets through of what it was not fitted on",
        rows=rows,
        figures=found,
        remark=" ".join(remarks),
    )


def _texts(nonsense: Sequence[Mapping[str, str]], language: Language) -> list[str]:
    return [one["text"] for one in nonsense if one["language"] == language.value]


def build_unfitted_gate(model: DenseModel) -> Gate:
    documents = np.array(model.documents(list(ORDINARY_TEXTS)))
    strange = np.array([model.query(text) for text in STRANGE_QUESTIONS])
    return Gate(calibration=calibrate((strange @ documents.T).ravel().tolist()), openings=None)


def fit_plausibility_planes(
    known: Sequence[tuple[Sequence[GatePerson], Sequence[str]]], ask: EmbedQuestion
) -> PlausibilityPlanes:
    """Fit planes on the people and the nonsense of all languages, for a model places these side by side."""
    said: dict[str, int] = {}
    strange: dict[str, int] = {}
    for people, nonsense in known:
        fold_of = assign_folds(people, nonsense)
        said |= {text: fold_of[person.group] for text, person in collect_sensible_texts(people)}
        strange |= {text: fold_of[text] for text in nonsense}
    return PlausibilityPlanes(said, strange, lambda text: ask(text).dense)


def _measured(fitting: GateFit) -> list[tuple[GateMemorySource, int | None]]:
    return [
        (source, size)
        for source in GateMemorySource
        for size in SAMPLED_MEMORY_COUNTS
        if any(sample.user.source is source and sample.size == size for sample in fitting.samples)
    ]
