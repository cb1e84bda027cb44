"""The policies by their names."""

from collections.abc import Mapping
from enum import StrEnum

from palimpsest.domain.ranking.policies.blended import Blended
from palimpsest.domain.ranking.policies.companion import Companion
from palimpsest.domain.ranking.policies.find import MemoryPolicy
from palimpsest.domain.ranking.policies.gated import Gated
from palimpsest.domain.ranking.policies.layered import Layered
from palimpsest.domain.ranking.policies.profile import AT_THE_START


class PolicyName(StrEnum):
    """By whose formula an answer is ranked.

    `default` ranks all that is found, `profile` takes summaries as they come,
    and the others rank memories alone.
    """

    DEFAULT = "default"
    LAYERED = "layered"
    BLENDED = "blended"
    GATED = "gated"
    COMPANION = "companion"
    PROFILE = "profile"


DEFAULT_LIMIT = 10

OF_MEMORIES: Mapping[PolicyName, MemoryPolicy] = {
    PolicyName.LAYERED: Layered(),
    PolicyName.BLENDED: Blended(),
    PolicyName.GATED: Gated(),
    PolicyName.COMPANION: Companion(),
}


def limit_of(name: PolicyName) -> int:
    """How many are returned unless another number is asked for."""
    if name is PolicyName.PROFILE:
        return AT_THE_START
    return OF_MEMORIES[name].limit if name in OF_MEMORIES else DEFAULT_LIMIT
