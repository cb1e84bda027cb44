"""The policies by their names."""

from collections.abc import Mapping
from enum import StrEnum

from palimpsest.domain.ranking.policies.blended import Blended
from palimpsest.domain.ranking.policies.companion import Companion
from palimpsest.domain.ranking.policies.find import MemoryPolicy
from palimpsest.domain.ranking.policies.gated import Gated
from palimpsest.domain.ranking.policies.layered import Layered


class PolicyName(StrEnum):
    """By whose formula an answer is ranked; what is not `default` ranks memories alone."""

    DEFAULT = "default"
    LAYERED = "layered"
    BLENDED = "blended"
    GATED = "gated"
    COMPANION = "companion"


DEFAULT_LIMIT = 10

OF_MEMORIES: Mapping[PolicyName, MemoryPolicy] = {
    PolicyName.LAYERED: Layered(),
    PolicyName.BLENDED: Blended(),
    PolicyName.GATED: Gated(),
    PolicyName.COMPANION: Companion(),
}


def limit_of(name: PolicyName) -> int:
    """How many are returned unless another number is asked for."""
    return OF_MEMORIES[name].limit if name in OF_MEMORIES else DEFAULT_LIMIT
