"""Environment variables that look like settings and are not: misspelled, or of another version."""

import os
from collections.abc import Iterable, Mapping, Sequence
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
"""Prefixes of variables for tests and benchmarks, which no service reads."""

_NEAR = 0.68
"""Least similarity of a suggestion. Four letters with two swapped are .75 alike; a matching end less."""

_OF_A_PART = 0.95
_AT_MOST = 3


RENAMED_SETTINGS: Mapping[str, str] = {
    "PALIMPSEST_EXTRACTOR_PROVIDER": "PALIMPSEST_EXTRACTION_MODEL",
}
"""Settings of older versions with their new names. The old names are not read."""

REMOVED_SETTINGS: Mapping[str, str] = {}
"""Removed settings of older versions, with an explanation for people who still set them."""

RENAMED_VALUES: Mapping[tuple[str, str], str] = {
    ("PALIMPSEST_VECTORS", "server"): "qdrant",
}
"""Renamed values by setting; the old value is still read for one version."""


def describe_unknown_settings() -> Sequence[str]:
    """Describe unknown `PALIMPSEST_` names in the environment, in `.env` or among the secret files.

    Values are left out, except our own values that have another name now.
    """
    given = _given()
    return [
        *(_words(name) for name in find_unknown_names(sorted(given))),
        *describe_renamed_values(given),
    ]


def describe_renamed_values(given: Mapping[str, str | None]) -> list[str]:
    """Describe values that have another name now."""
    return [
        f"{name}={value} is read for one version more: write {name}={RENAMED_VALUES[name, value]}"
        for name, value in sorted((name.upper(), value or "") for name, value in given.items())
        if (name, value) in RENAMED_VALUES
    ]


def find_unknown_names(names: Iterable[str]) -> list[str]:
    """Return names with our prefix that nothing reads."""
    return [
        name
        for name in names
        if name.upper().startswith(_PREFIX)
        and name.upper() not in _KNOWN
        and not name.upper().startswith(_OF_OTHERS)
    ]


def _given() -> dict[str, str | None]:
    """Return all names that are set, with values; a name from a secret file has no value here."""
    directory = os.environ.get(SECRETS_DIRECTORY_VARIABLE)
    secrets = Path(directory).iterdir() if directory and Path(directory).is_dir() else ()
    return {
        **dict.fromkeys(file.name for file in secrets),
        **dotenv_values(str(Settings.model_config["env_file"])),
        **os.environ,
    }


def _words(name: str) -> str:
    if (now := RENAMED_SETTINGS.get(name.upper())) is not None:
        return f"{name} is called {now} now, and is not read any more: rename it"
    if (words := REMOVED_SETTINGS.get(name.upper())) is not None:
        return f"{name} is no setting any more: {words}"
    near = suggest_settings(name)
    return f"{name} is no setting" + (f"; is {' or '.join(near)} meant?" if near else "")


def suggest_settings(name: str) -> list[str]:
    """Return the settings most similar to a name, shortest first; none if no setting is similar.

    The common prefix does not count. The end of a name is compared as well as the whole, and
    so are its words without those between them: PORT may stand for a longer name that ends so.
    """
    given = name.upper().removeprefix(_PREFIX)
    alike = {known: _alike(given, known.removeprefix(_PREFIX)) for known in _KNOWN}
    best = max(alike.values())
    near = [known for known, how in alike.items() if how == best >= _NEAR]
    return sorted(near, key=lambda known: (len(known), known))[:_AT_MOST]


def _alike(given: str, known: str) -> float:
    """Return the similarity from 0 to 1. An equal part is worth less than the whole, and more than a near match."""
    words, said = known.split("_"), set(given.split("_"))
    parts = ["_".join(words[place:]) for place in range(1, len(words))]
    parts.append("_".join(word for word in words if word in said))
    return max(
        _ratio(given, known), *(_OF_A_PART * _ratio(given, part) for part in parts if part), 0.0
    )


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(a=one, b=other, autojunk=False).ratio()
