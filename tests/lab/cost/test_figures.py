"""What a thousand conversations cost, worked out from what was counted."""

import pytest

from palimpsest.model.usage import UsageSum
from palimpsest_lab.cost.figures import REFERENCE_HISTORY_TOKENS, ChatTokens, compute_cost_figures
from palimpsest_server.models.prices import ModelPrices

PRICES = ModelPrices(input=0.15, output=0.6)


def taken(calls: int, tokens: int) -> UsageSum:
    return UsageSum(
        calls=calls,
        input_tokens=tokens,
        output_tokens=tokens // 10,
        cost_millionths=round(tokens * 0.15 + tokens // 10 * 0.6),
    )


def test_what_was_taken_is_told_for_a_thousand_conversations() -> None:
    chat = ChatTokens(messages=40, full_context=400_000, recent=8_000, blocks=[300] * 40)
    tasks = {"extraction": taken(12, 12_000), "summary": taken(10, 8_000)}
    one = compute_cost_figures(tasks, chat, conversations=10, prices=PRICES)
    rows = one["per_thousand"]
    assert rows["extraction"]["calls"] == 1_200
    assert rows["extraction"]["input_tokens"] == 1_200_000
    assert rows["all"]["input_tokens"] == 2_000_000
    assert rows["all"]["cost"] == pytest.approx(0.42)
    against = one["against_full_context"]
    assert against["full_context_cost"] == pytest.approx(40_000_000 * 0.15 / 1e6)
    assert against["with_memory_tokens"] == 2_000_000
    assert against["saving_cost"] == pytest.approx(1 - (0.3 + 0.42) / 6, abs=1e-4)
    assert against["saving_cost_of_memory_alone"] == pytest.approx(1 - 0.42 / 6, abs=1e-4)
    # 0.72 for 4,000 messages is 1,200 tokens of input each.
    assert against["break_even_history_tokens"] == 1_200
    assert against["saving_at_reference"] == pytest.approx(
        1 - 1_200 / REFERENCE_HISTORY_TOKENS, abs=1e-4
    )


def test_without_a_price_there_are_tokens_and_no_cost() -> None:
    chat = ChatTokens(messages=4, full_context=10_000, recent=500, blocks=[100] * 4)
    one = compute_cost_figures({"summary": taken(1, 1_000)}, chat, conversations=1, prices=None)
    assert one["per_thousand"]["all"]["cost"] is None
    assert one["against_full_context"]["saving_cost"] is None
    assert one["against_full_context"]["saving_tokens"] == pytest.approx(0.8)
