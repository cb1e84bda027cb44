"""Weights that say what a test wants said, and conversations that are weighed by them."""

from collections.abc import Mapping
from dataclasses import dataclass

from palimpsest.domain.kinds import Kind
from palimpsest.providers.extraction.dialogue import ExtractionRequest
from palimpsest.providers.extraction.proposals_found import Proposal
from palimpsest.providers.extraction.rules.local import ruled_of
from palimpsest.providers.extraction.rules.weighing.choosing import Thresholds, chosen, likeliest
from palimpsest.providers.extraction.rules.weighing.possible import (
    KINDS_WEIGHED,
    Possible,
    possible,
)
from palimpsest.providers.extraction.rules.weighing.weighing import told
from palimpsest.providers.extraction.rules.weighing.weights import Weighed


@dataclass(frozen=True)
class Opinion:
    """How sure, of words, and as what."""

    likely: Mapping[str, tuple[Kind, float]]
    otherwise: float
    as_it_is: float = 0.0
    """As the kind that the rules gave it, where words are likely as another."""

    def of(self, one: Possible) -> Weighed:
        kind, probability = self.likely.get(one.text, (None, self.otherwise))
        own = one.proposal.kind if one.proposal else None
        right = tuple(
            probability if kind in (None, each) else self.as_it_is if each is own else 0.0
            for each in KINDS_WEIGHED
        )
        return Weighed(right, tuple(0.0 for _ in KINDS_WEIGHED))


async def weighed_by(request: ExtractionRequest, opinion: Opinion) -> list[Proposal]:
    ruled = await ruled_of(request)
    choices = [likeliest(one, opinion.of(one)) for one in possible(ruled.proposals, ruled.said)]
    return await told(chosen(choices, Thresholds()), request.time_zone)
