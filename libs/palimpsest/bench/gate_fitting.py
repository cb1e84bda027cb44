"""`bench gate --fit`: what opens the gate of an embedding model, from its finds in labelled conversations.

A fifth of the conversations and of the nonsense stands apart in turns: what is
reported was measured on what the weights had not seen.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from palimpsest.bench.gate import Judged, figures, highest_threshold
from palimpsest.bench.gate_conversations import Asked, Messages, messages_of
from palimpsest.bench.gate_samples import (
    LEAST_FINDS,
    SIZES,
    Sample,
    answerable,
    sample,
    with_names_of,
)
from palimpsest.bench.locomo import Dialogue, UnreadableData
from palimpsest.bench.regression import Numbers, fitted_weights, logistic_regression
from palimpsest.bench.report import Report
from palimpsest.domain.ranking.gate import Gate, calibrated
from palimpsest.domain.ranking.openings import ChineseOpening, Opening
from palimpsest.domain.ranking.saying_something import says_something
from palimpsest.domain.ranking.sense import Sense
from palimpsest.domain.user import Language
from palimpsest.domain.writing import language_of
from palimpsest.providers.dense import DenseModel
from palimpsest.providers.local_models import dense_model_named
from palimpsest.providers.sparse import sparse_encoder
from palimpsest.providers.strangers import ORDINARY_TEXTS, STRANGE_QUESTIONS

FOLDS = 5
LEAST_OF_EACH = 3
"""Conversations and lines of nonsense: one to stand apart, one that a sense is not fitted on, one."""

LOSES = 0.034
"""Of the questions that it is fitted on, found or not: here they are found by two signs, in recall by all."""

OTHERS_WEIGH, NONSENSE_WEIGHS = 0.5, 4.0
"""Beside people's own questions. What others ask could mostly be asked here as well."""

STRANGERS_BELOW = 0.998
"""The share of others' questions and nonsense that is farther away than what opens by nearness alone."""

SENSE_RIDGE = 0.3
MESSAGES = 40
"""Of each conversation, among what makes sense."""
KEYWORDS = 3

RISING = frozenset({"nearest", "above_all", "coverage", "lexical_gap", "agreement", "seen", "says"})


