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

from palimpsest.bench.gate import figures
from palimpsest.bench.gate_folds import Ask, Fitting, folds_of
from palimpsest.bench.gate_people import Person, Source, people_of
from palimpsest.bench.gate_remembered import Asked
from palimpsest.bench.gate_samples import SIZES
from palimpsest.bench.gate_sense import Senses, sensible
from palimpsest.bench.locomo import Dialogue, UnreadableData
from palimpsest.bench.precision import Person as LabelledPerson
from palimpsest.bench.report import Report
from palimpsest.domain.ranking.gate import Gate, calibrated
from palimpsest.domain.user import Language
from palimpsest.providers.dense import DenseModel
from palimpsest.providers.local_models import dense_model_named
from palimpsest.providers.strangers import ORDINARY_TEXTS, STRANGE_QUESTIONS

LEAST_OF_EACH = 3
"""Groups of people and lines of nonsense: one to stand apart, one that a sense is not fitted on, one."""


def bench(
    embedder: str,
    dialogues: Sequence[Dialogue],
    labelled: Sequence[LabelledPerson],
    nonsense: Sequence[Mapping[str, str]],
    file: Path,
    nonsense_apart: Sequence[Mapping[str, str]] = (),
) -> Report:
    """Write what opens the gate of this local model. To `nonsense_apart` nothing is fitted.

    A language of which there are no three groups of people or lines of nonsense stays as it stood.

    Raises:
        UnreadableData: for none of them is there enough.
    """
    model = dense_model_named(embedder)
    ask, gate = cache(lambda text: Asked(text, model)), gate_of(model)
    openings = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    people = {one: people_of(dialogues, labelled, one, model) for one in Language}
    strange = {one: _texts(nonsense, one) for one in Language}
    enough = [
        one
        for one in Language
        if min(len({each.group for each in people[one]}), len(strange[one])) >= LEAST_OF_EACH
    ]
    if not enough:
        raise UnreadableData("a gate is fitted on three conversations and three lines of nonsense")
    senses = senses_of([(people[one], strange[one]) for one in enough], ask)
    rows: list[dict[str, Any]] = []
    found: dict[str, Any] = {}
    remarks = [f"What opens it for {embedder} stands in {file.name}."]
    for language in enough:
        fitting = Fitting(people[language], strange[language], gate, ask, senses)
        for source, size in _measured(fitting):
            measured = figures(fitting.held_out(source, size))
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
    return Report(
        title="What the gate lets through of what it was not fitted on",
        rows=rows,
        figures=found,
        remark=" ".join(remarks),
    )


def _texts(nonsense: Sequence[Mapping[str, str]], language: Language) -> list[str]:
    return [one["text"] for one in nonsense if one["language"] == language.value]


def gate_of(model: DenseModel) -> Gate:
    documents = np.array(model.documents(list(ORDINARY_TEXTS)))
    strange = np.array([model.query(text) for text in STRANGE_QUESTIONS])
    return Gate(calibration=calibrated((strange @ documents.T).ravel().tolist()), openings=None)


def senses_of(known: Sequence[tuple[Sequence[Person], Sequence[str]]], ask: Ask) -> Senses:
    """On the people and the nonsense of all languages: a model places what they say side by side."""
    said: dict[str, int] = {}
    strange: dict[str, int] = {}
    for people, nonsense in known:
        fold_of = folds_of(people, nonsense)
        said |= {text: fold_of[person.group] for text, person in sensible(people)}
        strange |= {text: fold_of[text] for text in nonsense}
    return Senses(said, strange, lambda text: ask(text).dense)


def _measured(fitting: Fitting) -> list[tuple[Source, int | None]]:
    return [
        (source, size)
        for source in Source
        for size in SIZES
        if any(one.user.source is source and one.size == size for one in fitting.samples)
    ]
