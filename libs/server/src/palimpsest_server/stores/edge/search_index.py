"""Building the search index of the embedded vectors: before they are opened, never while they serve.

Where something was erased the shard is written anew as well, for its files and its log keep what is
removed from it.

Building takes seconds (6 at 10,000 points, most of a minute at 100,000) and
stops every thread of its process, so a child does it, on a copy, and the copy
takes the place of the shard when it is done. Dying anywhere on the way, of
parent or child, leaves the shard as it was.
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
"""So many without an index take a search some 6 ms; below that, starting late is the greater cost."""


async def build_index(
    data_directory: Path, *, worthwhile_points: int = MIN_UNINDEXED_POINTS
) -> bool:
    """Index the shard if that many points came since it was last done, or if it holds what is erased.

    Returns whether it was.

    For the owner of the data directory alone, before the store is opened.
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
    """Print how many points the indexed copy has, or nothing where there was nothing to do."""
    directory = EdgeDirectory(data_directory)
    serving = directory.identity()
    if serving is None:
        return
    shard_path = directory.shard(serving)
    if not serving.holds_erased and edge_shard.count_points(shard_path) < from_points:
        return
    with (directory.path / "workshop.lock").open("w") as lock:
        # A child whose parent was killed may still be at work in there.
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
    # Somebody else has the shard, or is at this very work: then it is not ours to do.
    with contextlib.suppress(TransientError, BlockingIOError):
        main(Path(sys.argv[1]), int(sys.argv[2]))
