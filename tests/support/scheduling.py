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
_ON_SECURED_KAFKA = frozenset(f"tests/stack/test_{name}.py" for name in ("own_rights", "security"))


def group_tests(ids: Sequence[str]) -> Sequence[Sequence[int]]:
    """Group tests, given by their ids, by who takes them; a group names them by their places.

    One worker takes a file, and all that share a running Palimpsest, or a Kafka that takes long to start,
    as if they were one file: each further worker would start another.
    """
    groups: dict[str, list[int]] = {}
    for place, test in enumerate(ids):
        groups.setdefault(_find_group(test), []).append(place)
    return [*groups.values()]


def _find_group(test: str) -> str:
    file = test.partition("::")[0]
    if file.startswith(_JOURNEYS) and file not in _ON_THEIR_OWN:
        return "a running Palimpsest"
    return "a secured Kafka" if file in _ON_SECURED_KAFKA else file
