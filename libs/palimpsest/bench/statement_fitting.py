"""`bench fit-statements`: the weights by which the local rules are weighed, learnt from golden dialogues.

For each kind two logistic regressions over the same features: that a reader would
have kept it, were it of this kind; and that a reader who keeps it would name this
kind. What is optional speaks neither for nor against the first. What is reported was
measured on authors that were left out.
"""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palimpsest.bench.extraction_dialogues import Dialogue
from palimpsest.bench.extraction_figures import figures
from palimpsest.bench.extraction_found import Found
from palimpsest.bench.extraction_windows import found_in, windows_of
from palimpsest.bench.report import Report
from palimpsest.bench.statement_samples import (
    OPTIONAL,
    RIGHT,
    WRONG,
    Sample,
    author_of,
    samples_of,
)
from palimpsest.domain.errors import PermanentError
from palimpsest.providers.extraction.messages import request_of
from palimpsest.providers.extraction.proposals_found import ExtractionAnswer
from palimpsest.providers.extraction.proposing import propose
from palimpsest.providers.extraction.rules.local import LocalRules, ruled_of
from palimpsest.providers.extraction.rules.weighing.features import ROWS
from palimpsest.providers.extraction.rules.weighing.possible import KINDS_WEIGHED
from palimpsest.providers.extraction.rules.weighing.weights import (
    Weights,
    quantised,
    write_weights,
)

STRENGTH = 0.3
"""The inverse of the ridge; three times as much or as little changes nothing by a hundredth."""
WRONG_OF_OLD_WEIGHS = 0.5
"""The first dialogues are labelled less fully: some of what is wrong there is not."""
LEAST_OF_A_KIND = 6
LEAST_SAMPLES_OF_A_ROW = 2
_COLUMNS = (
    "recall",
    "precision",
    "kind_accuracy",
    "details_kept",
    "details_kept_of_matched",
    "date_accuracy",
    "violations",
)


def learnt_from(folder: Path) -> list[Path]:
    """The golden files of a folder, but for those that are set apart."""
    return sorted(each for each in folder.glob("*.jsonl") if not each.stem.endswith("_sealed"))


class NotFitted(PermanentError):
    """What fitting needs is not installed, or there is too little to fit on."""


def fitted(samples: Sequence[Sample]) -> Weights:
    """The weights that these samples teach: of the same samples the same weights.

    Raises:
        NotFitted: scikit-learn is not installed, or the samples teach no kind.
    """
    if not samples:
        raise NotFitted("there are no dialogues to learn from")
    matrix, rows = _matrix(samples)
    verdicts = np.array([one.verdicts for one in samples])
    fitting = np.array([one.fitting for one in samples])
    full = np.array([one.fully_labelled for one in samples])
    kinds = len(KINDS_WEIGHED)
    table = np.zeros((ROWS, 2 * kinds))
    constant = np.full(2 * kinds, -10.0)
    for column in range(kinds):
        told = verdicts[:, column]
        judged = (told == RIGHT) | (told == WRONG)
        counts = np.where((told == WRONG) & ~full, WRONG_OF_OLD_WEIGHS, 1.0)
        found = _regression(matrix[judged], told[judged] == RIGHT, counts[judged])
        if found is not None:
            table[rows, column], constant[column] = found
        kept = (verdicts.max(axis=1) >= OPTIONAL) & (told >= WRONG)
        found = _regression(matrix[kept], fitting[kept, column], np.ones(int(kept.sum())))
        if found is not None:
            table[rows, kinds + column], constant[kinds + column] = found
    if not table.any():
        raise NotFitted("these dialogues are too few to learn from")
    return quantised(table, constant)


def bench(
    dialogues: Sequence[Dialogue],
    file: Path,
    *,
    rounds: int,
    context_messages: int,
    measured: bool = True,
) -> Report:
    """Write what all of them teach; tell what those of the other authors do for each author."""
    samples = list(samples_of(dialogues, rounds=rounds, context_messages=context_messages))
    rows, found = [], {}
    for author in sorted({one.author for one in samples} - {"old"}) if measured else ():
        weights = fitted([one for one in samples if one.author != author])
        theirs = [one for one in dialogues if author_of(one) == author]
        for name, rules in (("rules alone", None), ("weighed", LocalRules(weights))):
            read = asyncio.run(
                _read(theirs, rules, rounds=rounds, context_messages=context_messages)
            )
            judged = figures(read)
            found[f"{author}, {name}"] = judged
            rows.append({"author": author, "": name, **{each: judged[each] for each in _COLUMNS}})
    write_weights(file, fitted(samples))
    return Report(
        title="What is understood of authors that were left out",
        rows=rows,
        figures=found,
        remark=f"{len(samples)} samples of {len(dialogues)} dialogues; the weights stand in {file.name}.",
    )


async def _read(
    dialogues: Iterable[Dialogue],
    rules: LocalRules | None,
    *,
    rounds: int,
    context_messages: int,
) -> list[tuple[Dialogue, Sequence[Found]]]:
    read: list[tuple[Dialogue, Sequence[Found]]] = []
    for dialogue in dialogues:
        events = []
        for window in windows_of(dialogue, rounds=rounds, context_messages=context_messages):
            asked = request_of(window)
            if rules is None:
                ruled = await ruled_of(asked)
                answer = ExtractionAnswer(
                    proposals=tuple(ruled.proposals), finished=tuple(ruled.finished)
                )
            else:
                answer = await rules.extract(asked)
            events.append(propose(window, answer, provider="local").event)
        read.append((dialogue, found_in(dialogue, events)))
    return read


def _matrix(samples: Sequence[Sample]) -> tuple[Any, NDArray[np.intp]]:
    """A line for each sample, a column for each row of the weights that is seen often enough."""
    try:
        from scipy import sparse  # noqa: PLC0415 - for fitting alone
    except ImportError:
        raise NotFitted("fitting needs scikit-learn: install the group `dev`") from None
    starts = np.cumsum([0, *(len(one.seen.rows) for one in samples)])
    rows = np.concatenate([one.seen.rows for one in samples])
    amounts = np.concatenate([one.seen.amounts for one in samples])
    whole = sparse.csr_matrix((amounts, rows, starts), shape=(len(samples), ROWS))
    whole.sum_duplicates()
    often = np.flatnonzero(whole.getnnz(axis=0) >= LEAST_SAMPLES_OF_A_ROW)
    return whole[:, often].tocsr(), often


def _regression(
    lines: Any, positive: NDArray[np.bool_], counts: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float] | None:
    """The weight of each column and the constant; None where one side is hardly there."""
    if min(int(positive.sum()), int((~positive).sum())) < LEAST_OF_A_KIND:
        return None
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - for fitting alone

    model = LogisticRegression(C=STRENGTH, solver="liblinear", random_state=0, max_iter=200)
    model.fit(lines, positive, sample_weight=counts)
    return model.coef_[0], float(model.intercept_[0])
