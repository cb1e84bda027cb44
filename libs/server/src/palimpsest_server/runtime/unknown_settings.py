"""Variables that look like settings and are none: misspelled, or of another version."""

import os
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from dotenv import dotenv_values

from palimpsest_server.runtime.settings import SECRETS_DIRECTORY_VARIABLE, Settings

_PREFIX = str(Settings.model_config["env_prefix"])
_KNOWN = (
    *(f"{_PREFIX}{name}".upper() for name in Settings.model_fields),
    SECRETS_DIRECTORY_VARIABLE,
)
_OF_OTHERS = (f"{_PREFIX}TEST_", f"{_PREFIX}CACHE")
"""Of tests and of benchmarks: no service reads them."""

_NEAR = 0.68
"""Four letters of which two are swapped are .75 alike; an end of them somewhat less."""

_OF_A_PART = 0.95
_AT_MOST = 3


def describe_unknown_settings() -> Sequence[str]:
    """Describe unknown `PALIMPSEST_` names in the environment, in `.env` or among the secrets' files.

    Names alone, without their values.
    """
    return [_words(name) for name in find_unknown_names(sorted(set(_given())))]


def find_unknown_names(names: Iterable[str]) -> list[str]:
    """Return names that begin as ours do and that nobody reads."""
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
    near = suggest_settings(name)
    return f"{name} is no setting" + (f"; is {' or '.join(near)} meant?" if near else "")


def suggest_settings(name: str) -> list[str]:
    """The settings that a name is nearest to, the shortest first; none where it is near to none.

    What all of them begin with makes nothing alike. The end of a name counts as well as all of
    it, and so do its words without those between them: whoever writes PORT means one that ends so.
    """
    given = name.upper().removeprefix(_PREFIX)
    alike = {known: _alike(given, known.removeprefix(_PREFIX)) for known in _KNOWN}
    best = max(alike.values())
    near = [known for known, how in alike.items() if how == best >= _NEAR]
    return sorted(near, key=lambda known: (len(known), known))[:_AT_MOST]


def _alike(given: str, known: str) -> float:
    """0 to 1. A part that is the same is less than all of it, and more than anything near."""
    words, said = known.split("_"), set(given.split("_"))
    parts = ["_".join(words[place:]) for place in range(1, len(words))]
    parts.append("_".join(word for word in words if word in said))
    return max(
        _ratio(given, known), *(_OF_A_PART * _ratio(given, part) for part in parts if part), 0.0
    )


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(a=one, b=other, autojunk=False).ratio()
