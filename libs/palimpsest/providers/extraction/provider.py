"""Whoever understands conversations: a language model, or rules."""

from typing import Protocol

from palimpsest.providers.extraction.dialogue import ExtractionRequest
from palimpsest.providers.extraction.proposals_found import ExtractionAnswer


class ExtractionProvider(Protocol):
    @property
    def name(self) -> str: ...

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        """Understand one window.

        Raises:
            TransientError: it may succeed later, not before `retry_after_seconds`.
            PermanentError: it will fail every time.
        """
        ...
