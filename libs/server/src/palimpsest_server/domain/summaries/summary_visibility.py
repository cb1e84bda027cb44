"""Decide whether a summary may still be shown: not if its user took back its sources."""

from palimpsest.model.session_summary import CHAT_SERVICE, SessionSummary
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserState


def is_erased(said: Turn | SessionSummary, state: UserState) -> bool:
    """Return whether a message or a summary is erased, though it may still be stored."""
    return said.epoch < state.epoch or state.is_going(said.id, said.scope)


def is_invalidated(summary: SessionSummary, state: UserState) -> bool:
    """Return whether a summary may rest on messages that were forgotten by hand or corrected since."""
    return not state.not_told.get(summary.id, frozenset()).issubset(summary.left_out)


def is_confirmed(said: Turn | SessionSummary, state: UserState) -> bool:
    """Return whether a message or a summary may be told as known.

    If a user switched automatic extraction off, only confirmed memories and summaries published by the
    chat service may be told.
    """
    by_chat_service = isinstance(said, SessionSummary) and said.made_by == CHAT_SERVICE
    return state.settings.automatic_extraction or by_chat_service


def is_summary_visible(summary: SessionSummary, state: UserState) -> bool:
    taken_back = is_erased(summary, state) or is_invalidated(summary, state)
    return not taken_back and is_confirmed(summary, state)


def is_rewrite_needed(summary: SessionSummary, state: UserState) -> bool:
    """Return whether a summary must be made anew: it leaves out too little, or too much after a restore."""
    wanted = state.not_told.get(summary.id, frozenset())
    return not summary.failed and wanted != frozenset(summary.left_out)
