"""The lock that allows one instance for each data directory."""

import fcntl
import os
from pathlib import Path
from typing import Self

from palimpsest.model.errors import PalimpsestError


class DataDirectoryInUse(PalimpsestError):
    """Another process works on this data directory."""


class DataDirectoryLock:
    """A lock held while the process lives; the system releases it, however the process ends."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._descriptor: int | None = None

    def acquire(self) -> Self:
        """Lock the existing directory; a second call is no error.

        Raises:
            DataDirectoryInUse: another process has the lock.
        """
        if self._descriptor is not None:
            return self
        descriptor = os.open(self._directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(descriptor, 32).decode(errors="replace").strip()
            os.close(descriptor)
            raise DataDirectoryInUse(
                f"Another Palimpsest (process {holder or 'unknown'}) uses the data in"
                f" {self._directory}. Stop it first, or give this one a directory of its own:"
                " PALIMPSEST_DATA_DIRECTORY=..."
            ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        self._descriptor = descriptor
        return self

    def release(self) -> None:
        """Release the lock; a second call is no error."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
