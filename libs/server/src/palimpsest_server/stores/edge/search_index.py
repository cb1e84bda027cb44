"""Build the search index of the embedded vectors before they are opened, never while they serve.

A shard that holds erased content is rewritten too, because its files and its log keep removed points.

Building takes seconds (6 at 10,000 points, most of a minute at 100,000) and
stops every thread of its process. So a child process builds the index on a copy, and
the copy replaces the shard at the end. If parent or child dies on the way, the shard is
unchanged.
"""

import asyncio
import contextlib
import fcntl
import shutil
import sys
from pathlib import Path

from palimpsest.model.errors import TransientError
from palimpsest_server.stores.edge import shard as edge_shard
from palimpsest_server.stores.edge.directory import EdgeDirectory

MIN_UNINDEXED_POINTS = 20_000
"""Without an index, this many points cost a search some 6 ms. Below, a delayed start costs more."""


async def build_index(
    data_directory: Path, *, worthwhile_points: int = MIN_UNINDEXED_POINTS
) -> bool:
    """Index the shard if it gained `worthwhile_points` since the last build, or if it holds erased content.

    Return whether the shard was indexed. Only the owner of the data directory may call this, before
    the store is opened.
    """
    directory = EdgeDirectory(data_directory)
    serving = directory.identity()
    if serving is None:
        return False
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        str(data_directory),
        str(serving.indexed_points + worthwhile_points),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        output, _ = await child.communicate()
    except asyncio.CancelledError:
        child.kill()
        await child.wait()
        raise
    if child.returncode != 0 or not output.strip():
        return False
    fresh = directory.unused(serving.model).model_copy(update={"indexed_points": int(output)})
    directory.workshop.rename(directory.shard(fresh))
    directory.serve(fresh)
    return True


def main(data_directory: Path, from_points: int) -> None:
    """Print the number of points in the indexed copy, or nothing if there was nothing to do."""
    directory = EdgeDirectory(data_directory)
    serving = directory.identity()
    if serving is None:
        return
    shard_path = directory.shard(serving)
    if not serving.holds_erased and edge_shard.count_points(shard_path) < from_points:
        return
    with (directory.path / "workshop.lock").open("w") as lock:
        # A child whose parent was killed may still be working there.
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(directory.workshop, ignore_errors=True)
        if serving.holds_erased:
            shard = edge_shard.rewrite_shard(shard_path, directory.workshop, serving.model)
        else:
            shutil.copytree(shard_path, directory.workshop)
            shard = edge_shard.load_shard(directory.workshop)
        shard.optimize()
        points = shard.info().points_count
        shard.close()
        sys.stdout.write(f"{points}\n")


if __name__ == "__main__":
    # Another process has the shard open or builds its index, so this process leaves it alone.
    with contextlib.suppress(TransientError, BlockingIOError):
        main(Path(sys.argv[1]), int(sys.argv[2]))
