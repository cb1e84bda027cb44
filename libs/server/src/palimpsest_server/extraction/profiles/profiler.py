"""The writer of profiles: a language model, or rules."""

from typing import Protocol

from palimpsest.events.extractor_requests import ProfileRequested
from palimpsest.model.value_types import Value


class ProfileAnswer(Value):
    narrative: str


class Profiler(Protocol):
    @property
    def name(self) -> str: ...

    async def describe(self, asked: ProfileRequested) -> ProfileAnswer:
        """Return the new profile.

        Raises:
            TransientError: it may succeed later, not before `retry_after_seconds`.
            PermanentError: it will fail every time.
        """
        ...
