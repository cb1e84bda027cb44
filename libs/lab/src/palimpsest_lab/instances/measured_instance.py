"""The measured instance: an embedded Palimpsest of its own, or one that runs already."""

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from palimpsest.model.errors import TransientError
from services.host.imports.instance_addresses import InstanceAddresses

START_SECONDS = 300.0
"""Two servers and a model have to load; on a busy machine that takes its time."""

STOP_SECONDS = 30.0
POLL_SECONDS = 0.1

INSTANCE_FILE = "instance.json"
"""Kept by an embedded instance in its data directory for as long as it is ready."""


@dataclass(frozen=True, kw_only=True)
class MeasuredInstance(InstanceAddresses):
    """The addresses of the measured instance."""

    mongodb_url: str | None = None
    """Of embedded instances: to measure what one read of theirs costs."""
    process_id: int | None = None
    """Of embedded instances: to measure what memory it and its children take."""


def get_service_key() -> str | None:
    """The service key of this environment, which an instance started from here asks for too."""
    from palimpsest_server.runtime.settings import Settings  # noqa: PLC0415 - half a second to load

    key = Settings().api_key
    return key.get_secret_value() if key else None


def find_running_instance(data_directory: Path) -> MeasuredInstance | None:
    """The embedded instance that is ready on this data directory, or None."""
    try:
        written = json.loads((data_directory / INSTANCE_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return MeasuredInstance(
        api_key=get_service_key(),
        http_url=written["http_url"],
        kafka_bootstrap_servers=written["kafka_bootstrap_servers"],
        mongodb_url=written.get("mongodb_url"),
        process_id=written.get("process", {}).get("pid"),
    )


@asynccontextmanager
async def run_embedded_instance(
    embedder: str | None = None,
    *,
    arguments: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    kept: Path | None = None,
) -> AsyncIterator[MeasuredInstance]:
    """A whole Palimpsest as a process of its own, in a temporary folder that goes with it.

    Args:
        embedder: another one than the default.
        kept: in this folder instead, which stays.
        arguments: for `palimpsest run`.
        settings: by the names of their environment variables.

    Raises:
        TransientError: it did not become ready; with its last words.
    """
    with _folder(kept) as directory:
        log = directory / "bench.log"
        chosen = {} if embedder is None else {"PALIMPSEST_EMBEDDER": embedder}
        process = await _start(directory, log, arguments, {**chosen, **(settings or {})})
        try:
            yield await _ready(process, directory, log)
        finally:
            await _stop(process)


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="palimpsest-bench-") as folder:
        yield Path(folder)


async def _start(
    directory: Path, log: Path, arguments: Sequence[str], settings: Mapping[str, str]
) -> asyncio.subprocess.Process:
    data = {"PALIMPSEST_DATA_DIRECTORY": str(directory / "data")}
    environment = {**os.environ, **data, **settings}
    with log.open("wb") as output:
        creation = asyncio.create_subprocess_exec(
            # However this process ends, what it measures ends with it.
            *(
                sys.executable,
                "-m",
                "palimpsest_server.embedded.parent_death_signal",
                str(os.getpid()),
            ),
            *(str(Path(sys.executable).with_name("palimpsest")), "run", "--port", "0", *arguments),
            stdout=output,
            stderr=output,
            env=environment,
            # Ctrl-C in a terminal reaches the whole group; this one we end ourselves.
            start_new_session=True,
        )
        starting = asyncio.ensure_future(creation)
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            # Nobody else knows of it yet, and it would write into a folder that is being removed.
            await _stop(await starting)
            raise


async def _ready(
    process: asyncio.subprocess.Process, directory: Path, log: Path
) -> MeasuredInstance:
    try:
        async with asyncio.timeout(START_SECONDS):
            while process.returncode is None:
                subject = find_running_instance(directory / "data")
                if subject is not None:
                    return subject
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise TransientError(
            f"not ready after {START_SECONDS:.0f} s; it says:\n{_last_words(log)}"
        ) from None
    raise TransientError(f"it ended while it started; it says:\n{_last_words(log)}")


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


def _last_words(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(lines[-15:])
