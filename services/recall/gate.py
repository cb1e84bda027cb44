"""Admits the hits that are relevant enough to be ranked."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from palimpsest.model.value_types import UnitInterval
from palimpsest_language.question_intents.attribute_questions import RELATION_ATTRIBUTES
from palimpsest_server.domain.ranking.match_pool import SearchMatch, TurnPosition
from palimpsest_server.domain.ranking.relevance_gate import Gate, select_compared_finds
from palimpsest_server.domain.ranking.term_overlap import TermOverlap, measure_overlap
from palimpsest_server.domain.ranking.topic_constraints import (
    TopicMatch,
    measure_topic_opening,
    promote,
)
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder
from palimpsest_server.stores.vectors import VectorHit, VectorStore
from services.recall.question import Question


@dataclass(frozen=True)
class AdmittedHits:
    matches: list[SearchMatch]
    margin: float | None
    """Distance from the threshold: open from 0 on; None if nothing was found."""
    relevance: Mapping[str, UnitInterval] = field(default_factory=dict)
    """The relevance of each match by its id."""


async def admit_hits(
    question: Question,
    gate: Gate,
    hits: Iterable[VectorHit],
    vectors: VectorStore,
    *,
    answering: Collection[str] = (),
    topical: Iterable[VectorHit] = (),
) -> AdmittedHits:
    """Return the hits that pass the gate; all of them if the question only names times.

    Args:
        question: the question.
        gate: the gate of the embedding model in use.
        hits: hits near to the question.
        vectors: read for the terms of hits, if these decide.
        answering: ids of memories of the attribute in question; they always pass.
        topical: memories found by the question's topics. Once the gate is open they pass, and count
            as
            nearer.

    Raises:
        TransientError: the projection is not available.
    """
    by_id = {hit.id: hit for hit in hits}
    matches = [_to_match(hit) for hit in by_id.values()]
    if question.is_within_times:
        return AdmittedHits(matches, None)
    overlap = await _measure_overlap(question, matches, by_id, vectors)
    margin = await _measure_margin(question, gate, matches, by_id, vectors, overlap)
    topic_matches = {hit.id: TopicMatch(hit.cosine, hit.lexical) for hit in topical}
    admitted = {match.id: match for match in gate.admit(matches, margin)}
    # A gate opened by a topic admits only memories of that topic.
    margin = _open_by_topic(question, gate, margin, topic_matches)
    if margin is not None and margin >= 0:
        admitted = _promote_topical(question, gate, matches, admitted, topic_matches)
    admitted = {match.id: match for match in matches if match.id in answering} | admitted
    if _asks_who(question) and not question.terms.is_chinese:
        # The question only holds a name. However common the name, texts with it are about that
        # person.
        admitted = {match.id: match for match in matches if match.lexical} | admitted
    near = sum(match.cosine is not None for match in matches)
    relevance = gate.measure_relevance(admitted.values(), among=near, overlap=overlap)
    # Memories of the attribute in question answer it, in whatever words.
    relevance |= {identity: 1.0 for identity in answering if identity in admitted}
    return AdmittedHits(list(admitted.values()), margin, relevance)


def _to_match(hit: VectorHit) -> SearchMatch:
    place = None
    if hit.session_id is not None and hit.sequence is not None:
        place = TurnPosition(hit.session_id, hit.sequence)
    features = hit.features
    return SearchMatch(
        hit.id, hit.cosine, hit.lexical, place, features.stated_length, features.at or 0
    )


def _asks_who(question: Question) -> bool:
    """Return whether the question only asks who somebody is."""
    attribute = question.attribute
    return attribute is not None and attribute.attributes == RELATION_ATTRIBUTES


async def _measure_margin(
    question: Question,
    gate: Gate,
    matches: Sequence[SearchMatch],
    hits: Mapping[str, VectorHit],
    vectors: VectorStore,
    overlap: TermOverlap | None,
) -> float | None:
    def measure(*, other_script: bool) -> float | None:
        return gate.margin(
            matches,
            words=question.terms.word_count,
            overlap=overlap,
            question=question.terms.vectors.dense,
            other_script=other_script,
        )

    margin = measure(other_script=False)
    if margin is None or margin >= 0 or not gate.judges_across_scripts:
        return margin
    # Checked only before a refusal, because it costs a read.
    return measure(other_script=await _is_in_other_script(question, matches, hits, vectors))


async def _is_in_other_script(
    question: Question,
    matches: Sequence[SearchMatch],
    hits: Mapping[str, VectorHit],
    vectors: VectorStore,
) -> bool:
    """Return whether the nearest hit is Chinese and the question is not, or the reverse."""
    nearest = max(matches, key=lambda match: match.cosine or -1.0).id
    terms = await vectors.terms({nearest: hits[nearest].scope})
    if nearest not in terms:
        return False
    return get_sparse_encoder().is_chinese(terms[nearest]) is not question.terms.is_chinese


async def _measure_overlap(
    question: Question,
    matches: Sequence[SearchMatch],
    hits: Mapping[str, VectorHit],
    vectors: VectorStore,
) -> TermOverlap | None:
    rarities = question.terms.rarities
    if rarities is None:
        return None
    compared = select_compared_finds(matches)
    return measure_overlap(
        rarities, await vectors.terms({identity: hits[identity].scope for identity in compared})
    )


def _open_by_topic(
    question: Question,
    gate: Gate,
    margin: float | None,
    topic_matches: Mapping[str, TopicMatch],
) -> float | None:
    """Return the margin of the topic if it opens the gate and the hits do not; otherwise `margin`."""
    topic = question.topic_query
    if topic is None or margin is None or margin >= 0:
        return margin
    plausibility = gate.measure_plausibility(question.terms.vectors.dense)
    by_topic = measure_topic_opening(plausibility, topic_matches.values(), topic.directions)
    return margin if by_topic is None or by_topic < 0 else by_topic


def _promote_topical(
    question: Question,
    gate: Gate,
    matches: Collection[SearchMatch],
    admitted: Mapping[str, SearchMatch],
    topic_matches: Mapping[str, TopicMatch],
) -> dict[str, SearchMatch]:
    topic = question.topic_query
    if topic is None:
        return dict(admitted)
    spread = gate.calibration.spread
    promoted = promote(matches, admitted, topic_matches, topic.directions, spread)
    return {match.id: match for match in promoted}
