"""`profile` (004): how many summaries are read, and which of the newest."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from palimpsest.model.ranking_policy import PolicyName, limit_of

SUMMARIES_ON_REQUEST = 3
"""The nearest to what is asked: `SearchSummaries(..., limit: 3)`."""
SUMMARIES_WITHIN_BUDGET = 10
"""The newest, from which as many are taken as fit (`LoadRecentSummaries`)."""

Summary = TypeVar("Summary")


def count_latest_summaries(token_budget: int | None) -> int:
    """How many of the newest are looked at; a budget is one that somebody gave."""
    return limit_of(PolicyName.PROFILE) if token_budget is None else SUMMARIES_WITHIN_BUDGET


def select_latest_summaries(
    newest_first: Sequence[Summary],
    *,
    token_budget: int | None,
    tokens_of: Callable[[Summary], int],
) -> tuple[Summary, ...]:
    """The summaries that a conversation starts with, newest first.

    Without a budget the five newest. With one at most ten, up to the first
    that does not fit: what is older waits, however short it is (`LoadRecentSummaries`).
    """
    looked_at = newest_first[: count_latest_summaries(token_budget)]
    if token_budget is None:
        return tuple(looked_at)
    fitting: list[Summary] = []
    used = 0
    for summary in looked_at:
        used += tokens_of(summary)
        if used > token_budget:
            break
        fitting.append(summary)
    return tuple(fitting)
