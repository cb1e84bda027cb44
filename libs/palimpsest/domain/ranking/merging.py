"""Memories and the turns they quote share a place, so that an answer says each thing once."""

from collections.abc import Collection, Sequence

from palimpsest.domain.ranking.fusion import Ranked


def distinct(ranked: Sequence[Ranked], limit: int, repeats: Collection[str] = ()) -> list[Ranked]:
    """At most `limit`, in the order given.

    What rests on nothing but messages that a better one already stands for
    waits, as do `repeats`, and is returned only while there is room.
    """
    covered: set[str] = set()
    taken: list[int] = []
    waiting: list[int] = []
    for position, one in enumerate(ranked):
        if len(taken) == limit:
            break
        waits = one.contender.sources <= covered or one.contender.id in repeats
        (waiting if waits else taken).append(position)
        covered |= one.contender.sources
    kept = [*taken, *waiting[: limit - len(taken)]]
    return [ranked[position] for position in sorted(kept)]
