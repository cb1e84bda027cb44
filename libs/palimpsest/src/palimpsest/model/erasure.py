"""Erasures: decided once, carried out by every service that keeps any of the data."""

from typing import Literal

from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Value

ERASED_EPOCH = -1
"""The epoch of what was erased by itself: lower than any, so that whatever is not to come back
of an epoch that is over does not come back of this."""


class Erasure(Value):
    """Ids only: it says nothing of what it erases."""

    record: Literal["erasure"] = "erasure"
    everything: bool = False
    epoch: int
    """The new epoch, if everything goes: data of a lower epoch is erased."""
    memory_ids: tuple[str, ...] = ()
    turn_ids: tuple[str, ...] = ()
    window_ids: tuple[str, ...] = ()
    request_ids: tuple[str, ...] = ()
    """Accepted requests to remember something."""
    summary_ids: tuple[str, ...] = ()
    """Summaries of the sessions in which these messages were said, and others that were named."""
    dead_letter_ids: tuple[str, ...] = ()
    project_id: Identifier | None = None
    """The project whose messages all go: those of `agent_id`, or of every agent without one."""
    agent_id: Identifier | None = None

    @property
    def of_what_was_said(self) -> bool:
        """True if messages go, but not everything: requests about them may return later."""
        return bool(self.turn_ids) or self.project_id is not None

    @property
    def of_what_was_told(self) -> bool:
        """True if summaries go, with their messages or by themselves."""
        return self.of_what_was_said or bool(self.summary_ids)

    def may_be_told_in(self, summary_id: str) -> bool:
        """Tell whether a summary of this session may contain these messages.

        Where messages go and no session is named it may be any: so was it written down once.
        """
        return summary_id in self.summary_ids or (bool(self.turn_ids) and not self.summary_ids)

    def takes(self, identity: str, scope: Scope) -> bool:
        """Tell whether this turn or summary, of any epoch, is to be erased."""
        return (
            identity in self.turn_ids
            or identity in self.summary_ids
            or (
                self.project_id is not None
                and scope.project_id == self.project_id
                and self.agent_id in (None, scope.agent_id)
            )
        )


class PendingErasure(Value):
    """An erasure that somebody has still to obey: until then what it takes is hidden."""

    erasure: Erasure
    revision: int
    """The revision of its change set; anything written about the user before may contain what is to
    go."""
