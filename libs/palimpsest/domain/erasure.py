"""What is to be erased for good: decided once, obeyed by whoever keeps any of it."""

from typing import Literal

from palimpsest.domain.model import Identifier, Value

ERASED_EPOCH = -1
"""The epoch of what was erased by itself: lower than any, so that whatever is not to come back
of an epoch that is over does not come back of this."""


class Erasure(Value):
    """Ids only: it says nothing of what it erases."""

    record: Literal["erasure"] = "erasure"
    everything: bool = False
    epoch: int
    """With `everything` the new epoch: all that is of a lower one is to go."""
    memory_ids: tuple[str, ...] = ()
    turn_ids: tuple[str, ...] = ()
    window_ids: tuple[str, ...] = ()
    request_ids: tuple[str, ...] = ()
    """Of accepted requests to remember something."""
    summary_ids: tuple[str, ...] = ()
    dead_letter_ids: tuple[str, ...] = ()
    project_id: Identifier | None = None
    """Whatever was said in this project, with `agent_id` or with anybody."""
    agent_id: Identifier | None = None

    @property
    def of_what_was_said(self) -> bool:
        """Whether messages go, but not all there is: what was asked about them may come back."""
        return bool(self.turn_ids) or self.project_id is not None
