"""What stands beside a piece and belongs to it: “sourdough class at 2, 65 bucks, 8 seats”.

It takes along the few words beside it that nothing tells, and those behind it whoever else
tells them, for they say little without it: also those that begin the next sentence (“five km.”).
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from palimpsest.domain.writing import has_chinese
from palimpsest.providers.extraction.provider import Proposal
from palimpsest.providers.extraction.rules.statements.judged import Worth
from palimpsest.providers.extraction.rules.statements.stating import words_in
from palimpsest.providers.extraction.rules.weighing.pieces import Heard, Piece
from palimpsest.providers.extraction.rules.weighing.possible import Possible, Way, rests_on

MOST = 3
"""Pieces that one takes along, to either side."""

Place = tuple[int, int]
"""A message by its number, and a piece of it."""


@dataclass(frozen=True)
class Length:
    words: int
    characters: int
    """Of Chinese."""

    def holds(self, text: str) -> bool:
        return words_in(text) <= (self.characters if has_chinese(text) else self.words)


FEW = Length(8, 16)
"""Who says more says a thing of its own. Chosen on dialogues of authors left out."""
VERY_FEW = Length(5, 10)
_FIGURE = re.compile(
    r"\d|[一二三四五六七八九十两]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE
)


def places_of(one: Possible) -> Iterator[Place]:
    """The pieces of its message that it tells, all its quotes considered."""
    if one.heard is None:
        return
    number = one.heard.message.number
    for piece in one.heard.pieces:
        if piece in one.pieces or (one.proposal and rests_on(one.proposal, piece, number)):
            yield number, piece.place


def over_those_beside(one: Possible, own: Collection[Place], told: Collection[Place]) -> Possible:
    """A piece, its text reaching over those beside it.

    `own` are the places that it tells itself, `told` those that stand for themselves.
    """
    if one.by_rules or one.way is Way.CLAUSE or one.heard is None:
        return one
    piece = one.pieces[0]
    first, *_ = (*reversed(_beside(one.heard, piece, own, told, step=-1)), piece)
    *_, last = (piece, *_beside(one.heard, piece, own, told, step=1))
    text = None if first is last else _stretch(one.heard, first, last)
    if text is None:
        return one
    return replace(one, text=text, pieces=(replace(piece, text=text), *one.pieces[1:]))


def those_behind(
    one: Possible, own: Collection[Place], told: Collection[Place]
) -> tuple[Piece, ...]:
    """The pieces that a statement of the rules takes along."""
    if one.way is not Way.STATED or one.heard is None or not one.pieces:
        return ()
    last = max(place for _, place in own)
    return tuple(_beside(one.heard, one.heard.pieces[last], own, told, step=1))


def without_those_within(
    told: Sequence[tuple[Possible, Proposal]],
) -> list[Proposal]:
    """A piece that another of its kind and subject has taken along is not told once more."""
    return [each[1] for each in told if not any(_is_within(each, other) for other in told)]


def _is_within(one: tuple[Possible, Proposal], other: tuple[Possible, Proposal]) -> bool:
    (piece, proposal), (larger, wider) = one, other
    return (
        not (piece.by_rules or larger.by_rules)
        and piece.heard is larger.heard
        and (proposal.kind, proposal.subject) == (wider.kind, wider.subject)
        and len(proposal.content) < len(wider.content)
        and piece.text in larger.text
    )


def _beside(
    said: Heard, piece: Piece, own: Collection[Place], told: Collection[Place], *, step: int
) -> list[Piece]:
    """From the piece on forwards or backwards, the nearest first."""
    found: list[Piece] = []
    for at in range(piece.place + step, piece.place + step * (MOST + 1), step):
        place = (said.message.number, at)
        if not 0 <= at < len(said.pieces) or place in own:
            break
        other = said.pieces[at]
        if place in told and (step < 0 or _is_another_thing(other, piece)):
            break
        if not (_goes_along(other, piece) or (step > 0 and _adds_to_it(other))):
            break
        found.append(other)
    return found


def _is_another_thing(other: Piece, piece: Piece) -> bool:
    """“Yoga on saturdays, pottery on the 8th”: of two that both say when or how many, each does."""
    both_exact = all(_FIGURE.search(each.text) for each in (other, piece))
    return not (VERY_FEW if both_exact else FEW).holds(other.text)


def _goes_along(other: Piece, piece: Piece) -> bool:
    same_sentence = other.judged.clause.sentence == piece.judged.clause.sentence
    return other.is_open and same_sentence and FEW.holds(other.text)


def _adds_to_it(other: Piece) -> bool:
    return other.is_open and other.judged.worth is not Worth.NOTHING and FEW.holds(other.text)


def _stretch(said: Heard, first: Piece, last: Piece) -> str | None:
    """Verbatim, marks and all; None where the pieces cannot be found in their order."""
    begins = end = at = 0
    for piece in said.pieces[: last.place + 1]:
        at = said.written.find(piece.text, end)
        if at < 0:
            return None
        begins = at if piece.place == first.place else begins
        end = at + len(piece.text)
    return said.written[begins:end]
