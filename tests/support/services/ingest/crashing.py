"""A process that dies at its n-th call to anything outside of it, and never calls again."""

from collections.abc import Callable, Coroutine, Sequence
from enum import Enum
from typing import Any


class Crash(Exception):
    """kill -9, as seen from inside: nothing after this line happens."""


class Moment(Enum):
    BEFORE = "before"
    """The call never went out."""
    HALFWAY = "halfway"
    """Half of the list it was given was dealt with."""
    AFTER = "after"
    """It was done, and nobody was there for the answer."""


class Crashing:
    """Put around every port of a process. Counts calls; dies at one of them."""

    def __init__(self, at_call: int = 0, moment: Moment = Moment.BEFORE) -> None:
        self._at_call = at_call
        self._moment = moment
        self.calls = 0

    @property
    def dead(self) -> bool:
        return 0 < self._at_call <= self.calls

    def around(self, port: Any) -> Any:
        return _Port(port, self)

    async def call(
        self, method: Callable[..., Coroutine[Any, Any, Any]], *given: Any, **named: Any
    ) -> Any:
        if self.dead:
            raise Crash
        self.calls += 1
        if not self.dead:
            return await method(*given, **named)
        if self._moment is Moment.HALFWAY:
            await method(*_halved(given), **named)
        elif self._moment is Moment.AFTER:
            await method(*given, **named)
        raise Crash


class _Port:
    def __init__(self, port: Any, process: Crashing) -> None:
        self._port = port
        self._process = process

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        method = getattr(self._port, name)

        def call(*given: Any, **named: Any) -> Coroutine[Any, Any, Any]:
            return self._process.call(method, *given, **named)

        return call


def _halved(given: Sequence[Any]) -> list[Any]:
    return [each[: len(each) // 2] if type(each) in {list, tuple} else each for each in given]
