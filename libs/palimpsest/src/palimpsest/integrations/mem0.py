"""The `Memory` and `AsyncMemory` of mem0, on a Palimpsest: change the import, keep the program.

    from palimpsest.integrations.mem0 import Memory

Models and stores are settings of the services, so a configuration for mem0 is taken and not read.
A search of one agent also finds the memories that its user shares with all agents.
"""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from palimpsest.client.background_loop import run_blocking
from palimpsest.integrations.mem0_async import AsyncMemory

__all__ = ["AsyncMemory", "Memory"]

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


def _blocking(
    method: Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, ResultT]],
) -> "Callable[Concatenate[BlockingMemory, P], ResultT]":
    def call(memory: "BlockingMemory", /, *arguments: P.args, **options: P.kwargs) -> ResultT:
        return run_blocking(method(memory.asynchronous, *arguments, **options))

    return call


class BlockingMemory:
    """mem0's blocking verbs: each runs the asynchronous verb on a thread in the background."""

    def __init__(self, config: object = None, **options: Any) -> None:
        """`options` are those of `AsyncMemory`."""
        self.asynchronous = AsyncMemory(config, **options)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any], **options: Any) -> Self:
        """Take a configuration for mem0, which is not read; `options` are those of the class."""
        return cls(config_dict, **options)

    add = _blocking(AsyncMemory.add)
    search = _blocking(AsyncMemory.search)
    get_all = _blocking(AsyncMemory.get_all)
    get = _blocking(AsyncMemory.get)
    update = _blocking(AsyncMemory.update)
    delete = _blocking(AsyncMemory.delete)
    delete_all = _blocking(AsyncMemory.delete_all)
    history = _blocking(AsyncMemory.history)
    close = _blocking(AsyncMemory.close)


Memory = BlockingMemory
"""The name that mem0 gives it."""
