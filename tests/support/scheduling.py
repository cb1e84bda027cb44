"""Which tests one worker of `make test` takes, and in which order the workers take them.

A worker takes a file at a time. What shares one running Palimpsest is taken by one worker: each
further one would start its own, and a Palimpsest that nobody asks still costs a tenth of a core.
"""

from xdist.scheduler import LoadFileScheduling

_SHARING = "tests/journeys/"
_STARTING_THEIR_OWN = (
    "ending",
    "encryption",
    "forgetting_everything",
    "reindexing",
    "republishing",
    "serving",
    "tracing",
)
_LONGEST_FIRST = (
    _SHARING,
    "tests/lab/simulation/",
    "tests/lab/test_benches",
    "tests/server/delivery/",
    "tests/lab/",
    "tests/deploy/",
    "tests/server/embedders/",
    "tests/services/ingest/test_crashes",
)
"""For the file that is begun last is waited for by all."""


class OnePalimpsest(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """By file; but the folder of those that share one Palimpsest as if it were one."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return _SHARING if _shares(file) else file


def _shares(file: str) -> bool:
    name = file.removeprefix(_SHARING)
    return name != file and name not in {f"test_{each}.py" for each in _STARTING_THEIR_OWN}


def turn_of(nodeid: str) -> int:
    """What has a lower turn is begun earlier; all else stays as it was collected."""
    turns = (turn for turn, begin in enumerate(_LONGEST_FIRST) if nodeid.startswith(begin))
    return next(turns, len(_LONGEST_FIRST))
