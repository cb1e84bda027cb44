"""The scheduling of `make test`: which worker takes which tests.

A worker takes a file at a time, and one worker takes all journeys that share a running Palimpsest:
each further worker would start another. `--dist loadgroup` cannot be used for it: pytest-xdist 3.8
writes the group where pytest 9.2 no longer reads it.
"""

from xdist.scheduler import LoadFileScheduling

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


class JourneysTogether(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """Take a file at a time, but the journeys on the shared Palimpsest as if they were one file."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        shared = file.startswith(_JOURNEYS) and file not in _ON_THEIR_OWN
        return _JOURNEYS if shared else file
