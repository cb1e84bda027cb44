"""Weights of the default ranking, fitted to the use of its results.

Some results of a recall were used or found helpful, and the rest were not. Weights are fitted so that used
results score above unused ones. They are adopted only if they do so in recalls that they were not fitted to.
"""

import math
from collections.abc import Mapping, Sequence
from operator import mul
from statistics import fmean, stdev
from typing import NamedTuple

from palimpsest.model.identifiers import derive_id
from palimpsest.model.value_types import Value
from palimpsest_server.domain.ranking.ranking_policy import RankingPolicy
from palimpsest_server.domain.ranking.score import ScoreBreakdown

SCORE_FEATURES = ("dense", "sparse", "neighbours", "speaker", "length", "time")
"""Weighted parts of a score. The second neighbours' weight stays in proportion to the first's."""

TUNED_POLICY_NAME = "tuned"

FEWEST_RECALLS = 100
"""Fewest recalls that tell something; with fewer no weights are adopted, however good they are."""

FOLDS = 5
STEPS = 60
RATE = 0.9
"""Step size, small enough to always descend: features are at most about 1, which bounds the slope's change."""

HOLDS_BACK = 0.1
"""Strength that draws weights to their current values, relative to one pair in the right order. Only
returned results are known, and weights that move far rank up results that never were: fitted on three
LoCoMo conversations from the first guess (see `DIALOGUE`), those of .1 moved the reciprocal rank over all
messages of the other two from .57 to .61 and the evidence among the first five from .66 to .70;
those of .02 moved it down, although on returned results they seemed as good."""

SURE_FROM_ERRORS = 3.0
"""Standard errors by which the gain must exceed 0. Weights are fitted often, and with
two errors every fortieth fit would adopt chance."""

MOST_RECALLS = 2_000
"""Maximum number of recalls to fit to, for which a minute is enough."""


class RecallOutcome(NamedTuple):
    """Outcome of one recall: the features of each result by id, and the results that were used."""

    recall_id: str
    returned: Mapping[str, tuple[float, ...]]
    used: frozenset[str]

    @property
    def tells(self) -> bool:
        """True if some results were used and others were not."""
        return bool(self.used & self.returned.keys()) and bool(self.returned.keys() - self.used)


class WeightFit(Value):
    """Result of a fit: `policy` is worth adopting if `adopted`, else `why` tells the reason."""

    recalls: int
    policy: RankingPolicy
    before: float
    """Mean reciprocal rank of the first used result, by the current weights."""
    after: float
    """Mean reciprocal rank by weights fitted to the other recalls."""
    gain_error: float
    """Standard error of the gain."""
    adopted: bool
    why: str


def extract_score_features(parts: ScoreBreakdown, policy: RankingPolicy) -> tuple[float, ...]:
    """Return the parts of a score without their weights, in the order of `SCORE_FEATURES`."""
    weights = read_weights(policy)
    found = (getattr(parts, name) for name in SCORE_FEATURES)
    return tuple(
        round(part / weight, 4) if weight else 0.0
        for part, weight in zip(found, weights, strict=True)
    )


def read_weights(policy: RankingPolicy) -> tuple[float, ...]:
    nearest = policy.neighbours[0] if policy.neighbours else 0.0
    return (policy.dense, policy.sparse, nearest, policy.speaker, policy.length, policy.time)


def replace_weights(policy: RankingPolicy, weights: Sequence[float]) -> RankingPolicy:
    """Return the policy with these weights, in the order of `SCORE_FEATURES`."""
    dense, sparse, nearest, speaker, length, time = (round(weight, 4) for weight in weights)
    scale = nearest / policy.neighbours[0] if policy.neighbours and policy.neighbours[0] else 0.0
    return policy.model_copy(
        update={
            "name": TUNED_POLICY_NAME,
            "dense": dense,
            "sparse": sparse,
            "neighbours": tuple(round(neighbour * scale, 4) for neighbour in policy.neighbours),
            "speaker": speaker,
            "length": length,
            "time": time,
        }
    )


