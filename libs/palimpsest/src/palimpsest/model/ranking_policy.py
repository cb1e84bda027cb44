"""The ranking policies by name, each with the number of results that it returns by default."""

from collections.abc import Mapping
from enum import StrEnum


class PolicyName(StrEnum):
    """Policies that rank results.

    `default` ranks all types of records, `profile` lists summaries in their order, and the others
    rank memories alone.
    """

    DEFAULT = "default"
    LAYERED = "layered"
    BLENDED = "blended"
    GATED = "gated"
    COMPANION = "companion"
    PROFILE = "profile"


_LIMITS: Mapping[PolicyName, int] = {
    PolicyName.DEFAULT: 10,
    PolicyName.LAYERED: 6,
    PolicyName.BLENDED: 10,
    PolicyName.GATED: 3,
    PolicyName.COMPANION: 5,
    PolicyName.PROFILE: 5,
}


def limit_of(name: PolicyName) -> int:
    """Return the number of results of `name` unless another number is asked for."""
    return _LIMITS[name]
