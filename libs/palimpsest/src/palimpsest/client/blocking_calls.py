"""Blocking calls made of asynchronous ones, with their parameters, results and words."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from palimpsest.client.background_loop import run_blocking

P = ParamSpec("P")
ResultT = TypeVar("ResultT")
CallsT = TypeVar("CallsT")
OwnerT_co = TypeVar("OwnerT_co", covariant=True)

_END = object()


class OwnsCalls(Protocol[OwnerT_co]):
    """Whoever has blocking calls has the object whose asynchronous calls they are."""

    def connect(self) -> OwnerT_co: ...


def make_blocking(
    call: Callable[Concatenate[CallsT, P], Coroutine[Any, Any, ResultT]],
) -> Callable[Concatenate[OwnsCalls[CallsT], P], ResultT]:
    """Return a call that waits for the result of an asynchronous call."""

    @wraps(call)
    def blocking(owner: OwnsCalls[CallsT], /, *args: P.args, **kwargs: P.kwargs) -> ResultT:
        return run_blocking(call(owner.connect(), *args, **kwargs))

    return blocking


def make_iterating(
    call: Callable[Concatenate[CallsT, P], AsyncIterator[ResultT]],
) -> Callable[Concatenate[OwnsCalls[CallsT], P], Iterator[ResultT]]:
    """Return a call whose results are waited for one by one; leaving the loop ends it."""

    @wraps(call)
    def iterating(
        owner: OwnsCalls[CallsT], /, *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[ResultT]:
        found: Any = call(owner.connect(), *args, **kwargs)
        try:
            while (result := run_blocking(_take_next(found))) is not _END:
                yield result
        finally:
            run_blocking(found.aclose())

    return iterating


async def _take_next(found: Any) -> Any:
    return await anext(found, _END)
