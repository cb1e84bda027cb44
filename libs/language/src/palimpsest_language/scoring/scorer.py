"""Scores the rules' proposals and the fragments of messages, and keeps the worthwhile ones."""

import asyncio
from collections.abc import Sequence

from palimpsest_language.proposals import Proposal
from palimpsest_language.scoring.adjacent_fragments import (
    CoveredPlaces,
    extend_over_adjacent,
    find_covered_places,
    find_following_fragments,
)
from palimpsest_language.scoring.candidate_proposals import (
    Origin,
    add_fragments,
    build_as_kind,
    list_candidate_proposals,
)
from palimpsest_language.scoring.deduplication import ScoredProposal, deduplicate
from palimpsest_language.scoring.features import extract_features
from palimpsest_language.scoring.fragments import ParsedMessage
from palimpsest_language.scoring.selection import (
    KindChoice,
    SelectionThresholds,
    choose_kind,
    select_choices,
)
from palimpsest_language.scoring.weights import StatementWeights

MAX_MESSAGE_CHARACTERS = 2_000
"""The most characters of a message; longer ones are pasted."""

CANDIDATES_PER_STEP = 50
"""Candidates scored before the event loop gets a turn: some milliseconds."""


async def score_proposals(
    proposals: Sequence[Proposal],
    said: Sequence[ParsedMessage],
    weights: StatementWeights,
    *,
    time_zone: str,
) -> list[Proposal]:
    """Return the proposals of the rules to keep, then further ones, each in the order of speech.

    Messages unlike the learnt ones keep all proposals of the rules: a single message, a long one,
    and talk among people.
    """
    short = [
        parsed_message for parsed_message in said if _is_like_those_learnt_from(parsed_message)
    ]
    if not short or (len(said) == 1 and said[0].before is None):
        return list(proposals)
    choices: list[KindChoice] = []
    for place, candidate_proposal in enumerate(list_candidate_proposals(proposals, short)):
        choices.append(
            choose_kind(candidate_proposal, weights.weigh(extract_features(candidate_proposal)))
        )
        if place % CANDIDATES_PER_STEP == 0:
            await asyncio.sleep(0)
    return await build_chosen_proposals(select_choices(choices, SelectionThresholds()), time_zone)


async def build_chosen_proposals(choices: Sequence[KindChoice], time_zone: str) -> list[Proposal]:
    """Build the proposals of these choices, each with the fragments that belong to it."""
    where = _where(choices)
    proposals: list[ScoredProposal] = []
    for number, choice in enumerate(choices):
        proposals.append(_telling(choice, where, time_zone))
        if number % CANDIDATES_PER_STEP == 0:
            await asyncio.sleep(0)
    return [proposal.proposal for proposal in deduplicate(proposals)]


def _where(choices: Sequence[KindChoice]) -> CoveredPlaces:
    places = [
        (choice.candidate, tuple(find_covered_places(choice.candidate))) for choice in choices
    ]
    return CoveredPlaces(
        at_all=frozenset(place for _, its in places for place in its),
        as_pieces=frozenset(
            place for proposal, its in places if not proposal.by_rules for place in its
        ),
        apart=frozenset(
            place
            for proposal, its in places
            if proposal.origin is Origin.ATTRIBUTED
            for place in its
        ),
    )


def _telling(choice: KindChoice, where: CoveredPlaces, time_zone: str) -> ScoredProposal:
    own = frozenset(find_covered_places(choice.candidate))
    candidate_proposal = extend_over_adjacent(choice.candidate, own, where)
    proposal = build_as_kind(candidate_proposal, choice.kind, time_zone)
    behind = find_following_fragments(candidate_proposal, own, where)
    return ScoredProposal(
        candidate_proposal,
        add_fragments(proposal, candidate_proposal.parsed, behind),
        choice.probability,
    )


def _is_like_those_learnt_from(message: ParsedMessage) -> bool:
    return len(message.written) <= MAX_MESSAGE_CHARACTERS and not message.teller.listeners
