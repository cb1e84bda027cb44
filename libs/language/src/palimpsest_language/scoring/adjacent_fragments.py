"""Fragments beside a proposal that belong to it: “sourdough class at 2, 65 bucks, 8 seats”.

A proposal takes along short fragments beside it that no other proposal holds. Those behind it are
taken even if another holds them, because they say little without it: also at the start of the next
sentence (“five km.”).
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest_language.clauses.brackets import balance_brackets
from palimpsest_language.scoring.candidate_proposals import (
    CandidateProposal,
    Origin,
    rests_on_fragment,
)
from palimpsest_language.scoring.fragments import Fragment, ParsedMessage
from palimpsest_language.statements.clause_judgement import ClauseJudgement, ClauseWorth
from palimpsest_language.statements.people import CHINESE_TITLES
from palimpsest_language.statements.uncued_statements import count_words

MAX_ADJACENT_FRAGMENTS = 3
"""The most fragments that a proposal takes along, on either side."""

FragmentPlace = tuple[int, int]
"""A message by its number, and a fragment of it."""


@dataclass(frozen=True)
class FragmentLength:
    words: int
    characters: int
    """The most Chinese characters of a fragment."""

    def holds(self, text: str) -> bool:
        return count_words(text) <= (self.characters if has_chinese(text) else self.words)


SHORT_FRAGMENT = FragmentLength(8, 16)
"""The longest short fragment; a longer one says a thing of its own. Chosen on dialogues of held-out
authors.
"""
VERY_SHORT_FRAGMENT = FragmentLength(5, 10)
_FIGURE = re.compile(
    r"\d|[一二三四五六七八九十两]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE
)


_NAMES_ITS_OWN = re.compile(rf"我(?:家|的)?(?:{CHINESE_TITLES})(?!.{{0,3}}[说让叫喊])")
"""我爸开了家五金店, behind 我妈是小学老师: a fragment about another person stands by itself."""


def find_covered_places(proposal: CandidateProposal) -> Iterator[FragmentPlace]:
    """Yield the fragments of its message that the candidate covers, by all its quotes."""
    if proposal.parsed is None:
        return
    number = proposal.parsed.message.number
    for piece in proposal.parsed.pieces:
        if piece in proposal.pieces or (
            proposal.proposal and rests_on_fragment(proposal.proposal, piece, number)
        ):
            yield number, piece.place


@dataclass(frozen=True)
class CoveredPlaces:
    """The places in the text that proposals cover."""

    at_all: Collection[FragmentPlace]
    as_pieces: Collection[FragmentPlace]
    """Places covered by a fragment that is proposed by itself."""
    apart: Collection[FragmentPlace] = frozenset()
    """Places covered by a fact of a rule."""


def extend_over_adjacent(
    proposal: CandidateProposal, own: Collection[FragmentPlace], told: CoveredPlaces
) -> CandidateProposal:
    """Extend the text of a fragment over those beside it; `own` are the places that it covers."""
    if proposal.by_rules or proposal.origin is Origin.CLAUSE or proposal.parsed is None:
        return proposal
    piece = proposal.pieces[0]
    beside = partial(_beside, proposal.parsed, piece, own, told.as_pieces, told)
    first, *_ = (*reversed(beside(step=-1)), piece)
    *_, last = (piece, *beside(step=1))
    text = None if first is last else _stretch(proposal.parsed, first, last)
    if text is None:
        return proposal
    return replace(proposal, text=text, pieces=(replace(piece, text=text), *proposal.pieces[1:]))


def find_following_fragments(
    proposal: CandidateProposal, own: Collection[FragmentPlace], told: CoveredPlaces
) -> tuple[Fragment, ...]:
    """Return the fragments that a statement of the rules takes along."""
    if proposal.origin is not Origin.STATED or proposal.parsed is None or not proposal.pieces:
        return ()
    last = proposal.parsed.pieces[max(place for _, place in own)]
    return tuple(_beside(proposal.parsed, last, own, told.at_all, told, step=1))


def _beside(
    said: ParsedMessage,
    piece: Fragment,
    own: Collection[FragmentPlace],
    told: Collection[FragmentPlace],
    where: CoveredPlaces,
    *,
    step: int,
) -> list[Fragment]:
    """Return the fragments from this one on, forwards or backwards, nearest first."""
    found: list[Fragment] = []
    for at in range(piece.place + step, piece.place + step * (MAX_ADJACENT_FRAGMENTS + 1), step):
        place = (said.message.number, at)
        if not 0 <= at < len(said.pieces) or place in own:
            break
        other = said.pieces[at]
        if other.judged.is_apart_from(piece.judged):
            break
        if place in where.at_all and _is_told_apart(other.judged, piece.judged):
            break
        if place in where.at_all and _NAMES_ITS_OWN.match(other.text):
            break
        if place in where.apart and not other.judged.is_beside(piece.judged):
            break
        if place in told and (step < 0 or _is_another_thing(other, piece)):
            break
        if not (_goes_along(other, piece) or (step > 0 and _adds_to_it(other))):
            break
        found.append(other)
    return found


def _is_another_thing(other: Fragment, piece: Fragment) -> bool:
    """Tell whether a fragment says a thing of its own: “yoga on saturdays, pottery on the 8th”."""
    both_exact = all(_FIGURE.search(fragment.text) for fragment in (other, piece))
    return not (VERY_SHORT_FRAGMENT if both_exact else SHORT_FRAGMENT).holds(other.text)


def _goes_along(other: Fragment, piece: Fragment) -> bool:
    same_sentence = other.judged.is_beside(piece.judged)
    return other.is_open and same_sentence and SHORT_FRAGMENT.holds(other.text)


def _adds_to_it(other: Fragment) -> bool:
    return (
        other.is_open
        and other.judged.worth is not ClauseWorth.NOTHING
        and SHORT_FRAGMENT.holds(other.text)
    )


def _is_told_apart(other: ClauseJudgement, piece: ClauseJudgement) -> bool:
    """Tell whether a fragment behind a todo stands by itself: “I moved to Seattle last month”.

    Two todos are completed one by one.
    """
    if piece.kind is not Kind.ACTION_ITEM or other.is_beside(piece):
        return False
    stands_alone = other.worth is ClauseWorth.STATEMENT and other.pronoun is None
    return stands_alone and other.time is not None


def _stretch(said: ParsedMessage, first: Fragment, last: Fragment) -> str | None:
    """Return the text verbatim; None if the fragments are not found in order, or cut a bracket."""
    begins = end = at = 0
    for piece in said.pieces[: last.place + 1]:
        at = said.written.find(piece.text, end)
        if at < 0:
            return None
        begins = at if piece.place == first.place else begins
        end = at + len(piece.text)
    stretch = balance_brackets(said.written, begins, end)
    return said.written[slice(*stretch)] if stretch else None
