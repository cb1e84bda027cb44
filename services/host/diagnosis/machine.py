"""Checks of this machine: versions, programs, the data directory, settings."""

import os
import platform
import shutil
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from palimpsest_server.embedded.child_server import ChildServerFailed
from palimpsest_server.embedded.server_commands import (
    build_broker_command,
    build_database_command,
    find_native_database,
)
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.runtime.unknown_settings import describe_unknown_settings
from services.host.diagnosis.finding import Finding, report_doubt, report_failure, report_ok

_PARTS = ("palimpsest", "faststream", "aiokafka", "motor", "qdrant-edge-py", "secantusdb")
_LITTLE_SPACE_BYTES = 1024**3


def check_versions() -> Finding:
    parts = ", ".join(f"{name} {_version(name)}" for name in _PARTS)
    return report_ok(
        "versions", f"Python {platform.python_version()} on {platform.system()}; {parts}"
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def check_unknown_settings() -> list[Finding]:
    """Report unknown settings: a misspelled password or key has no effect."""
    advice = "Correct its name, or take it away: `palimpsest settings` says which there are."
    return [report_doubt("settings", words, advice) for words in describe_unknown_settings()]


def check_embedded_programs() -> Finding:
    try:
        build_broker_command(0)
        build_database_command(0, Path(), Path())
    except ChildServerFailed as error:
        return report_failure(
            "embedded programs", str(error), "Install them, or use servers of your own."
        )
    which = f"natively ({native})" if (native := find_native_database()) else "in Python"
    return report_ok(
        "embedded programs", f"broker and database are installed; the database runs {which}"
    )


def check_data_directory(settings: Settings) -> Finding:
    directory = settings.data_directory.resolve()
    standing = next(parent for parent in (directory, *directory.parents) if parent.exists())
    if not (standing.is_dir() and os.access(standing, os.W_OK)):
        return report_failure(
            "data directory",
            f"{directory} cannot be written",
            "Give it to this user, or choose another: PALIMPSEST_DATA_DIRECTORY=...",
        )
    free = shutil.disk_usage(standing).free
    words = f"{directory}, {free / 1024**3:.0f} GiB free"
    if free < _LITTLE_SPACE_BYTES:
        return report_doubt(
            "data directory", words, "Make room: the database stops when it is full."
        )
    return report_ok("data directory", words)
