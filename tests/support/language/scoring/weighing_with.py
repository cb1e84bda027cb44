"""Weights that say what a test wants said, and conversations that are weighed by them."""

from collections.abc import Mapping
from dataclasses import dataclass

from palimpsest.model.kinds import Kind
from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import apply_rules
from palimpsest_language.proposals import Proposal
from palimpsest_language.scoring.candidate_proposals import (
    SCORED_KINDS,
    CandidateProposal,
    list_candidate_proposals,
)
from palimpsest_language.scoring.scorer import build_chosen_proposals
from palimpsest_language.scoring.selection import SelectionThresholds, choose_kind, select_choices
from palimpsest_language.scoring.weights import KindProbabilities


@dataclass(frozen=True)
class Opinion:
    """How sure, of words, and as what."""

    likely: Mapping[str, tuple[Kind, float]]
    otherwise: float
    as_it_is: float = 0.0
    """As the kind that the rules gave it, where words are likely as another."""

    def of(self, proposal: CandidateProposal) -> KindProbabilities:
        kind, probability = self.likely.get(proposal.text, (None, self.otherwise))
        own = proposal.proposal.kind if proposal.proposal else None
        right = tuple(
            probability if kind in (None, each) else self.as_it_is if each is own else 0.0
            for each in SCORED_KINDS
        )
        return KindProbabilities(right, tuple(0.0 for _ in SCORED_KINDS))


async def weighed_by(request: ExtractionRequest, opinion: Opinion) -> list[Proposal]:
    ruled = await apply_rules(request)
    choices = [
        choose_kind(candidate_proposal, opinion.of(candidate_proposal))
        for candidate_proposal in list_candidate_proposals(ruled.proposals, ruled.said)
    ]
    return await build_chosen_proposals(
        select_choices(choices, SelectionThresholds()), request.time_zone
    )
