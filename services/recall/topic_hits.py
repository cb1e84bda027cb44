"""The memories that bound an answer: found by the themes of the question, and led to."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from palimpsest_server.domain.ranking.match_pool import SearchMatch
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.domain.ranking.topic_constraints import (
    TopicMatch,
    measure_topic_opening,
    promote,
)
from palimpsest_server.stores.vectors import VectorHit
from services.recall.question import Question


def standing(bounding: Iterable[VectorHit]) -> dict[str, TopicMatch]:
    """How the memories that were found by the themes of a question stand in them."""
    return {hit.id: TopicMatch(hit.cosine, hit.lexical) for hit in bounding}


def opened(
    question: Question, gate: Gate, margin: float | None, standing: Mapping[str, TopicMatch]
) -> float | None:
    """The margin of the gate; where it would refuse and a theme opens it, by how much that does."""
    if question.lead is None or margin is None or margin >= 0:
        return margin
    says = gate.says(question.vectors.dense)
    by_theme = measure_topic_opening(says, standing.values(), question.lead.directions)
    return margin if by_theme is None or by_theme < 0 else by_theme


def led_by_themes(
    question: Question,
    gate: Gate,
    matches: Collection[SearchMatch],
    admitted: Mapping[str, SearchMatch],
    standing: Mapping[str, TopicMatch],
) -> dict[str, SearchMatch]:
    """What was admitted, and the memories of its themes, which count as nearer."""
    if question.lead is None:
        return dict(admitted)
    spread = gate.calibration.spread
    nearer = promote(matches, admitted, standing, question.lead.directions, spread)
    return {match.id: match for match in nearer}


def with_bounding(hits: Sequence[VectorHit], bounding: Iterable[VectorHit]) -> list[VectorHit]:
    """All that was found, and what was found by the themes alone: without its scores, which are theirs."""
    found = {hit.id for hit in hits}
    alone = (hit for hit in bounding if hit.id not in found)
    return [*hits, *(hit._replace(cosine=None, lexical=None) for hit in alone)]
