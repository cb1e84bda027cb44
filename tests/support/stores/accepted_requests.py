"""The in-memory twin of the accepted requests."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from palimpsest_server.stores.accepted_requests import AcceptedRequest, request_id
from palimpsest_server.stores.outbox import InMemoryOutbox, OutboxEntry, OutboxState


class InMemoryAcceptedRequests(InMemoryOutbox[AcceptedRequest]):
    async def accept(
        self, events: Sequence[AcceptedRequest], *, now: datetime
    ) -> Mapping[str, OutboxEntry[AcceptedRequest]]:
        by_id = {request_id(event.user_id, event.event_id): event for event in events}
        stood = {each: self._kept[each] for each in by_id if each in self._kept}
        for each, event in by_id.items():
            self._kept.setdefault(each, OutboxEntry(event, OutboxState.STORED, now))
        return stood
