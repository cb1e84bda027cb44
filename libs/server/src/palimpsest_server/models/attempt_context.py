"""The attempt and the request to which calls of a model belong.

It is known where a request is leased and wanted where a model is called. What
lies between (prompts, repairs, summaries in parts) has no use for it, so it
goes with the task that does the work.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from palimpsest.model.usage import model_call_id


@dataclass
class RequestAttempt:
    request_id: str
    lease: str
    """Its token: no two attempts at a request have the same."""
    agent_id: str | None
    epoch: int
    calls: int = 0

    def next_call(self) -> str:
        """The id of the next call made for this attempt."""
        self.calls += 1
        return model_call_id(self.request_id, self.lease, self.calls)


_attempt: ContextVar[RequestAttempt | None] = ContextVar("attempt", default=None)


@contextmanager
def bind_attempt(attempt: RequestAttempt) -> Iterator[None]:
    """Bind calls made meanwhile to this attempt."""
    before = _attempt.set(attempt)
    try:
        yield
    finally:
        _attempt.reset(before)


def get_current_attempt() -> RequestAttempt | None:
    """None outside of any: then nobody is to be charged."""
    return _attempt.get()
