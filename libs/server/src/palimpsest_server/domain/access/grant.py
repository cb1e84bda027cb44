"""Grants: what a caller may do, and to whose memories."""

from collections.abc import Collection
from dataclasses import dataclass

from palimpsest.model.errors import PermissionMissing, RecordNotFound
from palimpsest.model.permissions import EVERY_PERMISSION, KeyKind, Permission

_NOTHING_HERE = "nothing stands under this id"
_NOT_OF_ALL = "this key opens one user only; asked for is what only a service key opens"
_NOT_OF_USER = "this key opens one agent only; asked for is what a key of its user opens"


@dataclass(frozen=True, kw_only=True)
class Grant:
    """The rights of a request. Without a user it opens all users, without an agent all of the user's agents.

    An agent's grant opens the memories that the agent sees: its own, and those that all agents of the
    user see. A required permission of None stands for any permission.
    """

    holder: str
    """Id of the key or token, for rates and logs; never the secret."""
    permissions: frozenset[Permission]
    user_id: str | None = None
    agent_id: str | None = None

    @property
    def kind(self) -> KeyKind:
        if self.user_id is None:
            return KeyKind.SERVICE
        return KeyKind.USER if self.agent_id is None else KeyKind.AGENT

    def require(
        self, permission: Permission | None, *, user_id: str | None, agent_id: str | None
    ) -> None:
        """Check that the grant opens the memories that this agent of this user sees.

        Raises:
            RecordNotFound: the grant is for another user or agent.
            PermissionMissing: the grant lacks the permission; or it is for one agent, and none is named.
        """
        self.require_user(permission, user_id, of_one_agent=True)
        if self.agent_id is None or agent_id == self.agent_id:
            return
        if agent_id is None:
            raise PermissionMissing(f"this key opens one agent only: name agent_id={self.agent_id}")
        raise RecordNotFound(_NOTHING_HERE)

    def require_user(
        self, permission: Permission | None, user_id: str | None, *, of_one_agent: bool = False
    ) -> None:
        """Check that the grant opens all data of a user.

        Raises:
            RecordNotFound: the grant is for another user.
            PermissionMissing: the grant lacks the permission, or is for one agent of the user only.
        """
        if self.user_id is not None:
            if user_id is None:
                raise PermissionMissing(_NOT_OF_ALL)
            if user_id != self.user_id:
                raise RecordNotFound(_NOTHING_HERE)
        if self.agent_id is not None and not of_one_agent:
            raise PermissionMissing(_NOT_OF_USER)
        self._require_permission(permission)

    def require_deployment(self, permission: Permission | None) -> None:
        """Check that the grant opens data of the whole deployment.

        Raises:
            PermissionMissing: the grant is for one user only, or lacks the permission.
        """
        if self.user_id is not None:
            raise PermissionMissing(_NOT_OF_ALL)
        self._require_permission(permission)

    def _require_permission(self, permission: Permission | None) -> None:
        if permission is not None and permission not in self.permissions:
            raise PermissionMissing(f"this key lacks the permission `{permission}`")

    def narrow(
        self, permissions: Collection[Permission], *, user_id: str, agent_id: str | None
    ) -> "Grant":
        """Return a grant for one user that allows no more than this one."""
        return Grant(
            holder=self.holder,
            permissions=self.permissions & frozenset(permissions),
            user_id=user_id,
            agent_id=agent_id,
        )


UNGUARDED = Grant(holder="this machine", permissions=EVERY_PERMISSION)
"""The grant of every request if no keys are required."""
