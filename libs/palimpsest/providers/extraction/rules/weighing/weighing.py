"""The proposals of the rules and the pieces of what was said, weighed: what is proposed in the end."""

import asyncio
from collections.abc import Sequence

from palimpsest.providers.extraction.provider import Proposal
from palimpsest.providers.extraction.rules.weighing.beside import (
    Told,
    over_those_beside,
    places_of,
    those_behind,
    without_those_within,
)
from palimpsest.providers.extraction.rules.weighing.choosing import (
    Choice,
    Thresholds,
    chosen,
    likeliest,
)
from palimpsest.providers.extraction.rules.weighing.features import features
from palimpsest.providers.extraction.rules.weighing.pieces import Heard
from palimpsest.providers.extraction.rules.weighing.possible import as_kind, possible, with_pieces
from palimpsest.providers.extraction.rules.weighing.weights import Weights

LONGEST_MESSAGE = 2_000
"""Characters. A longer one is pasted."""

AT_ONCE = 50
"""Weighed before the event loop may do something else: some milliseconds."""


async def weighed(
    proposals: Sequence[Proposal],
    said: Sequence[Heard],
    weights: Weights,
    *,
    time_zone: str,
) -> list[Proposal]:
    """Those of the rules that stay, then what is added, each in the order in which it was said.

    Those stay with the rules that are like nothing there was to learn from: a message
    all by itself, a long one, and what people say among themselves.
    """
    short = [one for one in said if _is_like_those_learnt_from(one)]
    if not short or (len(said) == 1 and said[0].before is None):
        return list(proposals)
    choices: list[Choice] = []
    for place, one in enumerate(possible(proposals, short)):
        choices.append(likeliest(one, weights.weigh(features(one))))
        if place % AT_ONCE == 0:
            await asyncio.sleep(0)
    return await told(chosen(choices, Thresholds()), time_zone)


async def told(choices: Sequence[Choice], time_zone: str) -> list[Proposal]:
    """What is proposed of these, each with what stands beside it and belongs to it."""
    own = [frozenset(places_of(each.possible)) for each in choices]
    pieces = [its for each, its in zip(choices, own, strict=True) if not each.possible.by_rules]
    where = Told(frozenset().union(*own), frozenset().union(*pieces))
    found = []
    for number, (each, its) in enumerate(zip(choices, own, strict=True)):
        one = over_those_beside(each.possible, its, where)
        proposal = as_kind(one, each.kind, time_zone)
        behind = those_behind(one, its, where)
        found.append((one, with_pieces(proposal, one.heard, behind)))
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)
    return without_those_within(found)


def _is_like_those_learnt_from(one: Heard) -> bool:
    return len(one.written) <= LONGEST_MESSAGE and not one.teller.listeners
