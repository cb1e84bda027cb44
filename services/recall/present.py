"""Presents ranked candidates with their evidence and parts of their score, and explains exclusions."""

from collections.abc import Sequence

from palimpsest.api.recall import Excluded, RecallResult, RecordType, ScoreParts
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.memory import Evidence, Memory
from palimpsest.model.memory_times import read_stated_time
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import Language
from palimpsest.model.value_types import importance_level
from palimpsest_language.message_spans.fiction_frames import read_frame
from palimpsest_language.off_the_record.own_words import own_images, own_text, searched_text
from palimpsest_server.domain.pictures import collect_picture_references
from palimpsest_server.domain.ranking.exclusion_reasons import SAYS_NOTHING
from palimpsest_server.domain.ranking.match_pool import MatchPool
from palimpsest_server.domain.ranking.policies.memory_policy import PolicyScore
from palimpsest_server.domain.ranking.ranking_features import NOTHING_STATED
from palimpsest_server.domain.ranking.score import RankedCandidate
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from services.recall.answer import exclude_hits
from services.recall.rank import Ranking, find_record


def present_candidate(
    ranked: RankedCandidate, documents: VisibleDocuments, parts: ScoreParts | None
) -> RecallResult:
    """Present a candidate from its document: a memory, a summary or a turn."""
    identity, score = ranked.candidate.id, ranked.score
    if identity in documents.memories:
        return present_memory(documents.memories[identity], score, parts)
    if identity in documents.summaries:
        return present_summary(documents.summaries[identity], score, parts)
    said = present_turn(documents.turns[identity], score, parts)
    return said.model_copy(update={"outdated": True}) if ranked.outdated else said


_SHARED_FIELDS = tuple(name for name in RecallResult.model_fields if name in Memory.model_fields)


def present_memory(memory: Memory, score: float, parts: ScoreParts | None) -> RecallResult:
    """Present a memory with every field that recall shows."""
    shared = {name: getattr(memory, name) for name in _SHARED_FIELDS}
    time = read_stated_time(memory.data)
    return RecallResult(
        record=RecordType.MEMORY,
        score=score,
        parts=parts,
        time=time,
        importance_level=importance_level(memory.importance),
        **shared,
    )


def format_said(turn: Turn) -> str:
    """Return the words of a turn, with a mark if it is spoken in a role."""
    words = searched_text(turn)
    ends_in_role = turn.in_fiction and (
        turn.role is not Role.USER or read_frame(turn.said, is_open=True).is_open
    )
    return f"{_IN_ROLE[detect_language(words)]} {words}" if ends_in_role else words


_IN_ROLE = {Language.CHINESE: "[角色扮演]", Language.ENGLISH: "[role play]"}


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
        content=format_said(turn),
        score=score,
        parts=parts,
        scope=turn.scope,
        evidence=(evidence,),
        occurred_at=turn.occurred_at,
        speaker=turn.speaker,
        said_by=turn.role,
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
        cosine=pool.cosine(ranked.candidate.id),
    )


def build_policy_score_parts(scored: PolicyScore, cosine: float) -> ScoreParts:
    return ScoreParts(
        similarity=scored.similarity,
        recency=scored.recency,
        importance=scored.importance,
        cosine=cosine,
    )


def explain_exclusions(
    ranked: Sequence[RankedCandidate],
    chosen: Sequence[RankedCandidate],
    documents: VisibleDocuments,
    ranking: Ranking,
) -> tuple[Excluded, ...]:
    """Return the considered candidates that are not results, with reasons, nearest first.

    Erased and withheld records, and those of others, are not named.
    """
    hits, lapsed = ranking.hits, ranking.candidates.lapsed
    shown = {ranked_candidate.candidate.id for ranked_candidate in chosen}
    late = tuple(
        Excluded(
            id=ranked_candidate.candidate.id,
            record=find_record(ranked_candidate.candidate.id, hits),
            why="beyond_limit",
            score=ranked_candidate.score,
        )
        for ranked_candidate in ranked
        if ranked_candidate.candidate.id not in shown
        and (ranked_candidate.candidate.place is None or ranked_candidate.candidate.id in hits)
    )
    over = exclude_hits((hits[one.id] for one in lapsed if one.id in hits), "no_longer_holds")
    hidden = tuple(
        Excluded(id=identity, record=find_record(identity, hits), why=why)
        for identity, why in documents.hidden.items()
        if identity in hits or why != SAYS_NOTHING
    )
    hollow = [hit for hit in hits.values() if hit.features.stated_length == NOTHING_STATED]
    hidden += exclude_hits((hit for hit in hollow if hit.id not in documents.hidden), SAYS_NOTHING)
    explained = shown | {one.id for one in (*late, *over, *hidden)}
    undisclosed = explained | ranking.candidates.hidden
    rest = [hit for hit in hits.values() if hit.id not in undisclosed]
    far = exclude_hits((hit for hit in rest if hit.id not in ranking.pool), "not_near_enough")
    further = exclude_hits((hit for hit in rest if hit.id in ranking.pool), "beyond_candidates")
    return (*late, *over, *hidden, *further, *far)
