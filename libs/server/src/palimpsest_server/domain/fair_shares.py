"""Fair shares of the processor: the user who has used least is next.

Start-time fair queueing by measured cost. Each user has a position on a clock that moves only when
somebody is served. A turn moves its user on by the processor time that it took. A new user
starts at the clock's position, without credit. So users who always have work get equal
time, however much each brings, and a user with little work is next at once.
"""

from collections.abc import Iterable


class FairShares:
    def __init__(self) -> None:
        self._now = 0.0
        self._positions: dict[str, float] = {}
        """Positions ahead of the clock; all other users are at the clock."""

    def position(self, user_id: str) -> float:
        """Return a user's position in the order, in seconds of processor time."""
        return max(self._positions.get(user_id, self._now), self._now)

    def choose(self, waiting: Iterable[str]) -> str:
        """Choose the next of the waiting users; of equals the first."""
        chosen = min(waiting, key=self.position)
        self._now = self.position(chosen)
        self._positions = {
            user_id: position
            for user_id, position in self._positions.items()
            if position > self._now
        }
        return chosen

    def charge(self, user_id: str, seconds: float) -> None:
        """Move a user's position by the processor time that a turn took."""
        self._positions[user_id] = self.position(user_id) + max(seconds, 0.0)
