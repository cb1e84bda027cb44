"""The proposals of the rules and the pieces of what was said, weighed: what is proposed in the end."""

from collections.abc import Sequence

from palimpsest.providers.extraction.provider import Proposal
from palimpsest.providers.extraction.rules.weighing.choosing import (
    Thresholds,
    chosen,
    likeliest,
)
from palimpsest.providers.extraction.rules.weighing.features import features
from palimpsest.providers.extraction.rules.weighing.pieces import Heard
from palimpsest.providers.extraction.rules.weighing.possible import as_kind, possible
from palimpsest.providers.extraction.rules.weighing.weights import Weights


def weighed(
    proposals: Sequence[Proposal],
    said: Sequence[Heard],
    weights: Weights,
    *,
    time_zone: str,
    at: Thresholds | None = None,
) -> list[Proposal]:
    """Those of the rules that stay, then what is added, each in the order in which it was said."""
    choices = [likeliest(one, weights.weigh(features(one))) for one in possible(proposals, said)]
    return [
        as_kind(each.possible, each.kind, time_zone) for each in chosen(choices, at or Thresholds())
    ]
