"""Memories and the turns they quote share a place, so that an answer says each thing once."""

from collections.abc import Collection, Sequence

from palimpsest_server.domain.ranking.score import Ranked


def distinct(ranked: Sequence[Ranked], limit: int, repeats: Collection[str] = ()) -> list[Ranked]:
    """At most `limit`, in the order given, `repeats` behind all others.

    They are returned only while there is room, as is what rests on nothing but
    messages that a better one already stands for.
    """
    covered: set[str] = set()
    taken: list[int] = []
    waiting: list[int] = []
    again = [one.contender.id in repeats for one in ranked]
    for position, one in enumerate(ranked):
        if len(taken) == limit:
            break
        waits = again[position] or one.contender.sources <= covered
        (waiting if waits else taken).append(position)
        covered |= one.contender.sources
    kept = [*taken, *waiting[: limit - len(taken)]]
    return [ranked[position] for position in sorted(kept, key=lambda each: (again[each], each))]
