"""Compute tokens and money for a thousand conversations, and against the full context."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from palimpsest.model.usage import UsageSum
from palimpsest_lab.reporting.statistics import compute_mean
from palimpsest_server.models.language_model import TokenUsage
from palimpsest_server.models.prices import ModelPrices

THOUSAND = 1_000

REFERENCE_HISTORY_TOKENS = 16_667
"""Tokens along with each message, if $750 a month buy 300,000 of them at $0.15 a million: from
there come the 88 % that memory is said to save."""


@dataclass
class ChatTokens:
    """Input tokens of the chat model, over all messages of users."""

    messages: int = 0
    full_context: int = 0
    recent: int = 0
    blocks: list[int] = field(default_factory=list)

    @property
    def with_memory(self) -> int:
        return self.recent + sum(self.blocks)


def compute_cost_figures(
    tasks: Mapping[str, UsageSum],
    chat: ChatTokens,
    *,
    conversations: int,
    prices: ModelPrices | None,
) -> dict[str, Any]:
    """Compute figures by task and in total, for a thousand conversations and against the full context."""
    priced = prices is not None
    everything = sum(tasks.values(), start=UsageSum())
    rows = {
        **{
            task: _row(usage_sum, conversations, priced=priced)
            for task, usage_sum in sorted(tasks.items())
        },
        "all": _row(everything, conversations, priced=priced),
    }
    full = _of_thousand(chat.full_context, conversations)
    sent = _of_thousand(chat.with_memory, conversations)
    taken = rows["all"]["input_tokens"] + rows["all"]["output_tokens"]
    against: dict[str, Any] = {
        "messages": _of_thousand(chat.messages, conversations),
        "full_context_tokens": full,
        "with_memory_tokens": sent,
        "block_tokens_mean": round(compute_mean(chat.blocks), 1),
        "saving_tokens": _saving(sent + taken, full),
        "saving_cost": None,
        "saving_cost_of_memory_alone": None,
        "break_even_history_tokens": None,
        "saving_at_reference": None,
    }
    if prices is not None:
        full_cost, sent_cost = _cost(full, prices), _cost(sent, prices)
        own = rows["all"]["cost"]
        against |= {
            "full_context_cost": full_cost,
            "with_memory_cost": round(sent_cost + own, 4),
            "saving_cost": _saving(sent_cost + own, full_cost),
            # The chat model's own input is left out.
            "saving_cost_of_memory_alone": _saving(own, full_cost),
            **_by_history(sent_cost + own, chat, conversations, prices),
        }
    return {"per_thousand": rows, "against_full_context": against}


def _by_history(
    cost: float, chat: ChatTokens, conversations: int, prices: ModelPrices
) -> dict[str, Any]:
    """Compute from which length of history memory is worth its cost."""
    messages = chat.messages * THOUSAND / conversations
    if not messages or not prices.input:
        return {}
    as_tokens = cost * 1_000_000 / prices.input / messages
    return {
        "break_even_history_tokens": round(as_tokens),
        "saving_at_reference": _saving(as_tokens, REFERENCE_HISTORY_TOKENS),
    }


def _row(taken: UsageSum, conversations: int, *, priced: bool) -> dict[str, Any]:
    cost = taken.cost_millionths * THOUSAND / conversations / 1_000_000
    return {
        "calls": _of_thousand(taken.calls, conversations),
        "failed_calls": _of_thousand(taken.failed_calls, conversations),
        "input_tokens": _of_thousand(taken.input_tokens, conversations),
        "output_tokens": _of_thousand(taken.output_tokens, conversations),
        "cost": round(cost, 4) if priced else None,
    }


def _of_thousand(count: int, conversations: int) -> int:
    return round(count * THOUSAND / conversations)


def _cost(input_tokens: int, prices: ModelPrices) -> float:
    used = TokenUsage(input_tokens=input_tokens, output_tokens=0)
    return round(prices.millionths(used) / 1_000_000, 4)


def _saving(ours: float, theirs: float) -> float | None:
    return round(1 - ours / theirs, 4) if theirs else None
