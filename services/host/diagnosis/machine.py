"""This machine: versions, programs, the data directory."""

import os
import platform
import shutil
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from palimpsest.embedded.child import ChildFailed
from palimpsest.embedded.commands import broker_command, database_command, native_database
from palimpsest.runtime.settings import Settings
from palimpsest.runtime.unknown_settings import unknown_settings
from services.host.diagnosis.finding import Finding, doubtful, ill, well

_PARTS = ("palimpsest", "faststream", "aiokafka", "motor", "qdrant-edge-py", "secantusdb")
_LITTLE_SPACE_BYTES = 1024**3


def versions() -> Finding:
    parts = ", ".join(f"{name} {_version(name)}" for name in _PARTS)
    return well("versions", f"Python {platform.python_version()} on {platform.system()}; {parts}")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def settings_that_are_none() -> list[Finding]:
    """A password or a key under a wrong name is no password and no key."""
    advice = "Correct its name, or take it away: `palimpsest settings` says which there are."
    return [doubtful("settings", words, advice) for words in unknown_settings()]


def embedded_programs() -> Finding:
    try:
        broker_command(0)
        database_command(0, Path(), Path())
    except ChildFailed as error:
        return ill("embedded programs", str(error), "Install them, or use servers of your own.")
    which = f"natively ({native})" if (native := native_database()) else "in Python"
    return well(
        "embedded programs", f"broker and database are installed; the database runs {which}"
    )


def data_directory(settings: Settings) -> Finding:
    directory = settings.data_directory.resolve()
    standing = next(each for each in (directory, *directory.parents) if each.exists())
    if not (standing.is_dir() and os.access(standing, os.W_OK)):
        return ill(
            "data directory",
            f"{directory} cannot be written",
            "Give it to this user, or choose another: PALIMPSEST_DATA_DIRECTORY=...",
        )
    free = shutil.disk_usage(standing).free
    words = f"{directory}, {free / 1024**3:.0f} GiB free"
    if free < _LITTLE_SPACE_BYTES:
        return doubtful("data directory", words, "Make room: the database stops when it is full.")
    return well("data directory", words)
