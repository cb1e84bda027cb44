"""As much of the material as fits into a budget of tokens, the best first."""

from bisect import bisect_right
from collections.abc import Callable

from palimpsest.domain.context.marking import marked
from palimpsest.domain.context.material import Item, Material, Talk, Written

PROFILE_SHARE = 0.3
TALKS_SHARE = 0.3
"""Of a budget, where there are items too: what was asked for must not be crowded out."""

MISSES = 8
"""So many in a row that do not fit, and what follows is not tried any more."""


def fitted(
    material: Material,
    write: Callable[[Material], Written],
    *,
    budget: int,
    count: Callable[[str], int],
) -> Material:
    """The material whose block, marks and all, has at most `budget` tokens.

    The profile is taken as a whole or not at all, the latest talks as far as
    they fit, and of the items each that fits. What a format says of nothing
    (that nobody is known) stands whatever the budget.
    """

    def size(of: Material) -> int:
        return count(marked(write(of).block))

    kept = material._replace(profile="", talks=(), items=())
    share = PROFILE_SHARE if material.items or material.talks else 1.0
    if material.profile and size(kept._replace(profile=material.profile)) <= budget * share:
        kept = kept._replace(profile=material.profile)
    used = size(kept) if kept.profile else 0
    room = used + (budget - used) * (TALKS_SHARE if material.items else 1.0)
    talks: tuple[Talk, ...] = ()
    for talk in material.talks:
        if size(kept._replace(talks=(*talks, talk))) > room:
            break
        talks = (*talks, talk)
    kept = kept._replace(talks=talks)
    return kept._replace(items=_among_themselves(_items(material, kept, size, budget)))


def _among_themselves(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """What did not fit is not named as what another one contradicts."""
    numbers = {item.number for item in items}
    return tuple(
        item._replace(conflicts=tuple(each for each in item.conflicts if each in numbers))
        if item.conflicts
        else item
        for item in items
    )


def _items(
    material: Material, kept: Material, size: Callable[[Material], int], budget: int
) -> tuple[Item, ...]:
    # More items never take fewer tokens: how many of the best fit is found by halving.
    whole = len(material.items)
    fitting = bisect_right(
        range(1, whole + 1), budget, key=lambda n: size(kept._replace(items=material.items[:n]))
    )
    items, misses = material.items[:fitting], 0
    for item in material.items[fitting:]:
        if size(kept._replace(items=(*items, item))) <= budget:
            items, misses = (*items, item), 0
        else:
            misses += 1
            if misses == MISSES:
                break
    return items
