"""Waits briefly until a reader's own write can be found."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable

from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.model.change_set import ChangeSetProgress
from palimpsest_server.stores.change_sets import ChangeSetStore

PATIENCE_SECONDS = 0.5
POLL_SECONDS = 0.02
USERS_REMEMBERED = 10_000

_FINDABLE = frozenset({ChangeSetProgress.PROJECTED, ChangeSetProgress.ANNOUNCED})


class Revisions:
    """The latest findable revision of each user, from announcements or the change sets."""

    def __init__(
        self,
        change_sets: ChangeSetStore,
        forget: Callable[[Iterable[str]], None],
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """`forget` drops cached user states, as an announcement would."""
        self._change_sets = change_sets
        self._forget = forget
        self._patience_seconds = patience_seconds
        self._known: OrderedDict[str, int] = OrderedDict()

    async def on_change(self, event: ChangeSetAnnounced) -> None:
        self._note(event.user_id, event.change_set.revision)

    async def reached(self, user_id: str, revision: int) -> bool:
        """Return whether this revision of the user can be found; wait half a second at most."""
        try:
            async with asyncio.timeout(self._patience_seconds):
                while not await self._findable(user_id, revision):  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(POLL_SECONDS)
        except TimeoutError:
            return False
        return True

    async def _findable(self, user_id: str, revision: int) -> bool:
        # An announcement follows the projection, and announcements keep the order of revisions.
        if self._known.get(user_id, 0) >= revision:
            return True
        head = (await self._change_sets.heads([user_id]))[user_id]
        found = head.revision >= revision and all(
            progress in _FINDABLE for progress in head.unfinished.values()
        )
        if found:
            # Settings and withdrawals of these change sets were not announced yet.
            self._forget([user_id])
            self._note(user_id, head.revision)
        return found

    def _note(self, user_id: str, revision: int) -> None:
        self._known[user_id] = max(revision, self._known.get(user_id, 0))
        self._known.move_to_end(user_id)
        if len(self._known) > USERS_REMEMBERED:
            self._known.popitem(last=False)
