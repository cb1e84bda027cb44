"""Rates: how many requests each key may send, counted separately in each process."""

import time
from collections.abc import Mapping

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter

from palimpsest.model.errors import PermanentError, RateExceeded
from palimpsest.model.permissions import KeyKind
from palimpsest_server.domain.access.grant import Grant


class KeyRates:
    def __init__(self, rates: Mapping[KeyKind, str]) -> None:
        """`rates` are given in words such as `600/minute`.

        Raises:
            PermanentError: a rate cannot be read.
        """
        self._rates: dict[KeyKind, RateLimitItem] = {}
        for kind, words in rates.items():
            try:
                self._rates[kind] = parse(words)
            except ValueError:
                raise PermanentError(
                    f"PALIMPSEST_KEY_RATES says {words!r} of {kind} keys; a rate is such as"
                    " `600/minute`, `10/second` or `5000/hour`"
                ) from None
        self._limiter = FixedWindowRateLimiter(MemoryStorage())

    async def count(self, grant: Grant) -> None:
        """Count one request.

        Raises:
            RateExceeded: the key has sent too many; the error says when the next request is allowed.
        """
        rate = self._rates.get(grant.kind)
        if rate is None:
            return
        whose = (grant.holder, grant.user_id or "", grant.agent_id or "")
        if await self._limiter.hit(rate, *whose):
            return
        window = await self._limiter.get_window_stats(rate, *whose)
        wait = max(window.reset_time - time.time(), 1.0)
        raise RateExceeded(
            f"more than {rate.amount} requests in {rate.get_expiry()} s with this key;"
            f" try again in {wait:.0f} s",
            retry_after_seconds=wait,
        )
