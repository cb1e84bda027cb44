"""`bench gate-across`: whether meaning alone opens the gate to a question in the other script.

Facts that are told and asked for in both languages: each question of one is put to
the texts of the other, to the fact itself among others and to those others alone, as
is nonsense in the language of the question.
"""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from palimpsest_lab.datasets.locomo import UnreadableData
from palimpsest_lab.fitting.gate_weights import build_unfitted_gate
from palimpsest_lab.fitting.logistic_regression import Numbers
from palimpsest_lab.reporting.report import BenchmarkReport
from palimpsest_server.domain.ranking.fitted_gates import load_fitted_gate
from palimpsest_server.domain.ranking.gate_weights import (
    CrossScriptWeights,
    FittedGate,
    GateSignals,
)
from palimpsest_server.embedders.local_models import load_dense_model

OTHER_FACT_COUNTS = (0, 7, 24)
"""Other facts that are remembered beside the one that is asked for."""

DRAWS = 5
"""Choices of those others for each question."""

FactLanguage = Literal["zh", "en"]
_DIRECTIONS: tuple[tuple[FactLanguage, FactLanguage], ...] = (("zh", "en"), ("en", "zh"))


class FactStatement(BaseModel):
    model_config = ConfigDict(extra="ignore")

    text: str
    question: str


class BilingualFact(BaseModel):
    """One fact, and a question that it answers, in both languages."""

    model_config = ConfigDict(extra="ignore")

    zh: FactStatement
    en: FactStatement

    def told(self, tongue: FactLanguage) -> FactStatement:
        return self.zh if tongue == "zh" else self.en


def read_bilingual_facts(path: Path) -> list[BilingualFact]:
    """Read bilingual facts, one a line.

    Raises:
        UnreadableData: the file is not like that.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [BilingualFact.model_validate_json(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise UnreadableData(f"{path.name} cannot be read: {type(error).__name__}") from error


def run_benchmark(
    embedder: str, facts: Sequence[BilingualFact], nonsense: Sequence[Mapping[str, str]]
) -> BenchmarkReport:
    """Measure which of a local model's questions in the other script are let in and refused.

    Raises:
        UnreadableData: for this model nothing is fitted across scripts, or there are too few facts.
    """
    openings = load_fitted_gate(embedder)
    if openings is None or openings.across is None:
        raise UnreadableData(f"nothing is fitted across scripts for {embedder}")
    if len(facts) <= OTHER_FACT_COUNTS[-1]:
        raise UnreadableData(
            f"more than {OTHER_FACT_COUNTS[-1]} facts are needed, here are {len(facts)}"
        )
    model = load_dense_model(embedder)
    deviations = np.vectorize(build_unfitted_gate(model).calibration.deviations)
    rows = []
    for asked, told in _DIRECTIONS:
        texts = np.array(model.documents([fact.told(told).text for fact in facts]))
        questions = np.array([model.query(fact.told(asked).question) for fact in facts])
        strange = [one["text"] for one in nonsense if one["language"] == asked]
        senseless = np.array([model.query(text) for text in strange])
        measured = _Measured(
            openings,
            openings.across,
            near=deviations(questions @ texts.T),
            says=[openings.sense.of(one) for one in questions.tolist()],
            strange_near=deviations(senseless @ texts.T),
            strange_says=[openings.sense.of(one) for one in senseless.tolist()],
        )
        rows += [
            {"asked in": asked, "told in": told, **measured.among(many)}
            for many in OTHER_FACT_COUNTS
        ]
    return BenchmarkReport(
        title=f"What opens the gate of {embedder} to questions in the other script",
        rows=rows,
        figures={"rows": rows, "facts": len(facts)},
    )


class _Measured:
    """One direction. `near`: deviations of each question (rows) from each text (columns)."""

    def __init__(
        self,
        openings: FittedGate,
        across: CrossScriptWeights,
        *,
        near: Numbers,
        says: Sequence[float],
        strange_near: Numbers,
        strange_says: Sequence[float],
    ) -> None:
        self._openings, self._across = openings, across
        self._near, self._says = near, says
        self._strange_near, self._strange_says = strange_near, strange_says

    def among(self, many: int) -> dict[str, Any]:
        """Shares of the questions, each put to so many others, with what it asks for and without."""
        drawing = random.Random(many)  # noqa: S311 - the same each time
        facts = range(len(self._near))
        own, others, nonsense = [], [], []
        for _ in range(DRAWS):
            for fact in facts:
                beside = drawing.sample([one for one in facts if one != fact], many)
                own.append(self._opens(self._near[fact, [*beside, fact]], self._says[fact]))
                if beside:
                    others.append(self._opens(self._near[fact, beside], self._says[fact]))
            for near, says in zip(self._strange_near, self._strange_says, strict=True):
                beside = drawing.sample(facts, many + 1)
                nonsense.append(self._opens(near[beside], says))
        return {
            "among": many,
            "own let in": _share(own),
            "others refused": round(1 - _share(others), 3) if others else None,
            "nonsense refused": round(1 - _share(nonsense), 3),
        }

    def _opens(self, near: Numbers, says: float) -> bool:
        nearest = float(near.max())
        seen = GateSignals(
            *(nearest, 0.0, 0.0, 0.0, 0.0, 0.0), finds=len(near), memory=True, memories_alone=True
        )
        return self._across.margin(seen, says) >= 0.0


def _share(opened: Sequence[bool]) -> float:
    return round(sum(opened) / len(opened), 3)
