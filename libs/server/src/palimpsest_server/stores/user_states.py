"""User states: the settings and the epoch that every stage needs."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from palimpsest.model.user import UserState


class UserStates(Protocol):
    """Reads settings and epochs. A user without stored settings has the defaults."""

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        """Return the state of each user; every user is present in the answer."""
        ...
