"""User states: the settings and the epoch that every stage needs."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from palimpsest.model.user import UserState


class UserStates(Protocol):
    """Reads settings and epochs. A user nobody has settled anything for has the defaults."""

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        """The state of each of these users, every one of them present in the answer."""
        ...
