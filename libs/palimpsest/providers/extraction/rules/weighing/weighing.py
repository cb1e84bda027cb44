"""The proposals of the rules and the pieces of what was said, weighed: what is proposed in the end."""

import asyncio
from collections.abc import Sequence

from palimpsest.providers.extraction.proposals_found import Proposal
from palimpsest.providers.extraction.rules.weighing.beside import (
    Told,
    over_those_beside,
    places_of,
    those_behind,
)
from palimpsest.providers.extraction.rules.weighing.choosing import (
    Choice,
    Thresholds,
    chosen,
    likeliest,
)
from palimpsest.providers.extraction.rules.weighing.features import features
from palimpsest.providers.extraction.rules.weighing.once import (
    Telling,
    each_once,
)
from palimpsest.providers.extraction.rules.weighing.pieces import Heard
from palimpsest.providers.extraction.rules.weighing.possible import (
    Way,
    as_kind,
    possible,
    with_pieces,
)
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
    where = _where(choices)
    found: list[Telling] = []
    for number, choice in enumerate(choices):
        found.append(_telling(choice, where, time_zone))
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)
    return [each.proposal for each in each_once(found)]


def _where(choices: Sequence[Choice]) -> Told:
    places = [(each.possible, tuple(places_of(each.possible))) for each in choices]
    return Told(
        at_all=frozenset(place for _, its in places for place in its),
        as_pieces=frozenset(place for one, its in places if not one.by_rules for place in its),
        apart=frozenset(place for one, its in places if one.way is Way.ATTRIBUTED for place in its),
    )


def _telling(choice: Choice, where: Told, time_zone: str) -> Telling:
    own = frozenset(places_of(choice.possible))
    one = over_those_beside(choice.possible, own, where)
    proposal = as_kind(one, choice.kind, time_zone)
    behind = those_behind(one, own, where)
    return Telling(one, with_pieces(proposal, one.heard, behind), choice.probability)


def _is_like_those_learnt_from(one: Heard) -> bool:
    return len(one.written) <= LONGEST_MESSAGE and not one.teller.listeners
