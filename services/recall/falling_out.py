"""What was looked at and is not among the results, and why in a word."""

from collections.abc import Mapping, Sequence

from palimpsest.contracts.recall import FellOut, Record
from palimpsest.domain.ranking.fusion import Contender, Ranked
from palimpsest.domain.ranking.hidden import SAYS_NOTHING
from palimpsest.domain.ranking.pool import Pool
from palimpsest.domain.ranking.signs import NOTHING
from palimpsest.stores.vectors import VectorHit
from services.recall.answer import fallen
from services.recall.reading import Read


def record_of(identity: str, finds: Mapping[str, VectorHit]) -> Record:
    """What was not found itself took the place of a memory, and so is one."""
    return finds[identity].record if identity in finds else Record.MEMORY


def fell_out_of(
    ranked: Sequence[Ranked],
    chosen: Sequence[Ranked],
    lapsed: Sequence[Contender],
    read: Read,
    hits: Sequence[VectorHit],
    pool: Pool,
) -> tuple[FellOut, ...]:
    """The nearest first: those that came too late, no longer hold, or were not near enough."""
    finds = {hit.id: hit for hit in hits}
    shown = {one.contender.id for one in chosen}
    late = tuple(
        FellOut(
            id=one.contender.id,
            record=record_of(one.contender.id, finds),
            why="beyond_limit",
            score=one.score,
        )
        for one in ranked
        if (one.contender.id not in shown and one.contender.place is None)
        or (one.contender.id in finds and one.contender.id not in shown)
    )
    over = fallen((finds[one.id] for one in lapsed if one.id in finds), "no_longer_holds")
    hidden = tuple(
        FellOut(id=one, record=record_of(one, finds), why=why)
        for one, why in read.hidden.items()
        if one in finds or why != SAYS_NOTHING
    )
    hollow = [hit for hit in hits if hit.signs.spoken == NOTHING]
    hidden += fallen((hit for hit in hollow if hit.id not in read.hidden), SAYS_NOTHING)
    told = shown | {one.id for one in (*late, *over, *hidden)}
    rest = [hit for hit in hits if hit.id not in told]
    far = fallen((hit for hit in rest if hit.id not in pool), "not_near_enough")
    further = fallen((hit for hit in rest if hit.id in pool), "beyond_candidates")
    return (*late, *over, *hidden, *further, *far)
