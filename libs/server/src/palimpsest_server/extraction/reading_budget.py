"""The budget of processor time for the rules, for one message and for one request."""

from dataclasses import dataclass

from palimpsest_server.extraction.request_slices import RequestSlice

MESSAGE_SECONDS = 1.0
"""Limit for a message. Messages of people take some milliseconds; a longer one is a document."""

REQUEST_SECONDS = 20.0
"""Limit for all messages of one request; people's longest session takes half of it."""


@dataclass
class ReadingBudget:
    """Processor time left for the slices of one request, in seconds."""

    request_seconds: float = REQUEST_SECONDS
    message_seconds: float = MESSAGE_SECONDS
    _message: int | None = None
    """Number of the message of which parts were read last."""
    _message_spent: float = 0.0

    def left_for(self, request_slice: RequestSlice) -> float:
        """Return the seconds that reading a message of this slice may take; 0 leaves the message out."""
        spent = (
            self._message_spent
            if request_slice.part_of is not None and self._is_same(request_slice)
            else 0.0
        )
        return max(min(self.message_seconds - spent, self.request_seconds), 0.0)

    def spend(self, request_slice: RequestSlice, seconds: float) -> None:
        self._message_spent = seconds + (
            self._message_spent if self._is_same(request_slice) else 0.0
        )
        self._message = request_slice.part_of
        self.request_seconds -= seconds

    def _is_same(self, request_slice: RequestSlice) -> bool:
        return request_slice.part_of == self._message
