"""Variables that look like settings and are none: misspelled, or of another version."""

import os
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values

from palimpsest.runtime.settings import SECRETS_DIRECTORY_VARIABLE, Settings

_PREFIX = str(Settings.model_config["env_prefix"])
_KNOWN = (
    *(f"{_PREFIX}{name}".upper() for name in Settings.model_fields),
    SECRETS_DIRECTORY_VARIABLE,
)
_OF_OTHERS = (f"{_PREFIX}TEST_", f"{_PREFIX}CACHE")
"""Of tests and of benchmarks: no service reads them."""


def unknown_settings() -> Sequence[str]:
    """In words, one for each such name in the environment, in `.env` or among the secrets' files.

    Names alone, without their values.
    """
    return [_words(name) for name in unknown(sorted(set(_given())))]


def unknown(names: Iterable[str]) -> list[str]:
    """Those that begin as ours do, and that nobody reads."""
    return [
        name
        for name in names
        if name.upper().startswith(_PREFIX)
        and name.upper() not in _KNOWN
        and not name.upper().startswith(_OF_OTHERS)
    ]


def _given() -> Iterator[str]:
    yield from os.environ
    yield from dotenv_values(str(Settings.model_config["env_file"]))
    directory = os.environ.get(SECRETS_DIRECTORY_VARIABLE)
    if directory and Path(directory).is_dir():
        yield from (file.name for file in Path(directory).iterdir())


def _words(name: str) -> str:
    meant = get_close_matches(name.upper(), _KNOWN, n=1)
    return f"{name} is no setting" + (f"; is {meant[0]} meant?" if meant else "")
