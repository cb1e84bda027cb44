"""The scheduling of `make test`: which tests a worker takes at once."""

from collections.abc import Sequence

_JOURNEYS = "tests/journeys/"
_ON_THEIR_OWN = frozenset(
    f"{_JOURNEYS}test_{name}.py"
    for name in (
        "ending",
        "encryption",
        "forgetting_everything",
        "reindexing",
        "republishing",
        "serving",
        "tracing",
        "workspace",
    )
)
"""Journeys that start a Palimpsest of their own."""


def group_tests(ids: Sequence[str]) -> Sequence[Sequence[int]]:
    """Group tests, given by their ids, by who takes them; a group names them by their places.

    One worker takes a file, and all journeys that share a running Palimpsest, as if they were one file:
    each further worker would start another.
    """
    groups: dict[str, list[int]] = {}
    for place, test in enumerate(ids):
        groups.setdefault(_find_group(test), []).append(place)
    return [*groups.values()]


def _find_group(test: str) -> str:
    file = test.partition("::")[0]
    shared = file.startswith(_JOURNEYS) and file not in _ON_THEIR_OWN
    return _JOURNEYS if shared else file
