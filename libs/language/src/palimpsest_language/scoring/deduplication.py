"""Deduplicates proposals: those in the same words, and parts of longer ones.

Chinese leaves out what was said before: “是隔壁健身房的教练”, “明年四月考” and “但是不吃香菜” are
clear in their place, and mean nothing to a reader who meets them alone.
"""

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from palimpsest_language.proposals import Proposal
from palimpsest_language.scoring.candidate_proposals import CandidateProposal, Origin
from palimpsest_language.statements.clause_judgement import ClauseWorth
from palimpsest_language.time_expressions.time_removal import remove_time_words
from palimpsest_language.wording.normalization import normalize_wording

_APOSTROPHE = re.compile(r"['’]")
_OPENS = re.compile(r"^(?:(?:also|and|then|just|so|plus|oh|the user|user|they|we|i) )+")
_SPEAKER = (
    (re.compile(r"\b(?:the users|their|our)\b"), "my"),
    (re.compile(r"\b(?:the user|they|them|we|us|me)\b"), "i"),
)

_LEANS = re.compile(
    r"^(?:是|但是?|可是|都|也|还|就|想|才|只|又|现在在|[大小]的|在(?![\u4e00-\u9fff]{0,6}(?:工作|上班|住|读))"
    r"|(?:[一二三四五六七八九十两几0-9]+|明|今|后|去)[天年月号点])"
)

"""A beginning that continues the words before it."""
_WHAT_WAS_NAMED = re.compile(r"公司|单位|厂|店|学校|房子|小区|那边|这边|里面")
_SHORT = 6
_LEAST = 4
"""The least characters of a statement of its own."""


@dataclass(frozen=True)
class ScoredProposal:
    candidate: CandidateProposal
    proposal: Proposal
    probability: float

    @cached_property
    def words(self) -> str:
        return normalize_wording(self.proposal.content)

    @cached_property
    def said(self) -> tuple[int, str]:
        """The message and the words, without the speaker's name: equal for repetitions.

        “Also booked the dentist” is “The user booked the dentist”, and “shes a nurse” is “she's a
        nurse”.
        """
        plain = normalize_wording(_APOSTROPHE.sub("", self.proposal.content))
        for pattern, speaker in _SPEAKER:
            plain = pattern.sub(speaker, plain)
        return id(self.candidate.parsed), _OPENS.sub("", plain)


def deduplicate(told: Sequence[ScoredProposal]) -> list[ScoredProposal]:
    """Return the proposals without repetitions, in their order.

    Of several in the same words, the one that a rule parsed stays, or the likeliest. "Tomorrow" on
    two days means two days.
    """
    meant = {
        (id(proposal.candidate.parsed), proposal.words): proposal.proposal.time_meant
        for proposal in told
        if proposal.proposal.time_meant is not None
    }
    different = [
        max(same, key=_worth)
        for same in _alike(
            told,
            lambda proposal: (
                proposal.words,
                meant.get((id(proposal.candidate.parsed), proposal.words)),
            ),
        )
    ]
    best = {
        id(max(same, key=_worth)): same
        for same in _alike(different, lambda proposal: proposal.said)
    }
    chosen = [
        _named_alike(scored_proposal, best[id(scored_proposal)])
        for scored_proposal in told
        if id(scored_proposal) in best and not _is_bare(scored_proposal)
    ]
    return [
        proposal for proposal in chosen if not any(_is_told_by(other, proposal) for other in chosen)
    ]


def _alike(
    told: Sequence[ScoredProposal], by: Callable[[ScoredProposal], Hashable]
) -> list[list[ScoredProposal]]:
    alike: dict[Hashable, list[ScoredProposal]] = {}
    for scored_proposal in told:
        alike.setdefault(by(scored_proposal), []).append(scored_proposal)
    return list(alike.values())


def _named_alike(proposal: ScoredProposal, same: Sequence[ScoredProposal]) -> ScoredProposal:
    """Return the proposal in words that name its subject, if a repetition has such words."""
    if proposal.proposal.subject is not None or proposal.proposal.kind.properties.is_said_by_agents:
        return proposal
    named = (other.proposal for other in same if other.proposal.subject is not None)
    wording = next(named, None)
    if wording is None:
        return proposal
    words = {"content": wording.content, "subject": wording.subject}
    return replace(proposal, proposal=proposal.proposal.model_copy(update=words))


def _worth(proposal: ScoredProposal) -> tuple[bool, bool, float]:
    sure = proposal.candidate.origin in (Origin.ATTRIBUTED, Origin.RULED)
    return sure, not proposal.candidate.by_rules, proposal.probability


def _is_told_by(other: ScoredProposal, proposal: ScoredProposal) -> bool:
    return _is_within(proposal, other) or _leans_on(proposal, other)


def _is_bare(proposal: ScoredProposal) -> bool:
    """Tell whether nothing is said of a person or a time: 班主任, 明年12月考."""
    if not _is_chinese_piece(proposal):
        return False
    words, time = proposal.candidate.text, proposal.proposal.time
    left = remove_time_words(words, time) if time else words
    return len(left.strip()) < (2 if time else _LEAST)


def _leans_on(proposal: ScoredProposal, other: ScoredProposal) -> bool:
    """Tell whether a short or continuing fragment is also part of the other proposal."""
    text = proposal.candidate.text
    if (
        proposal is other
        or not _is_chinese_piece(proposal)
        or proposal.candidate.parsed is not other.candidate.parsed
    ):
        return False
    if _describes_what_a_rule_took_apart(proposal, other):
        return True
    if len(text) > _SHORT and not _LEANS.match(text):
        return False
    return any(text in quote.quote and text != quote.quote for quote in other.proposal.evidence)


def _describes_what_a_rule_took_apart(proposal: ScoredProposal, other: ScoredProposal) -> bool:
    """Tell whether a fragment describes what a rule's fact names: 公司不大，十来个人."""
    describes = proposal.candidate.pieces[0].judged.worth is ClauseWorth.PIECE
    taken_apart = other.candidate.by_rules and other.proposal.attribute is not None
    describes = describes and _WHAT_WAS_NAMED.match(proposal.candidate.text) is not None
    return describes and taken_apart and proposal.candidate.text in other.proposal.content


def _is_chinese_piece(proposal: ScoredProposal) -> bool:
    pieces = proposal.candidate.pieces
    return not proposal.candidate.by_rules and bool(pieces) and pieces[0].judged.chinese


def _is_within(proposal: ScoredProposal, other: ScoredProposal) -> bool:
    """Tell whether another proposal of the same kind and subject has taken the fragment along."""
    return (
        not (proposal.candidate.by_rules or other.candidate.by_rules)
        and proposal.candidate.parsed is other.candidate.parsed
        and (proposal.proposal.kind, proposal.proposal.subject)
        == (other.proposal.kind, other.proposal.subject)
        and len(proposal.proposal.content) < len(other.proposal.content)
        and proposal.candidate.text in other.candidate.text
    )
