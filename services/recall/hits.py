"""What several searches found, as one; and which of it comes first whatever its score."""

from collections.abc import Iterable, Mapping, Sequence

from palimpsest.api.recall import RecordType
from palimpsest.model.memory import Memory
from palimpsest_server.domain.ranking.policies.summary_selection import SUMMARIES_ON_REQUEST
from palimpsest_server.domain.ranking.ranking_features import extract_memory_features
from palimpsest_server.domain.ranking.score import RankedCandidate
from palimpsest_server.stores.vectors import VectorHit


def record_of(identity: str, finds: Mapping[str, VectorHit]) -> RecordType:
    """What was not found itself took the place of a memory, and so is one."""
    return finds[identity].record if identity in finds else RecordType.MEMORY


def united(answers: Iterable[Sequence[VectorHit]]) -> list[VectorHit]:
    """Each find once, with the scores that any of the searches gave it: they agree."""
    found: dict[str, VectorHit] = {}
    for hit in (hit for hits in answers for hit in hits):
        known = found.get(hit.id)
        found[hit.id] = (
            hit
            if known is None
            else known._replace(
                cosine=hit.cosine if known.cosine is None else known.cosine,
                lexical=hit.lexical if known.lexical is None else known.lexical,
            )
        )
    return list(found.values())


def with_read(hits: Sequence[VectorHit], read: Mapping[str, Memory]) -> Sequence[VectorHit]:
    """What the search found, and of these memories those that it did not."""
    found = {hit.id for hit in hits}
    return [
        *(as_read(hit, read) for hit in hits),
        *(
            VectorHit(
                id=one.id,
                record=RecordType.MEMORY,
                scope=one.scope,
                session_id=None,
                sequence=None,
                cosine=None,
                lexical=None,
                signs=extract_memory_features(one),
            )
            for one in read.values()
            if one.id not in found
        ),
    ]


def as_read(hit: VectorHit, read: Mapping[str, Memory]) -> VectorHit:
    """The find by its document, where that was read: what was restored is projected a little later."""
    memory = read.get(hit.id)
    if memory is None:
        return hit
    return hit._replace(status=memory.status, signs=extract_memory_features(memory))


def summaries_first(
    ranked: Sequence[RankedCandidate], finds: Mapping[str, VectorHit]
) -> list[RankedCandidate]:
    """The three best summaries, then everything else as it stood."""
    first = [
        one
        for one in ranked
        if one.contender.id in finds and finds[one.contender.id].record is RecordType.SUMMARY
    ][:SUMMARIES_ON_REQUEST]
    return [*first, *(one for one in ranked if one not in first)]


def memories_first(
    ranked: Sequence[RankedCandidate], finds: Mapping[str, VectorHit]
) -> list[RankedCandidate]:
    """What lies in a time: what is remembered of it, then its talks, then what was said in them."""
    order = {RecordType.MEMORY: 0, RecordType.SUMMARY: 1, RecordType.TURN: 2}
    return sorted(ranked, key=lambda one: order[record_of(one.contender.id, finds)])