@dataclass
class Fitting:
    """One model on the conversations of one language."""

    model: DenseModel
    dialogues: Sequence[Dialogue]
    nonsense: Sequence[str]
    _asked: dict[str, Asked] = field(default_factory=dict)
    _senses: dict[frozenset[int], Sense] = field(default_factory=dict)
    _openings: dict[frozenset[int], Opening | ChineseOpening] = field(default_factory=dict)

    def __post_init__(self) -> None:
        documents = np.array(self.model.documents(list(ORDINARY_TEXTS)))
        strange = np.array([self.model.query(text) for text in STRANGE_QUESTIONS])
        self.gate = Gate(
            calibration=calibrated((strange @ documents.T).ravel().tolist()), openings=None
        )
        self.fold_of = {one.id: n % FOLDS for n, one in enumerate(self.dialogues)}
        self.fold_of |= {text: n % FOLDS for n, text in enumerate(self.nonsense)}
        self.samples = list(self._sampled())

    def opening(self, without: Collection[int] = ()) -> Opening | ChineseOpening:
        """Fitted on all folds but these."""
        apart = frozenset(without)
        known = [one for one in self.samples if not self._folds(one) & apart]
        names = [*known[0].values, "says"]
        values = np.array(
            [[*one.values.values(), self._says(one, apart | self._own_fold(one))] for one in known]
        )
        own = np.array([float(one.own) for one in known])
        weights = fitted_weights(names, values, own, _weights(known), rising=RISING)
        strangers = [one.seen.nearest for one in known if not one.own]
        found: dict[str, Any] = {
            **{name: round(weight, 3) for name, weight in weights.items()},
            "sense": self.sense(apart),
            "fewest": LEAST_FINDS,
            "opens_from": 0.0,
            "opens_from_deviations": round(float(np.quantile(strangers, STRANGERS_BELOW)), 2),
        }
        kind = Opening if known[0].common is None else ChineseOpening
        if kind is Opening:
            found |= {"shared": 0.0, "words": 0.0}
        # By evidence alone: what is near enough opens it at any threshold.
        opening = kind(**{**found, "opens_from_deviations": np.inf})
        judged = [
            replace(self.judged(one, opening, apart), recall=1.0)
            for one in known
            if one.size is None
        ]
        return kind(**{**found, "opens_from": round(highest_threshold(judged, LOSES), 3)})

    def judged(
        self, one: Sample, opening: Opening | ChineseOpening, apart: frozenset[int]
    ) -> Judged:
        """By a sense that was fitted without it."""
        says = self._says(one, apart | self._own_fold(one))
        if isinstance(opening, ChineseOpening):
            margin = opening.margin(one.seen, one.common, says) if one.common else -np.inf
        else:
            margin = opening.margin(one.seen, says)
        return Judged(
            user_id=one.user_id,
            sort="own" if one.own else "other" if one.asker else "nonsense",
            language=language_of(one.text).value if one.asker is None else None,
            margin=float(margin),
            recall=one.recall,
        )

    def held_out(self, size: int | None = None) -> list[Judged]:
        """Each fold's questions, to each fold's people, by what was fitted without that fold."""
        found = []
        for fold in sorted({self.fold_of[one.id] for one in self.dialogues}):
            apart, opening = self._without(fold)
            found += [
                self.judged(one, opening, apart)
                for one in self.samples
                if one.size == size
                and self.fold_of[one.user_id] == fold
                and (one.asker is not None or self.fold_of[one.text] == fold)
            ]
        return found

    def refused_apart(self, nonsense: Sequence[str]) -> float:
        """The share refused of nonsense that nothing was fitted to, asked of people who stood apart."""
        refused = []
        for user in self.dialogues:
            apart, opening = self._without(self.fold_of[user.id])
            whole = messages_of(user, self.model)
            for text in nonsense:
                asked = self._ask(text)
                one = sample(self.gate, whole, asked, user_id=user.id, asker=None, size=None)
                refused.append(
                    one is None
                    or not says_something(text)
                    or self.judged(one, opening, apart).margin < 0.0
                )
        return sum(refused) / len(refused)

    def _without(self, fold: int) -> tuple[frozenset[int], Opening | ChineseOpening]:
        apart = frozenset({fold})
        if apart not in self._openings:
            self._openings[apart] = self.opening(apart)
        return apart, self._openings[apart]

    def sense(self, without: frozenset[int] = frozenset()) -> Sense:
        """What people say and ask against nonsense, all folds but these."""
        if without not in self._senses:
            said = [
                text
                for one in self.dialogues
                if self.fold_of[one.id] not in without
                for text in _sensible(one)
            ]
            nonsense = [text for text in self.nonsense if self.fold_of[text] not in without]
            self._senses[without] = _sense(
                np.array([self._ask(text).dense for text in said], dtype=np.float64),
                np.array([self._ask(text).dense for text in nonsense], dtype=np.float64),
            )
        return self._senses[without]

    def _says(self, one: Sample, apart: frozenset[int]) -> float:
        return self.sense(apart).of(self._ask(one.text).dense.tolist())

    def _own_fold(self, one: Sample) -> frozenset[int]:
        """Of the text itself, where it stood among what its sense would be fitted on."""
        fold = self.fold_of.get(one.asker or one.text)
        return frozenset() if fold is None else frozenset({fold})

    def _folds(self, one: Sample) -> frozenset[int]:
        return frozenset({self.fold_of[one.user_id]}) | self._own_fold(one)

    def _ask(self, text: str) -> Asked:
        if text not in self._asked:
            self._asked[text] = Asked(text, self.model)
        return self._asked[text]

    def _sampled(self) -> Iterator[Sample]:
        for user in self.dialogues:
            whole = messages_of(user, self.model)
            for size in SIZES:
                some = whole.some(size, (), f"{user.id} {size}")
                found = [
                    *self._of_people(user, whole, some, size),
                    *(
                        sample(
                            self.gate, some, self._ask(text), user_id=user.id, asker=None, size=size
                        )
                        for text in self.nonsense
                    ),
                ]
                yield from (one for one in found if one is not None)

    def _of_people(
        self, user: Dialogue, whole: Messages, some: Messages, size: int | None
    ) -> Iterator[Sample | None]:
        for asker in self.dialogues:
            for question in answerable(asker):
                own, texts = asker is user, [question.text]
                if not own:
                    texts += [with_names_of(question.text, asker, user)]
                asked_of = some
                if own:
                    asked_of = whole.some(size, question.evidence, f"{user.id} {question.text}")
                for text in dict.fromkeys(texts):
                    yield sample(
                        self.gate,
                        asked_of,
                        self._ask(text),
                        user_id=user.id,
                        asker=asker.id,
                        size=size,
                        evidence=question.evidence if own else (),
                    )


