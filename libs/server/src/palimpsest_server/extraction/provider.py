"""The protocol of extraction: a language model, or rules."""

from typing import Protocol

from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.proposals import ExtractionAnswer


class ExtractionProvider(Protocol):
    @property
    def name(self) -> str: ...

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        """Extract one window.

        Raises:
            TransientError: it may succeed later, not before `retry_after_seconds`.
            PermanentError: it will fail every time.
        """
        ...
