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

from palimpsest.bench.gate_fitting import gate_of
from palimpsest.bench.locomo import UnreadableData
from palimpsest.bench.regression import Numbers
from palimpsest.bench.report import Report
from palimpsest.domain.ranking.fitted import openings_of
from palimpsest.domain.ranking.openings import AcrossScripts, Openings, Signals
from palimpsest.providers.local_models import dense_model_named

AMONG = (0, 7, 24)
"""Other facts that are remembered beside the one that is asked for."""

DRAWS = 5
"""Choices of those others for each question."""

Tongue = Literal["zh", "en"]
_DIRECTIONS: tuple[tuple[Tongue, Tongue], ...] = (("zh", "en"), ("en", "zh"))


class Told(BaseModel):
    model_config = ConfigDict(extra="ignore")

    text: str
    question: str


class Fact(BaseModel):
    """One fact and a question that it answers, in both languages."""

    model_config = ConfigDict(extra="ignore")

    zh: Told
    en: Told

    def told(self, tongue: Tongue) -> Told:
        return self.zh if tongue == "zh" else self.en


def read_facts(path: Path) -> list[Fact]:
    """One fact a line.

    Raises:
        UnreadableData: the file is not like that.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [Fact.model_validate_json(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise UnreadableData(f"{path.name} cannot be read: {type(error).__name__}") from error


def bench(embedder: str, facts: Sequence[Fact], nonsense: Sequence[Mapping[str, str]]) -> Report:
    """What is let in and refused of a local model's questions in the other script.

    Raises:
        UnreadableData: for this model nothing is fitted across scripts, or there are too few facts.
    """
    openings = openings_of(embedder)
    if openings is None or openings.across is None:
        raise UnreadableData(f"nothing is fitted across scripts for {embedder}")
    if len(facts) <= AMONG[-1]:
        raise UnreadableData(f"more than {AMONG[-1]} facts are needed, here are {len(facts)}")
    model = dense_model_named(embedder)
    deviations = np.vectorize(gate_of(model).calibration.deviations)
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
        rows += [{"asked in": asked, "told in": told, **measured.among(many)} for many in AMONG]
    return Report(
        title=f"What opens the gate of {embedder} to questions in the other script",
        rows=rows,
        figures={"rows": rows, "facts": len(facts)},
    )


class _Measured:
    """One direction. `near`: deviations of each question (rows) from each text (columns)."""

    def __init__(
        self,
        openings: Openings,
        across: AcrossScripts,
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
        seen = Signals(
            *(nearest, 0.0, 0.0, 0.0, 0.0, 0.0), finds=len(near), memory=True, memories_alone=True
        )
        return self._across.margin(seen, says) >= 0.0


def _share(opened: Sequence[bool]) -> float:
    return round(sum(opened) / len(opened), 3)
