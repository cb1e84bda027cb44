"""Which of what was found is worth ranking: the gate, with what it has to be told."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from palimpsest_server.domain.ranking.match_pool import SearchMatch
from palimpsest_server.domain.ranking.relevance_gate import Gate, select_compared_finds
from palimpsest_server.domain.ranking.term_overlap import TermOverlap, measure_overlap
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder
from palimpsest_server.stores.vectors import VectorHit, VectorStore
from services.recall.answer import match_of
from services.recall.question import Question
from services.recall.topic_hits import led_by_themes, opened, standing


@dataclass(frozen=True)
class Admitted:
    matches: list[SearchMatch]
    margin: float | None
    """By how much the gate was open; None where nothing was found."""


async def admitted(
    question: Question,
    gate: Gate,
    hits: Iterable[VectorHit],
    vectors: VectorStore,
    asked: Collection[str] = (),
    bounding: Iterable[VectorHit] = (),
) -> Admitted:
    """The finds that the gate lets through: all of them where nothing but their time is asked for.

    Those of the ids in `asked` pass whatever the gate: they are what is asked for. Memories that
    were found by the question's themes (`bounding`) are let in and count as nearer, once it is open.

    Raises:
        TransientError: the projection is not to be had.
    """
    found = {hit.id: hit for hit in hits}
    matches = [match_of(hit) for hit in found.values()]
    if question.of_its_times:
        return Admitted(matches, None)
    shared = await _overlap(question, matches, found, vectors)

    def margin(*, other_script: bool = False) -> float | None:
        return gate.margin(
            matches,
            words=question.words,
            overlap=shared,
            question=question.vectors.dense,
            other_script=other_script,
        )

    by_how_much = margin()
    # Asked only of what would be refused, for it is to be read apart.
    if by_how_much is not None and by_how_much < 0 and gate.judges_across_scripts:
        other_script = await _in_other_script(question, matches, found, vectors)
        by_how_much = margin(other_script=other_script)
    stand = standing(bounding)
    near = {match.id: match for match in gate.admit(matches, by_how_much)}
    # What a theme opens it to is what stands in the theme, and nothing besides.
    by_how_much = opened(question, gate, by_how_much, stand)
    if by_how_much is not None and by_how_much >= 0:
        near = led_by_themes(question, gate, matches, near, stand)
    near = {match.id: match for match in matches if match.id in asked} | near
    if question.asks_who and question.rarities is None:
        # All that it says is a name: however often that was said, what has it is of whoever is meant.
        near = {match.id: match for match in matches if match.lexical} | near
    return Admitted(list(near.values()), by_how_much)


async def _in_other_script(
    question: Question,
    matches: list[SearchMatch],
    found: Mapping[str, VectorHit],
    vectors: VectorStore,
) -> bool:
    """Whether the nearest find is Chinese and the question is not, or the other way round."""
    nearest = max(matches, key=lambda one: one.cosine or -1.0).id
    terms = await vectors.terms({nearest: found[nearest].scope})
    chinese = question.rarities is not None
    return nearest in terms and get_sparse_encoder().is_chinese(terms[nearest]) is not chinese


async def _overlap(
    question: Question,
    matches: list[SearchMatch],
    found: Mapping[str, VectorHit],
    vectors: VectorStore,
) -> TermOverlap | None:
    if question.rarities is None:
        return None
    terms = await vectors.terms({one: found[one].scope for one in select_compared_finds(matches)})
    return measure_overlap(question.rarities, terms)
