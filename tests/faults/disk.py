"""A disk that can be filled up: a small file system where we may mount one, else a limit."""

import os
import resource
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Self

SIZE_MEBIBYTES = 1_536
PIECES = (64 * 1024 * 1024, 1024 * 1024, 4096)


class Disk:
    """Holds the database. To be entered; what is in it is gone afterwards."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._mounted = False
        self._ballast = directory / "ballast"

    @property
    def how(self) -> str:
        """In words, for the report."""
        if self._mounted:
            return f"a tmpfs of {SIZE_MEBIBYTES} MiB, filled to the last block"
        return "a limit of the size of files (RLIMIT_FSIZE), for no file system may be mounted here"

    def __enter__(self) -> Self:
        self.directory.mkdir(parents=True)
        options = ["-t", "tmpfs", "-o", f"size={SIZE_MEBIBYTES}m", "palimpsest-faults"]
        mount = subprocess.run(
            ["mount", *options, str(self.directory)], capture_output=True, check=False
        )
        self._mounted = mount.returncode == 0
        return self

    def __exit__(self, *_: object) -> None:
        if self._mounted:
            subprocess.run(["umount", "--lazy", str(self.directory)], check=True)

    def fill(self, pid: int) -> None:
        """Nothing more can be written by the process that keeps its files here."""
        if not self._mounted:
            _limit(pid, 0)
            return
        with self._ballast.open("wb") as ballast:
            taken = 0
            for size in PIECES:
                # Others write meanwhile: what is free is known when it is no more.
                with suppress(OSError):
                    while True:
                        os.posix_fallocate(ballast.fileno(), taken, size)
                        taken += size

    def free(self, pid: int) -> None:
        if self._mounted:
            self._ballast.unlink(missing_ok=True)
        else:
            _limit(pid, resource.RLIM_INFINITY)


def _limit(pid: int, largest_file_bytes: int) -> None:
    # It may have ended of what was done to it.
    with suppress(ProcessLookupError):
        limits = (largest_file_bytes, resource.RLIM_INFINITY)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
