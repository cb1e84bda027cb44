"""Explain in a word why a document is not shown; None if it is shown."""

from datetime import datetime

from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_times import is_held_at
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import UserState
from palimpsest_language.off_the_record.own_words import own_text
from palimpsest_language.question_intents.repeated_question import repeats_question
from palimpsest_language.statements.sarcasm import praises_in_sarcasm
from palimpsest_server.domain.ranking.extract_features import is_filler_turn
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.domain.summaries.summary_visibility import (
    is_confirmed,
    is_erased,
    is_invalidated,
    is_summary_visible,
)

SAYS_NOTHING, THE_QUESTION, UNCONFIRMED = "says_nothing", "the_question", "unconfirmed"
SARCASTIC = "sarcastic"

DISCLOSED_REASONS = frozenset(
    {
        "not_active", "no_longer_valid", "not_valid_then", "said_later", THE_QUESTION,
        "other_kind", "not_named", "other_time", SAYS_NOTHING, SARCASTIC,
    }
)  # fmt: skip
"""Reasons that may be disclosed. Nothing is disclosed about other users' or erased documents."""


def explain_hidden_memory(memory: Memory, visibility: Visibility) -> str | None:
    """Explain why a memory is not shown. A memory that begins later is shown: a plan is worth knowing early."""
    if memory.scope not in visibility.scopes:
        return "not_in_scope"
    if memory.epoch < visibility.state.epoch:
        return "erased"
    if memory.status not in visibility.statuses:
        return "not_active"
    return _why_not_asked_for(memory, visibility) or _why_not_valid(memory, visibility)


def _why_not_asked_for(memory: Memory, visibility: Visibility) -> str | None:
    if visibility.kinds is not None and memory.kind not in visibility.kinds:
        return "other_kind"
    if visibility.memory_ids is not None and memory.id not in visibility.memory_ids:
        return "not_named"
    return None if visibility.in_time(memory.occurred_at) else "other_time"


def _why_not_valid(memory: Memory, visibility: Visibility) -> str | None:
    if visibility.as_of is not None:
        return None if is_held_at(memory, visibility.as_of) else "not_valid_then"
    if visibility.past or visibility.held_then(memory):
        return None
    over = _over(memory.valid_until, visibility) or _over(memory.expires_at, visibility)
    return "no_longer_valid" if over or memory.status is Status.SUPERSEDED else None


def _over(end: datetime | None, visibility: Visibility) -> bool:
    return end is not None and end <= visibility.now


def explain_hidden_turn(turn: Turn, visibility: Visibility) -> str | None:
    if turn.scope not in visibility.scopes:
        return "not_in_scope"
    taken_back = explain_withdrawn_turn(turn, visibility.state)
    if taken_back is not None or not is_confirmed(turn, visibility.state):
        return taken_back or UNCONFIRMED
    if visibility.as_of is not None and turn.occurred_at > visibility.as_of:
        return "said_later"
    return _explain_idle_words(turn, visibility) or (
        None if visibility.in_time(turn.occurred_at) else "other_time"
    )


def _explain_idle_words(turn: Turn, visibility: Visibility) -> str | None:
    if is_filler_turn(turn):
        return SAYS_NOTHING
    if turn.role is not Role.USER:
        return None
    if repeats_question(own_text(turn), visibility.question):
        return THE_QUESTION
    return SARCASTIC if praises_in_sarcasm(own_text(turn)) else None


def explain_withdrawn_turn(turn: Turn, state: UserState) -> str | None:
    """Explain why a turn was taken back: it was erased, or forgotten together with its memories."""
    if is_erased(turn, state):
        return "erased"
    return "forgotten" if turn.id in state.withheld else None


def explain_hidden_summary(summary: SessionSummary, visibility: Visibility) -> str | None:
    if summary.scope not in visibility.scopes:
        return "not_in_scope"
    if is_erased(summary, visibility.state):
        return "erased"
    if not is_summary_visible(summary, visibility.state):
        return "forgotten" if is_invalidated(summary, visibility.state) else UNCONFIRMED
    if visibility.as_of is not None and summary.ended_at > visibility.as_of:
        return "said_later"
    if not visibility.in_time(summary.ended_at):
        return "other_time"
    return None if summary.counts(visibility.now) else "no_longer_valid"
