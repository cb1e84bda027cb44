"""The attempt and the request to which calls of a model belong.

The attempt is known where a request is leased, and needed where a model is called. The code between
(prompts, repairs, summaries in parts) does not use it, so it travels with the task.
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
    """The lease's token; each attempt at a request has another."""
    agent_id: str | None
    epoch: int
    calls: int = 0

    def next_call(self) -> str:
        """Return the id of the next call made for this attempt."""
        self.calls += 1
        return model_call_id(self.request_id, self.lease, self.calls)


_attempt: ContextVar[RequestAttempt | None] = ContextVar("attempt", default=None)


@contextmanager
def bind_attempt(attempt: RequestAttempt) -> Iterator[None]:
    """Bind the calls made inside the block to this attempt."""
    before = _attempt.set(attempt)
    try:
        yield
    finally:
        _attempt.reset(before)


def get_current_attempt() -> RequestAttempt | None:
    """Return the current attempt; None outside of any, and then nobody is charged."""
    return _attempt.get()
