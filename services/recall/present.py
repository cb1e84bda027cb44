"""What was ranked, as the answer shows it: with its evidence and what its score is made of."""

from palimpsest.api.recall import RecallResult, RecordType, ScoreParts
from palimpsest.model.memory import Evidence, Memory
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest_language.off_the_record.own_words import own_images, own_text, searched_text
from palimpsest_server.domain.pictures import collect_picture_references
from palimpsest_server.domain.ranking.match_pool import MatchPool
from palimpsest_server.domain.ranking.policies.memory_policy import PolicyScore
from palimpsest_server.domain.ranking.score import RankedCandidate
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments


def present_candidate(
    ranked: RankedCandidate, read: VisibleDocuments, parts: ScoreParts | None
) -> RecallResult:
    """What was ranked, as it was read: a memory, a summary or a turn."""
    identity, score = ranked.contender.id, ranked.score
    if identity in read.memories:
        return present_memory(read.memories[identity], score, parts)
    if identity in read.summaries:
        return present_summary(read.summaries[identity], score, parts)
    said = present_turn(read.turns[identity], score, parts)
    return said.model_copy(update={"outdated": True}) if ranked.outdated else said


_SHARED_FIELDS = tuple(name for name in RecallResult.model_fields if name in Memory.model_fields)


def present_memory(memory: Memory, score: float, parts: ScoreParts | None) -> RecallResult:
    """Present a memory with every field that recall shows of one."""
    shared = {name: getattr(memory, name) for name in _SHARED_FIELDS}
    return RecallResult(record=RecordType.MEMORY, score=score, parts=parts, **shared)


def present_turn(turn: Turn, score: float, parts: ScoreParts | None) -> RecallResult:
    evidence = Evidence(
        quote=own_text(turn),
        said_by=turn.role,
        session_id=turn.session_id,
        message_id=turn.message_id,
        images=collect_picture_references(own_images(turn)),
    )
    return RecallResult(
        id=turn.id,
        record=RecordType.TURN,
        content=searched_text(turn),
        score=score,
        parts=parts,
        scope=turn.scope,
        evidence=(evidence,),
        occurred_at=turn.occurred_at,
        speaker=turn.speaker,
    )


def present_summary(
    summary: SessionSummary, score: float, parts: ScoreParts | None
) -> RecallResult:
    evidence = Evidence(quote=summary.text, session_id=summary.session_id, origin="summary")
    return RecallResult(
        id=summary.id,
        record=RecordType.SUMMARY,
        content=summary.text,
        score=score,
        parts=parts,
        scope=summary.scope,
        evidence=(evidence,),
        occurred_at=summary.ended_at,
        version=summary.version,
    )


def build_score_parts(ranked: RankedCandidate, pool: MatchPool) -> ScoreParts:
    parts = ranked.parts
    return ScoreParts(
        dense=parts.dense,
        sparse=parts.sparse,
        neighbours=parts.neighbours,
        speaker=parts.speaker,
        length=parts.length,
        time=parts.time,
        succession=parts.succession,
        asked=parts.asked,
        cosine=pool.cosine(ranked.contender.id),
    )


def build_policy_score_parts(scored: PolicyScore, cosine: float) -> ScoreParts:
    return ScoreParts(
        similarity=scored.similarity,
        recency=scored.recency,
        importance=scored.importance,
        cosine=cosine,
    )