def bench(
    embedder: str,
    dialogues: Sequence[Dialogue],
    nonsense: Sequence[Mapping[str, str]],
    file: Path,
    nonsense_apart: Sequence[Mapping[str, str]] = (),
) -> Report:
    """Write what opens the gate of this local model. To `nonsense_apart` nothing is fitted.

    A language of which there are no three conversations or lines of nonsense stays as it stood.

    Raises:
        UnreadableData: for none of them is there enough.
    """
    openings = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    rows, found, model = [], {}, dense_model_named(embedder)
    remarks = [f"What opens it for {embedder} stands in {file.name}."]
    for language in Language:
        spoken = [one for one in dialogues if _language(one) is language]
        strange = [one["text"] for one in nonsense if one["language"] == language.value]
        if min(len(spoken), len(strange)) < LEAST_OF_EACH:
            continue
        fitting = Fitting(model, spoken, strange)
        for size in SIZES:
            measured = figures(fitting.held_out(size))
            rows.append({"language": language.value, "messages": size or "all", **measured["now"]})
            found[f"{language.value}, {size or 'all'} messages"] = measured
        if judging := [one["text"] for one in nonsense_apart if one["language"] == language.value]:
            refused = round(fitting.refused_apart(judging), 4)
            found[f"{language.value}, nonsense apart"] = {"lines": len(judging), "refused": refused}
            remarks.append(f"Of {len(judging)} lines of nonsense apart it refuses {refused:.1%}.")
        name = "chinese" if language is Language.CHINESE else "english"
        openings[name] = fitting.opening().model_dump()
    if not rows:
        raise UnreadableData("a gate is fitted on three conversations and three lines of nonsense")
    file.write_text(json.dumps(openings) + "\n", encoding="utf-8")
    return Report(
        title="What the gate lets through of what it was not fitted on",
        rows=rows,
        figures=found,
        remark=" ".join(remarks),
    )


def _weights(samples: Sequence[Sample]) -> Numbers:
    """So that each sort counts as much as it is to weigh, however many there are of it."""
    own = sum(one.own for one in samples)
    others = sum(one.asker is not None and not one.own for one in samples)
    nonsense = len(samples) - own - others
    return np.array(
        [
            1.0
            if one.own
            else OTHERS_WEIGH * own / others
            if one.asker
            else NONSENSE_WEIGHS * own / nonsense
            for one in samples
        ]
    )


def _sense(said: Numbers, nonsense: Numbers) -> Sense:
    """As much weight on either side. Scaled by the spread of the model's embeddings."""
    texts = np.concatenate([said, nonsense])
    average = texts.mean(axis=0)
    spread = float(np.sqrt(((texts - average) ** 2).sum(axis=1).mean()))
    positive = np.concatenate([np.ones(len(said)), np.zeros(len(nonsense))])
    evenly = np.where(positive == 1.0, 200.0 / len(said), 200.0 / len(nonsense))
    constant, found = logistic_regression(
        (texts - average) / spread, positive, evenly, ridge=SENSE_RIDGE
    )
    direction = np.round(found / spread, 3)
    return Sense(
        constant=round(constant - float(direction @ average), 3),
        direction=tuple(direction.tolist()),
    )


def _sensible(dialogue: Dialogue) -> Iterator[str]:
    """What people ask, as sentences and as they type it into a search box, and what they say."""
    encoder = sparse_encoder()
    for question in answerable(dialogue):
        yield question.text
        if words := list(encoder.words(question.text))[:KEYWORDS]:
            yield " ".join(words)
    step = max(1, len(dialogue.turns) // MESSAGES)
    yield from (turn.text for turn in dialogue.turns[::step][:MESSAGES] if turn.text.strip())


def _language(dialogue: Dialogue) -> Language:
    return language_of(" ".join(one.text for one in dialogue.questions))
