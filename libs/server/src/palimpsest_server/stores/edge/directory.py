"""The directory of embedded vectors: which shard serves, and which model made it.

    vectors/identity.json        the model, and the shard that serves
    vectors/usem3-512-1.1/       a shard; any other shard beside it is unfinished or outdated

The identity file is replaced in one step, which is the switch from one shard
to the next. Folders that it does not name are deleted.
"""

import os
import shutil
from pathlib import Path

from pydantic import BaseModel, ValidationError

from palimpsest.model.errors import PermanentError
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.stores import vector_schema


class ShardIdentity(BaseModel):
    model: EmbeddingModel
    shard: str
    """The name of the shard's folder."""
    indexed_points: int = 0
    """Number of points when the search index was last built."""
    holds_erased: bool = False
    """The shard's files still hold erased content, until the shard is rewritten at the next start."""


class EdgeDirectory:
    def __init__(self, data_directory: Path) -> None:
        self.path = data_directory / "vectors"

    @property
    def workshop(self) -> Path:
        """The directory in which an indexed copy is made, guarded by a lock file beside it."""
        return self.path / "workshop"

    @property
    def _identity_file(self) -> Path:
        return self.path / "identity.json"

    def identity(self) -> ShardIdentity | None:
        """Return the identity of the serving shard; None if nothing has been stored yet.

        Raises:
            PermanentError: the file is damaged.
        """
        try:
            return ShardIdentity.model_validate_json(self._identity_file.read_bytes())
        except FileNotFoundError:
            return None
        except ValidationError as error:
            raise PermanentError(
                f"{self._identity_file} is damaged: remove the folder {self.path} and make the "
                "vectors again with `palimpsest reindex`"
            ) from error

    def check_model(self, model: EmbeddingModel) -> ShardIdentity | None:
        """Return the identity of the serving shard, which must be made by this model.

        Raises:
            EmbeddingModelMismatch: another model made it.
            PermanentError: its file is damaged.
        """
        serving = self.identity()
        if serving is not None and serving.model != model:
            vector_schema.raise_model_mismatch(serving.model.slug, model, str(self.path))
        return serving

    def shard(self, identity: ShardIdentity) -> Path:
        return self.path / identity.shard

    def unused(self, model: EmbeddingModel) -> ShardIdentity:
        """Return an identity of a shard that does not serve and whose folder does not exist yet."""
        serving = self.identity()
        number = 1 if serving is None else int(serving.shard.rpartition(".")[2]) + 1
        fresh = ShardIdentity(model=model, shard=f"{model.slug}.{number}")
        shutil.rmtree(self.shard(fresh), ignore_errors=True)
        self.path.mkdir(parents=True, exist_ok=True)
        return fresh

    def serve(self, identity: ShardIdentity) -> None:
        """Make this shard the serving one, durably."""
        beside = self._identity_file.with_suffix(".new")
        with beside.open("w") as file:
            file.write(identity.model_dump_json(indent=2))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._identity_file)

    def note_erased(self) -> None:
        """Note that the serving shard's files hold erased points, which only a rewrite removes."""
        serving = self.identity()
        if serving is not None and not serving.holds_erased:
            self.serve(serving.model_copy(update={"holds_erased": True}))

    def clear_outlived(self) -> None:
        serving = self.identity()
        if serving is None:
            return
        for folder in self.path.iterdir():
            if folder.is_dir() and folder not in (self.shard(serving), self.workshop):
                shutil.rmtree(folder, ignore_errors=True)
