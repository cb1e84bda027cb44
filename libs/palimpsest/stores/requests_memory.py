"""The in-memory twin of the accepted requests."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from palimpsest.stores.outbox import InMemoryOutbox, Kept, OutboxState
from palimpsest.stores.requests import AcceptedRequest, request_id


class InMemoryRequests(InMemoryOutbox[AcceptedRequest]):
    async def accept(
        self, events: Sequence[AcceptedRequest], *, now: datetime
    ) -> Mapping[str, Kept[AcceptedRequest]]:
        by_id = {request_id(event.user_id, event.event_id): event for event in events}
        stood = {each: self._kept[each] for each in by_id if each in self._kept}
        for each, event in by_id.items():
            self._kept.setdefault(each, Kept(event, OutboxState.STORED, now))
        return stood
