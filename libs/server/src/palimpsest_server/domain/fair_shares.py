"""Fair shares of the processor: whoever has used least is next.

Start-time fair queueing by measured cost. Each user has a position on a clock that only moves when
somebody is served: a turn moves its user on by the processor time that it took. Whoever comes anew
starts where the clock stands, and has nothing saved up. So users who always have work get equal
time however much each brings, and whoever brings little is next at once.
"""

from collections.abc import Iterable


class FairShares:
    def __init__(self) -> None:
        self._now = 0.0
        self._positions: dict[str, float] = {}
        """Positions ahead of the clock; all other users stand at it."""

    def position(self, user_id: str) -> float:
        """Return the place of a user in the order, in seconds of processor time."""
        return max(self._positions.get(user_id, self._now), self._now)

    def choose(self, waiting: Iterable[str]) -> str:
        """Choose who is next of those that wait; among equals the first of them."""
        chosen = min(waiting, key=self.position)
        self._now = self.position(chosen)
        self._positions = {
            user_id: position
            for user_id, position in self._positions.items()
            if position > self._now
        }
        return chosen

    def charge(self, user_id: str, seconds: float) -> None:
        """Move a user on by the processor time that a turn took."""
        self._positions[user_id] = self.position(user_id) + max(seconds, 0.0)
