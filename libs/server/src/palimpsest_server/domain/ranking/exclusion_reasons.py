"""Why a find is not shown, in a word: rules that only its document can tell. None: it is shown."""

from datetime import datetime

from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_times import is_held_at
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import UserState
from palimpsest_language.off_the_record.own_words import own_text
from palimpsest_language.question_intents.repeated_question import repeats_question
from palimpsest_server.domain.ranking.ranking_features import is_filler_turn
from palimpsest_server.domain.ranking.visibility import Visibility
from palimpsest_server.domain.summaries.summary_visibility import is_erased, is_invalidated

SAYS_NOTHING, THE_QUESTION = "says_nothing", "the_question"

DISCLOSED_REASONS = frozenset(
    {
        "not_active", "no_longer_valid", "not_valid_then", "said_later", THE_QUESTION,
        "other_kind", "other_time", SAYS_NOTHING,
    }
)  # fmt: skip
"""Reasons that may be told: of others' and of what was erased nothing is."""


def explain_hidden_memory(memory: Memory, sight: Visibility) -> str | None:
    """One that begins only later is shown: a plan is worth knowing before its day."""
    if memory.scope not in sight.scopes:
        return "not_in_scope"
    if memory.epoch < sight.state.epoch:
        return "erased"
    if memory.status not in sight.statuses:
        return "not_active"
    if sight.kinds is not None and memory.kind not in sight.kinds:
        return "other_kind"
    if not sight.in_time(memory.occurred_at):
        return "other_time"
    return _why_not_valid(memory, sight)


def _why_not_valid(memory: Memory, sight: Visibility) -> str | None:
    if sight.as_of is not None:
        return None if is_held_at(memory, sight.as_of) else "not_valid_then"
    if sight.past or sight.held_then(memory):
        return None
    over = _over(memory.valid_until, sight) or _over(memory.expires_at, sight)
    return "no_longer_valid" if over or memory.status is Status.SUPERSEDED else None


def _over(end: datetime | None, sight: Visibility) -> bool:
    return end is not None and end <= sight.now


def explain_hidden_turn(turn: Turn, sight: Visibility) -> str | None:
    if turn.scope not in sight.scopes:
        return "not_in_scope"
    if (taken_back := explain_withdrawn_turn(turn, sight.state)) is not None:
        return taken_back
    if sight.as_of is not None and turn.occurred_at > sight.as_of:
        return "said_later"
    if is_filler_turn(turn):
        return SAYS_NOTHING
    if turn.role is Role.USER and repeats_question(own_text(turn), sight.question):
        return THE_QUESTION
    return None if sight.in_time(turn.occurred_at) else "other_time"


def explain_withdrawn_turn(turn: Turn, state: UserState) -> str | None:
    """Whether its user had it erased, or what was remembered of it forgotten."""
    if is_erased(turn, state):
        return "erased"
    return "forgotten" if turn.id in state.withheld else None


def explain_hidden_summary(summary: SessionSummary, sight: Visibility) -> str | None:
    if summary.scope not in sight.scopes:
        return "not_in_scope"
    if is_erased(summary, sight.state):
        return "erased"
    if is_invalidated(summary, sight.state):
        return "forgotten"
    if sight.as_of is not None and summary.ended_at > sight.as_of:
        return "said_later"
    if not sight.in_time(summary.ended_at):
        return "other_time"
    return None if summary.counts(sight.now) else "no_longer_valid"