def fit_policy(traces: Sequence[RecallOutcome], policy: RankingPolicy) -> WeightFit:
    """Fit on four fifths of the recalls and test on the fifth, for each fifth in turn; then fit on all."""
    telling = sorted((trace for trace in traces if trace.tells), key=lambda one: one.recall_id)
    telling = telling[:MOST_RECALLS]
    stand = read_weights(policy)
    before, after = [], []
    for fold in range(FOLDS):
        held_out = [one for one in telling if _fold(one) == fold]
        weights = fit_weights([one for one in telling if _fold(one) != fold], stand)
        before += [reciprocal_rank(one, stand) for one in held_out]
        after += [reciprocal_rank(one, weights) for one in held_out]
    gains = [new - old for old, new in zip(before, after, strict=True)]
    error = stdev(gains) / math.sqrt(len(gains)) if len(gains) > 1 else 0.0
    why = _why_not(gains, error)
    return WeightFit(
        recalls=len(telling),
        policy=policy if why else replace_weights(policy, fit_weights(telling, stand)),
        before=round(fmean(before), 4) if before else 0.0,
        after=round(fmean(after), 4) if after else 0.0,
        gain_error=round(error, 4),
        adopted=not why,
        why=why or "used results rank higher in recalls that the weights were not fitted to",
    )


def fit_weights(traces: Sequence[RecallOutcome], start: Sequence[float]) -> tuple[float, ...]:
    """Return weights by which used results rank above unused ones, held back towards the start.

    Pairs of a used and an unused result of one recall, by logistic regression (Bradley
    and Terry); each recall counts the same, and no weight falls below 0.
    """
    differences = [_differences(trace) for trace in traces if trace.tells]
    weights = list(start)
    if not differences:
        return tuple(weights)
    for _ in range(STEPS):
        slope = [0.0] * len(weights)
        for pairs in differences:
            for pair in pairs:
                margin = sum(map(mul, weights, pair))
                missed = 1.0 / (1.0 + math.exp(min(margin, 500.0))) / len(pairs)
                for number, sign in enumerate(pair):
                    slope[number] += missed * sign
        weights = [
            max(
                0.0,
                weight + RATE * (rise / len(differences) - HOLDS_BACK * (weight - where)),
            )
            for weight, rise, where in zip(weights, slope, start, strict=True)
        ]
    return tuple(weights)


def reciprocal_rank(trace: RecallOutcome, weights: Sequence[float]) -> float:
    """Return 1 / rank of the first used result, with the results ranked by these weights."""
    scores = {one: sum(map(mul, weights, signs)) for one, signs in trace.returned.items()}
    ranked = sorted(scores, key=lambda identity: (-scores[identity], identity))
    return next(
        (1 / rank for rank, identity in enumerate(ranked, start=1) if identity in trace.used), 0.0
    )


def _differences(trace: RecallOutcome) -> list[tuple[float, ...]]:
    used = [signs for identity, signs in trace.returned.items() if identity in trace.used]
    unused = [signs for identity, signs in trace.returned.items() if identity not in trace.used]
    return [
        tuple(one - other for one, other in zip(better, worse, strict=True))
        for better in used
        for worse in unused
    ]


def _fold(trace: RecallOutcome) -> int:
    return int(derive_id("fold of tuning", trace.recall_id)[:8], 16) % FOLDS


def _why_not(gains: Sequence[float], error: float) -> str:
    if len(gains) < FEWEST_RECALLS:
        return f"{len(gains)} recalls tell something, and {FEWEST_RECALLS} are needed"
    gain = fmean(gains)
    if gain <= 0:
        return "the weights that stand do as well"
    if gain < SURE_FROM_ERRORS * error:
        return "what is gained may be chance"
    return ""
