"""Whether an account of a session may still be told: not where it rests on what its user took back."""

from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserState


def is_erased(said: Turn | SessionSummary, state: UserState) -> bool:
    """Whether a message or an account is gone for good, though it may still be there."""
    return said.epoch < state.epoch or state.is_going(said.id, said.scope)


def is_invalidated(summary: SessionSummary, state: UserState) -> bool:
    """Whether it may rest on what was forgotten by hand or set right since it was made."""
    return not state.not_told.get(summary.id, frozenset()).issubset(summary.left_out)


def is_summary_visible(summary: SessionSummary, state: UserState) -> bool:
    return not is_erased(summary, state) and not is_invalidated(summary, state)


def is_rewrite_needed(summary: SessionSummary, state: UserState) -> bool:
    """Whether it leaves out too little by now, or too much: something was restored."""
    wanted = state.not_told.get(summary.id, frozenset())
    return not summary.failed and wanted != frozenset(summary.left_out)
