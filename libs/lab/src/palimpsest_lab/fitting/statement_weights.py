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

from palimpsest.model.errors import PermanentError
from palimpsest_lab.extraction.dialogue_windows import (
    collect_extracted_items,
    cut_dialogue_windows,
)
from palimpsest_lab.extraction.extracted_items import ExtractedItem
from palimpsest_lab.extraction.figures import compute_extraction_figures
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue
from palimpsest_lab.fitting.statement_samples import (
    OPTIONAL,
    RIGHT,
    WRONG,
    StatementSample,
    collect_statement_samples,
    get_author,
)
from palimpsest_lab.reporting.report import BenchmarkReport
from palimpsest_language.local_extraction.local_extractor import LocalExtractor, apply_rules
from palimpsest_language.proposals import ExtractionAnswer
from palimpsest_language.scoring.candidate_proposals import SCORED_KINDS
from palimpsest_language.scoring.features import FEATURE_ROWS
from palimpsest_language.scoring.weights import StatementWeights, quantize_weights, write_weights
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request

INVERSE_RIDGE = 0.3
"""The inverse of the ridge; three times as much or as little changes nothing by a hundredth."""
OLD_WRONG_SAMPLE_WEIGHT = 0.5
"""The first dialogues are labelled less fully: some of what is wrong there is not."""
MINIMUM_SAMPLES_OF_KIND = 6
MINIMUM_SAMPLES_OF_ROW = 2
_COLUMNS = (
    "recall",
    "precision",
    "kind_accuracy",
    "details_kept",
    "details_kept_of_matched",
    "date_accuracy",
    "violations",
)


def list_training_files(folder: Path) -> list[Path]:
    """The golden files of a folder, but for those that are set apart."""
    return sorted(path for path in folder.glob("*.jsonl") if not path.stem.endswith("_sealed"))


class FittingNotPossible(PermanentError):
    """Raised if fitting lacks a library, or has too little to fit on."""


def fit_statement_weights(samples: Sequence[StatementSample]) -> StatementWeights:
    """The weights that these samples teach: of the same samples the same weights.

    Raises:
        NotFitted: scikit-learn is not installed, or the samples teach no kind.
    """
    if not samples:
        raise FittingNotPossible("there are no dialogues to learn from")
    matrix, rows = _matrix(samples)
    verdicts = np.array([sample.verdicts for sample in samples])
    fitting = np.array([sample.fitting for sample in samples])
    full = np.array([sample.fully_labelled for sample in samples])
    kinds = len(SCORED_KINDS)
    table = np.zeros((FEATURE_ROWS, 2 * kinds))
    constant = np.full(2 * kinds, -10.0)
    for column in range(kinds):
        told = verdicts[:, column]
        judged = (told == RIGHT) | (told == WRONG)
        counts = np.where((told == WRONG) & ~full, OLD_WRONG_SAMPLE_WEIGHT, 1.0)
        found = _regression(matrix[judged], told[judged] == RIGHT, counts[judged])
        if found is not None:
            table[rows, column], constant[column] = found
        kept = (verdicts.max(axis=1) >= OPTIONAL) & (told >= WRONG)
        found = _regression(matrix[kept], fitting[kept, column], np.ones(int(kept.sum())))
        if found is not None:
            table[rows, kinds + column], constant[kinds + column] = found
    if not table.any():
        raise FittingNotPossible("these dialogues are too few to learn from")
    return quantize_weights(table, constant)


def run_benchmark(
    dialogues: Sequence[GoldenDialogue],
    file: Path,
    *,
    rounds: int,
    context_messages: int,
    measured: bool = True,
) -> BenchmarkReport:
    """Write what all of them teach; tell what those of the other authors do for each author."""
    samples = list(
        collect_statement_samples(dialogues, rounds=rounds, context_messages=context_messages)
    )
    rows, found = [], {}
    for author in sorted({sample.author for sample in samples} - {"old"}) if measured else ():
        weights = fit_statement_weights([sample for sample in samples if sample.author != author])
        theirs = [dialogue for dialogue in dialogues if get_author(dialogue) == author]
        for name, rules in (("rules alone", None), ("weighed", LocalExtractor(weights))):
            read = asyncio.run(
                _read(theirs, rules, rounds=rounds, context_messages=context_messages)
            )
            judged = compute_extraction_figures(read)
            found[f"{author}, {name}"] = judged
            rows.append({"author": author, "": name, **{each: judged[each] for each in _COLUMNS}})
    write_weights(file, fit_statement_weights(samples))
    return BenchmarkReport(
        title="What is understood of authors that were left out",
        rows=rows,
        figures=found,
        remark=f"{len(samples)} samples of {len(dialogues)} dialogues; the weights stand in {file.name}.",
    )


async def _read(
    dialogues: Iterable[GoldenDialogue],
    rules: LocalExtractor | None,
    *,
    rounds: int,
    context_messages: int,
) -> list[tuple[GoldenDialogue, Sequence[ExtractedItem]]]:
    read: list[tuple[GoldenDialogue, Sequence[ExtractedItem]]] = []
    for dialogue in dialogues:
        events = []
        for window in cut_dialogue_windows(
            dialogue, rounds=rounds, context_messages=context_messages
        ):
            asked = build_extraction_request(window)
            if rules is None:
                ruled = await apply_rules(asked)
                answer = ExtractionAnswer(
                    proposals=tuple(ruled.proposals), finished=tuple(ruled.finished)
                )
            else:
                answer = await rules.extract(asked)
            events.append(propose_candidates(window, answer, provider="local").event)
        read.append((dialogue, collect_extracted_items(dialogue, events)))
    return read


def _matrix(samples: Sequence[StatementSample]) -> tuple[Any, NDArray[np.intp]]:
    """A line for each sample, a column for each row of the weights that is seen often enough."""
    try:
        from scipy import sparse  # noqa: PLC0415 - for fitting alone
    except ImportError:
        raise FittingNotPossible("fitting needs scikit-learn: install the group `dev`") from None
    starts = np.cumsum([0, *(len(sample.seen.rows) for sample in samples)])
    rows = np.concatenate([sample.seen.rows for sample in samples])
    amounts = np.concatenate([sample.seen.amounts for sample in samples])
    whole = sparse.csr_matrix((amounts, rows, starts), shape=(len(samples), FEATURE_ROWS))
    whole.sum_duplicates()
    often = np.flatnonzero(whole.getnnz(axis=0) >= MINIMUM_SAMPLES_OF_ROW)
    return whole[:, often].tocsr(), often


def _regression(
    lines: Any, positive: NDArray[np.bool_], counts: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float] | None:
    """The weight of each column and the constant; None where one side is hardly there."""
    if min(int(positive.sum()), int((~positive).sum())) < MINIMUM_SAMPLES_OF_KIND:
        return None
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - for fitting alone

    model = LogisticRegression(C=INVERSE_RIDGE, solver="liblinear", random_state=0, max_iter=200)
    model.fit(lines, positive, sample_weight=counts)
    return model.coef_[0], float(model.intercept_[0])
