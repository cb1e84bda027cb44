"""Selection of summaries by the `profile` policy."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from palimpsest.model.ranking_policy import PolicyName, limit_of

SUMMARIES_ON_REQUEST = 3
"""Number of summaries returned for a question about an earlier conversation."""
SUMMARIES_WITHIN_BUDGET = 10
"""Newest summaries that are read if a token budget limits how many fit."""

Summary = TypeVar("Summary")


def count_latest_summaries(token_budget: int | None) -> int:
    """Return how many of the newest summaries are read; None is no budget."""
    return limit_of(PolicyName.PROFILE) if token_budget is None else SUMMARIES_WITHIN_BUDGET


def select_latest_summaries(
    newest_first: Sequence[Summary],
    *,
    token_budget: int | None,
    tokens_of: Callable[[Summary], int],
) -> tuple[Summary, ...]:
    """Return the summaries that a conversation starts with, newest first.

    Without a budget, the five newest. With a budget, at most ten, up to the first that does not
    fit: older ones are left out, however short they are.
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
