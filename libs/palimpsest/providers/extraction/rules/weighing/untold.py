"""What stands beside a piece and is told by nothing: “sourdough class at 2, 65 bucks, 8 seats”."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from palimpsest.domain.writing import has_chinese
from palimpsest.providers.extraction.rules.statements.stating import words_in
from palimpsest.providers.extraction.rules.weighing.pieces import Heard, Piece
from palimpsest.providers.extraction.rules.weighing.possible import Possible, Way

MOST = 3
"""Pieces that one takes along."""
_FEW_WORDS, _FEW_CHARACTERS = 8, 20
"""Of each; who says more says a thing of its own, kept or not."""

Place = tuple[int, int]
"""A message by its number, and a piece of it."""


def places_of(one: Possible) -> Iterator[Place]:
    if one.heard is not None:
        for piece in one.pieces:
            yield one.heard.message.number, piece.place


def over_untold(one: Possible, told: Collection[Place]) -> Possible:
    """A piece, its text reaching over those beside it in its sentence that are not `told`."""
    if one.by_rules or one.way is Way.CLAUSE or one.heard is None:
        return one
    piece = one.pieces[0]
    first, *_ = (*reversed(_untold(one.heard, piece, told, step=-1)), piece)
    *_, last = (piece, *_untold(one.heard, piece, told, step=1))
    text = None if first is last else _stretch(one.heard, first, last)
    if text is None:
        return one
    return replace(one, text=text, pieces=(replace(piece, text=text), *one.pieces[1:]))


def untold_behind(one: Possible, told: Collection[Place]) -> tuple[Piece, ...]:
    """The pieces right behind a statement of the rules that are not `told`."""
    if one.way is not Way.STATED or one.heard is None or not one.pieces:
        return ()
    return tuple(_untold(one.heard, one.pieces[-1], told, step=1))


def _untold(said: Heard, piece: Piece, told: Collection[Place], *, step: int) -> list[Piece]:
    """From the piece on forwards or backwards, the nearest first."""
    found: list[Piece] = []
    for place in range(piece.place + step, piece.place + step * (MOST + 1), step):
        if not 0 <= place < len(said.pieces) or (said.message.number, place) in told:
            break
        if not _goes_along(said.pieces[place], piece):
            break
        found.append(said.pieces[place])
    return found


def _goes_along(other: Piece, piece: Piece) -> bool:
    if not other.is_open or other.judged.clause.sentence != piece.judged.clause.sentence:
        return False
    few = _FEW_CHARACTERS if has_chinese(other.text) else _FEW_WORDS
    return words_in(other.text) <= few


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
