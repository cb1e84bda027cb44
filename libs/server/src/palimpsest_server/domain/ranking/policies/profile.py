"""`profile` (004): how many summaries are read, and which of the newest."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from palimpsest.model.ranking_policy import PolicyName, limit_of

ON_REQUEST = 3
"""The nearest to what is asked: `SearchSummaries(..., limit: 3)`."""
READ_UNDER_A_BUDGET = 10
"""The newest, from which as many are taken as fit (`LoadRecentSummaries`)."""

Summary = TypeVar("Summary")


def most_read(token_budget: int | None) -> int:
    """How many of the newest are looked at; a budget is one that somebody gave."""
    return limit_of(PolicyName.PROFILE) if token_budget is None else READ_UNDER_A_BUDGET


def newest_within(
    newest_first: Sequence[Summary],
    *,
    token_budget: int | None,
    tokens_of: Callable[[Summary], int],
) -> tuple[Summary, ...]:
    """The summaries that a conversation starts with, newest first.

    Without a budget the five newest. With one at most ten, up to the first
    that does not fit: what is older waits, however short it is (`LoadRecentSummaries`).
    """
    looked_at = newest_first[: most_read(token_budget)]
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
