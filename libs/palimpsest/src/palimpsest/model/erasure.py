"""Erasures: decided once, and carried out by every service that holds some of the data."""

from typing import Literal

from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Value

ERASED_EPOCH = -1
"""The epoch of records that were erased one by one. It is lower than any other, so that every check
for an older epoch drops them too.
"""


class Erasure(Value):
    """The ids of what is erased, without any content."""

    record: Literal["erasure"] = "erasure"
    everything: bool = False
    epoch: int
    """The new epoch if everything is erased: data of a lower epoch is erased."""
    memory_ids: tuple[str, ...] = ()
    turn_ids: tuple[str, ...] = ()
    window_ids: tuple[str, ...] = ()
    request_ids: tuple[str, ...] = ()
    """Accepted requests to remember something."""
    summary_ids: tuple[str, ...] = ()
    """Summaries of the sessions of these messages, and others that were named."""
    dead_letter_ids: tuple[str, ...] = ()
    question_ids: tuple[str, ...] = ()
    """Standing questions on the topic."""
    takes_questions: bool = False
    """True if standing questions go whose answers were all erased."""
    project_id: Identifier | None = None
    """The project whose messages are all erased: those of `agent_id`, or of every agent without
    one.
    """
    agent_id: Identifier | None = None

    @property
    def of_what_was_said(self) -> bool:
        """True if messages are erased, but not everything: requests about them may return later."""
        return bool(self.turn_ids) or self.project_id is not None

    @property
    def of_what_was_told(self) -> bool:
        """True if summaries are erased, with their messages or by themselves."""
        return self.of_what_was_said or bool(self.summary_ids)

    def may_be_told_in(self, summary_id: str) -> bool:
        """Tell whether a summary of this session may contain these messages.

        If messages are erased and no summary is named, any may: older erasures named none.
        """
        return summary_id in self.summary_ids or (bool(self.turn_ids) and not self.summary_ids)

    def takes(self, identity: str, scope: Scope) -> bool:
        """Tell whether this turn or summary, of any epoch, is to be erased."""
        return identity in self.turn_ids or identity in self.summary_ids or self.takes_scope(scope)

    def takes_scope(self, scope: Scope) -> bool:
        """Tell whether all that was said in this scope is to be erased."""
        return (
            self.project_id is not None
            and scope.project_id == self.project_id
            and self.agent_id in (None, scope.agent_id)
        )


class PendingErasure(Value):
    """An erasure that some service has not carried out yet; until then the data is hidden."""

    erasure: Erasure
    revision: int
    """The revision of its change set; texts about the user from before may contain erased content.
    """
