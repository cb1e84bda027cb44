"""Which of what was found is worth ranking: the gate, with what it has to be told."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from palimpsest.domain.ranking.gate import Gate, looked_at
from palimpsest.domain.ranking.overlap import Overlap, overlap
from palimpsest.domain.ranking.pool import Match
from palimpsest.stores.vectors import VectorHit, VectorStore
from services.recall.answer import match_of
from services.recall.asking import Question


@dataclass(frozen=True)
class Admitted:
    matches: list[Match]
    margin: float | None
    """By how much the gate was open; None where nothing was found."""


async def admitted(
    question: Question,
    gate: Gate,
    hits: Iterable[VectorHit],
    vectors: VectorStore,
    asked: Collection[str] = (),
) -> Admitted:
    """The finds that the gate lets through, and those of these ids: they are what is asked for.

    Raises:
        TransientError: the projection is not to be had.
    """
    found = {hit.id: hit for hit in hits}
    matches = [match_of(hit) for hit in found.values()]
    shared = await _overlap(question, matches, found, vectors)
    margin = gate.margin(
        matches, words=question.words, overlap=shared, question=question.vectors.dense
    )
    near = {match.id: match for match in gate.admit(matches, margin)}
    near |= {match.id: match for match in matches if match.id in asked}
    return Admitted(list(near.values()), margin)


async def _overlap(
    question: Question,
    matches: list[Match],
    found: Mapping[str, VectorHit],
    vectors: VectorStore,
) -> Overlap | None:
    if question.rarities is None:
        return None
    terms = await vectors.terms({one: found[one].scope for one in looked_at(matches)})
    return overlap(question.rarities, terms)
