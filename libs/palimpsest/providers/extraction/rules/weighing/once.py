"""What is told twice is told once: in the same words, or as a part of what tells more."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from palimpsest.domain.evolution.wording import normalised
from palimpsest.providers.extraction.provider import Proposal
from palimpsest.providers.extraction.rules.weighing.possible import Possible, Way


@dataclass(frozen=True)
class Telling:
    possible: Possible
    proposal: Proposal
    probability: float

    @cached_property
    def words(self) -> str:
        return normalised(self.proposal.content)


def each_once(told: Sequence[Telling]) -> list[Telling]:
    """Those that say what no other does, in their order.

    Of several in the same words the one that a rule has taken apart, or the likeliest.
    """
    best: dict[str, Telling] = {}
    for one in told:
        other = best.get(one.words)
        if other is None or _worth(one) > _worth(other):
            best[one.words] = one
    chosen = [one for one in told if best[one.words] is one]
    return [one for one in chosen if not any(_is_within(one, other) for other in chosen)]


def _worth(one: Telling) -> tuple[bool, bool, float]:
    sure = one.possible.way in (Way.ATTRIBUTED, Way.RULED)
    return sure, not one.possible.by_rules, one.probability


def _is_within(one: Telling, other: Telling) -> bool:
    """A piece that another of its kind and subject has taken along."""
    return (
        not (one.possible.by_rules or other.possible.by_rules)
        and one.possible.heard is other.possible.heard
        and (one.proposal.kind, one.proposal.subject)
        == (other.proposal.kind, other.proposal.subject)
        and len(one.proposal.content) < len(other.proposal.content)
        and one.possible.text in other.possible.text
    )
