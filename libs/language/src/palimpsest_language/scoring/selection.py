"""Select the proposals to make: a decision over probabilities. Pure.

- What a rule has taken apart, with attribute and value, stays as it is.
- What it kept in its own words goes where a reader would hardly have kept it,
  and takes another kind that fits better.
- A piece of what is proposed stands for itself where there are several such in it:
  of one alone nothing is said that the whole does not say.
- What the rules left is proposed where a reader would surely have kept it: a clause
  as a whole, where no two pieces of it stand for themselves.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.model.kinds import Kind
from palimpsest_language.proposals import Proposal
from palimpsest_language.scoring.candidate_proposals import (
    SCORED_KINDS,
    CandidateProposal,
    Origin,
    rests_on_fragment,
)
from palimpsest_language.scoring.fragments import ParsedMessage
from palimpsest_language.scoring.weights import KindProbabilities
from palimpsest_language.statements.uncued_statements import count_words

MIN_KEPT_PROBABILITY = 0.3
"""The least probability of a proposal of the rules. Chosen on dialogues of held-out authors."""
MIN_ADDED_PROBABILITY = 0.7
MIN_PART_PROBABILITY = 0.6
"""The least probability of a part of a proposal, which says less than the whole."""
MIN_SHORT_PROBABILITY = 0.7
"""The least probability of a few words, which mean little to an outsider."""
_FEW_WORDS = 3
_REMINDS = re.compile(r"\bremind me\b|提醒我", re.IGNORECASE)

_FITTING = 0.3
"""The weight of 'a reader would name this kind', beside 'a reader would keep it'."""
_RULE_KIND_BONUS = 0.3
"""The advantage of the kind that a rule gives over other kinds."""


@dataclass(frozen=True)
class SelectionThresholds:
    stays_from: float = MIN_KEPT_PROBABILITY
    added_from: float = MIN_ADDED_PROBABILITY
    part_from: float = MIN_PART_PROBABILITY
    few_from: float = MIN_SHORT_PROBABILITY


@dataclass(frozen=True)
class KindChoice:
    candidate: CandidateProposal
    kind: Kind
    probability: float


def choose_kind(proposal: CandidateProposal, weighed: KindProbabilities) -> KindChoice:
    """Choose the most probable kind of those that a candidate may have."""
    may_be = proposal.kinds
    if proposal.is_asked_for:
        return KindChoice(proposal, may_be[0], 1.0)
    best: tuple[float, int] | None = None
    for column, kind in enumerate(SCORED_KINDS):
        if kind not in may_be:
            continue
        own = proposal.proposal is not None and proposal.proposal.kind is kind
        worth = weighed.right[column] + _FITTING * weighed.fitting[column] + _RULE_KIND_BONUS * own
        if best is None or worth > best[0]:
            best = worth, column
    if best is None:
        return KindChoice(proposal, may_be[0], 1.0)
    return KindChoice(proposal, SCORED_KINDS[best[1]], weighed.right[best[1]])


def select_choices(choices: Sequence[KindChoice], at: SelectionThresholds) -> list[KindChoice]:
    """Return the choices to propose, in their order."""
    ruled = [choice for choice in choices if choice.candidate.by_rules and _stays(choice, at)]
    likely = [
        choice for choice in choices if not choice.candidate.by_rules and _is_likely(choice, at)
    ]
    pieces = [choice for choice in likely if choice.candidate.origin is not Origin.CLAUSE]
    wholes = [choice for choice in likely if choice.candidate.origin is Origin.CLAUSE]
    added = [
        choice
        for choice in likely
        if (
            _is_one_of_several(choice, pieces, ruled, wholes)
            if choice.candidate.origin is not Origin.CLAUSE
            else len(_of_its_clause(choice, pieces)) < 2
        )
    ]
    return [*ruled, *added]


def _stays(choice: KindChoice, at: SelectionThresholds) -> bool:
    if not choice.candidate.may_change_kind or choice.probability >= at.stays_from:
        return True
    return choice.candidate.proposal is not None and _was_asked_for(choice.candidate.proposal)


def _was_asked_for(proposal: Proposal) -> bool:
    """Tell whether somebody asked to be reminded of it, or agreed to it: then it is meant."""
    quotes = (quote.quote for quote in proposal.evidence)
    if proposal.kind is Kind.ACTION_ITEM and any(map(_REMINDS.search, quotes)):
        return True
    messages = {quote.message for quote in proposal.evidence}
    return proposal.kind is Kind.DECISION and len(messages) > 1


def _is_likely(choice: KindChoice, at: SelectionThresholds) -> bool:
    if count_words(choice.candidate.text) <= _FEW_WORDS:
        return choice.probability >= at.few_from
    return choice.probability >= (
        at.part_from if choice.candidate.origin is Origin.PART else at.added_from
    )


def _is_one_of_several(
    choice: KindChoice,
    pieces: Sequence[KindChoice],
    ruled: Sequence[KindChoice],
    wholes: Sequence[KindChoice],
) -> bool:
    resting = [kind_choice for kind_choice in ruled if _rests(kind_choice, choice)]
    if any(kind_choice.candidate.is_asked_for for kind_choice in resting):
        return False
    if resting:
        return any(
            sum(_rests(kind_choice, other) for other in pieces) > 1 for kind_choice in resting
        )
    if _of_its_clause(choice, wholes):
        return len(_of_its_clause(choice, pieces)) > 1
    return True


def _rests(ruled: KindChoice, piece: KindChoice) -> bool:
    proposal, said = ruled.candidate.proposal, piece.candidate.parsed
    if proposal is None or said is None:
        return False
    return rests_on_fragment(proposal, piece.candidate.pieces[0], said.message.number)


def _of_its_clause(choice: KindChoice, others: Sequence[KindChoice]) -> list[KindChoice]:
    clause, said = choice.candidate.pieces[0].judged.clause, choice.candidate.parsed
    return [other for other in others if _stands_in(other, clause, said)]


def _stands_in(choice: KindChoice, clause: object, said: ParsedMessage | None) -> bool:
    return choice.candidate.parsed is said and choice.candidate.pieces[0].judged.clause == clause
