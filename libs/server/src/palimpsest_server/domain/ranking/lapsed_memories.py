"""Rank by memories that no longer hold: they lead to their successors, and their turns are demoted."""

from collections.abc import Container, Mapping, Sequence

from palimpsest_server.domain.ranking.match_pool import TurnPosition
from palimpsest_server.domain.ranking.score import RankedCandidate, ranking_order

_BEHIND = 1e-6


def settle_lapsed(
    ranked: Sequence[RankedCandidate],
    lapsed: Sequence[RankedCandidate],
    successors: Mapping[str, str],
) -> list[RankedCandidate]:
    """Return the ranking in view of lapsed memories; best first.

    A memory that replaced another takes the rank of the replaced one. A turn that states a superseded
    memory comes right after the successor and the turn that says so. A turn that states a forgotten memory
    comes last. A turn is not demoted if a memory that holds quotes it too and is nearer to the question, since
    one message may say several things. Answers to a demoted turn are demoted with it.

    Args:
        ranked: the candidates that may be returned.
        lapsed: superseded and forgotten memories, ranked by the same rules.
        successors: the successor of each replaced memory, by memory id; over several steps too.
    """
    if not lapsed:
        return list(ranked)
    standing = {ranked_candidate.candidate.id: ranked_candidate for ranked_candidate in ranked}
    for old in lapsed:
        heir = standing.get(_last(old.candidate.id, successors))
        if heir is not None and heir.score < old.score:
            standing[heir.candidate.id] = _moved(heir, old.score - heir.score)
    least = min((one.score for one in standing.values()), default=0.0)
    old_turns = {one for old in lapsed for one in old.candidate.features.quoted}
    replies: dict[TurnPosition, float] = {}
    for turn in ranked:
        place, over = turn.candidate.place, _lapsed_statement(turn, ranked, lapsed)
        if place is None or over is None:
            continue
        heir = standing.get(_last(over.candidate.id, successors))
        heir = _raise_corrected(standing, heir, over, turn)
        ceiling = (least if heir is None else heir.score) - _BEHIND
        for one in _list_telling(heir, over):
            if one in standing and one not in old_turns and standing[one].score <= ceiling:
                by = ceiling + _BEHIND / 2 - standing[one].score
                standing[one] = _moved(standing[one], by)
        replies[place.away(1)[1]] = ceiling - _BEHIND
        standing[turn.candidate.id] = _outdated(turn, ceiling)
    for reply in ranked:
        place = reply.candidate.place
        if place in replies and not _quoted(reply, ranked):
            standing[reply.candidate.id] = _outdated(standing[reply.candidate.id], replies[place])
    return sorted(standing.values(), key=ranking_order)


def put_superseded_first(ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
    """Return the ranking for a question about the past; best first.

    A superseded memory comes right before its successor, over several steps too, and before the turns
    that both of them quote, because "was … until …" answers the question. Superseded memories
    keep their order.
    """
    standing = {ranked_candidate.candidate.id: ranked_candidate for ranked_candidate in ranked}
    successors = _successors(ranked)
    highest: dict[str, float] = {}
    for old in sorted(
        (
            ranked_candidate
            for ranked_candidate in ranked
            if ranked_candidate.candidate.id in successors
        ),
        key=_score,
    ):
        last = _last(old.candidate.id, successors)
        heir = standing.get(last)
        told = (*old.candidate.features.quoted, *(heir.candidate.features.quoted if heir else ()))
        behind = [standing[one].score for one in (last, *told) if one in standing]
        if last in highest:
            behind.append(highest[last])
        least = max(behind, default=old.score) + _BEHIND
        if old.score < least:
            standing[old.candidate.id] = _moved(old, least - old.score)
        highest[last] = standing[old.candidate.id].score
    return sorted(standing.values(), key=ranking_order)


def put_then_valid_first(
    ranked: Sequence[RankedCandidate], held: Container[str]
) -> list[RankedCandidate]:
    """Put memories that held then before the memories that replaced them.

    Args:
        ranked: best first.
        held: the ids of memories that held at the time of the question.
    """
    successors = _successors(ranked)
    families: dict[str, list[int]] = {}
    for position, ranked_candidate in enumerate(ranked):
        families.setdefault(_last(ranked_candidate.candidate.id, successors), []).append(position)
    order = list(ranked)
    for places in families.values():
        first = sorted(places, key=lambda place: ranked[place].candidate.id not in held)
        for place, other in zip(places, first, strict=True):
            order[place] = ranked[other]
    return order


def _successors(ranked: Sequence[RankedCandidate]) -> dict[str, str]:
    return {
        ranked_candidate.candidate.id: ranked_candidate.candidate.features.successor
        for ranked_candidate in ranked
        if ranked_candidate.candidate.features.successor is not None
    }


def _score(one: RankedCandidate) -> float:
    return one.score


def _lapsed_statement(
    turn: RankedCandidate, ranked: Sequence[RankedCandidate], lapsed: Sequence[RankedCandidate]
) -> RankedCandidate | None:
    """Return the lapsed memory that a turn states, if the question is about it."""
    if turn.candidate.place is None:
        return None
    over = [old for old in lapsed if turn.candidate.id in old.candidate.features.quoted]
    if not over:
        return None
    nearest = max(over, key=_own)
    holding = (
        _own(ranked_candidate)
        for ranked_candidate in ranked
        if turn.candidate.id in ranked_candidate.candidate.features.quoted
    )
    return nearest if _own(nearest) >= max(holding, default=0.0) else None


def _quoted(turn: RankedCandidate, ranked: Sequence[RankedCandidate]) -> bool:
    return any(
        turn.candidate.id in ranked_candidate.candidate.features.quoted
        for ranked_candidate in ranked
    )


def _own(one: RankedCandidate) -> float:
    return one.parts.dense + one.parts.sparse


def _last(memory_id: str, successors: Mapping[str, str]) -> str:
    seen = {memory_id}
    while (following := successors.get(memory_id)) is not None and following not in seen:
        seen.add(following)
        memory_id = following
    return memory_id


def _outdated(turn: RankedCandidate, ceiling: float) -> RankedCandidate:
    at_most = turn if turn.score <= ceiling else _moved(turn, ceiling - turn.score)
    return at_most._replace(outdated=True)


def _list_telling(heir: RankedCandidate | None, old: RankedCandidate) -> tuple[str, ...]:
    """Return the turns that state the successor; “no, 9:50” alone states nothing."""
    if heir is None or heir.candidate.id == old.candidate.id:
        return ()
    return heir.candidate.features.quoted


def _raise_corrected(
    standing: dict[str, RankedCandidate],
    heir: RankedCandidate | None,
    old: RankedCandidate,
    turn: RankedCandidate,
) -> RankedCandidate | None:
    """Give a corrected memory the rank of the turn that states it as it was before."""
    if heir is None or old.candidate.id != heir.candidate.id or turn.score <= heir.score:
        return heir
    raised = standing[heir.candidate.id] = _moved(heir, turn.score - heir.score)
    return raised


def _moved(one: RankedCandidate, by: float) -> RankedCandidate:
    parts = one.parts
    return one._replace(parts=parts._replace(succession=parts.succession + by))
