"""Sessions that this process read or wrote in the last five seconds."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from palimpsest.model.clock import Clock
from palimpsest_server.stores.expiring_cache import (
    CacheLookupListener,
    ExpiringCache,
    ignore_lookups,
)
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress, SessionStore

_LONGEST_LIFE = timedelta(seconds=5)


class CachedSessions:
    """Cache of a `SessionStore`: a session is answered from memory for five seconds after its reading.

    The numbers of a session may lag behind the truth, and lag a little more here. A caller that acts on
    an outdated number is refused, calls `forget`, and reads the session again.
    """

    def __init__(
        self,
        sessions: SessionStore,
        *,
        clock: Clock,
        looked_up: CacheLookupListener = ignore_lookups,
    ) -> None:
        self._sessions = sessions
        self._clock = clock
        self._looked_up = looked_up
        self._recent = ExpiringCache[SessionKey, Session](_LONGEST_LIFE)

    async def of(self, keys: Sequence[SessionKey]) -> Mapping[SessionKey, Session]:
        now = self._clock()
        known = self._recent.living(keys, now)
        missing = [key for key in keys if key not in known]
        self._looked_up(len(known), len(missing))
        if not missing:
            return known
        read = await self._sessions.of(missing)
        self._recent.keep(read, now)
        return {**known, **read}

    async def advance(self, progress: Sequence[SessionProgress]) -> None:
        try:
            await self._sessions.advance(progress)
        except BaseException:
            # It is unknown which sessions were written.
            self.forget(step.key for step in progress)
            raise
        for step in progress:
            if (session := self._recent.get(step.key)) is not None:
                self._recent.amend(step.key, session.advanced(step))

    async def idle(self, *, now: datetime, limit: int) -> Sequence[Session]:
        return await self._sessions.idle(now=now, limit=limit)

    async def settle_idle(self, session: Session, *, until: datetime | None) -> None:
        await self._sessions.settle_idle(session, until=until)

    def forget(self, keys: Iterable[SessionKey]) -> None:
        """Drop these sessions from the cache, so that the next call reads them again."""
        self._recent.forget(keys)
