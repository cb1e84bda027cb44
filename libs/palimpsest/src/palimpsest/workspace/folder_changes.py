"""Changes of files in a folder, as they happen. Needs the extra `workspace`."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing, suppress
from pathlib import Path

from watchfiles import Change, awatch

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.workspace.place_files import STATE_FOLDER, make_private_folder

SETTLE_MILLISECONDS = 200
"""Changes in such quick succession are told together: editors write in several steps."""

POLL_MILLISECONDS = 500
"""Time between two looks at a folder that tells no events, such as one on a network."""

PROBE_SECONDS = 1.0


async def watch_files(root: Path) -> AsyncGenerator[set[Path], None]:
    """Yield the memory files that changed, until cancelled."""
    is_polled = not await tells_events(root)
    changes = awatch(
        root,
        watch_filter=_is_of_interest,
        debounce=SETTLE_MILLISECONDS,
        force_polling=is_polled,
        poll_delay_ms=POLL_MILLISECONDS,
        ignore_permission_denied=True,
    )
    async for changed in changes:
        files = {file for _, path in changed for file in _list_files(Path(path))}
        if files:
            yield files


async def tells_events(root: Path) -> bool:
    """Tell whether the folder tells of changes: a file is written into it, and its event awaited."""
    probe = root / STATE_FOLDER / "events.probe"
    make_private_folder(probe.parent)

    async def first_event() -> None:
        async with aclosing(
            awatch(probe.parent, watch_filter=None, debounce=10, step=10, force_polling=False)
        ) as events:
            await anext(events)

    waiting = asyncio.create_task(first_event())
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            while not waiting.done():
                probe.write_bytes(b"")
                probe.unlink()
                await asyncio.wait([waiting], timeout=0.05)
        return waiting.exception() is None
    except TimeoutError:
        return False
    finally:
        waiting.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await waiting


def _is_of_interest(_: Change, path: str) -> bool:
    parts = Path(path).parts
    return STATE_FOLDER not in parts and (parts[-1] in _NAMES or "." not in parts[-1])


_NAMES = frozenset(file.value for file in MemoryFile)


def _list_files(path: Path) -> Iterable[Path]:
    """Return the memory file of a change, or those below a folder that has just come."""
    if path.name in _NAMES:
        return [path]
    return list(path.rglob("*.md")) if path.is_dir() else []
