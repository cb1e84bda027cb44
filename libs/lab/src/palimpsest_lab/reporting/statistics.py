"""Percentiles and retrieval figures. Pure."""

import math
from collections.abc import Collection, Mapping, Sequence

_FIRST_WIDE = 0x2E80
"""From here on Unicode holds the scripts of East Asia."""

_LATIN_CHARACTERS_PER_TOKEN = 4


def compute_percentile(values: Sequence[float], percent: float) -> float:
    """The least value that `percent` of all do not exceed (nearest rank).

    Raises:
        ValueError: there are no values.
    """
    if not values:
        raise ValueError("no values to take a percentile of")
    ascending = sorted(values)
    return ascending[max(0, math.ceil(percent / 100 * len(ascending)) - 1)]


def compute_percentiles(values: Sequence[float], *percents: int) -> dict[str, float]:
    """`{"p50": ..., "p95": ...}`, to a hundredth; empty where nothing was measured."""
    if not values:
        return {}
    return {f"p{percent}": round(compute_percentile(values, percent), 2) for percent in percents}


def format_percentiles(found: Mapping[str, float]) -> str:
    """Format the result of `percentiles` for people."""
    return ", ".join(f"{name} {value:,.1f}" for name, value in found.items())


def compute_recall_at(ranked: Sequence[str], wanted: Collection[str], k: int) -> float:
    """The share of the wanted that is among the first `k`, each different one counted once."""
    first = list(dict.fromkeys(ranked))[:k]
    return len(set(first) & set(wanted)) / len(set(wanted))


def compute_reciprocal_rank(ranked: Sequence[str], wanted: Collection[str]) -> float:
    """1 / rank of the first wanted one; 0 where none was found."""
    for rank, one in enumerate(dict.fromkeys(ranked), start=1):
        if one in wanted:
            return 1 / rank
    return 0.0


def compute_mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def estimate_text_tokens(text: str) -> int:
    """About as many tokens as today's models make of it, within a tenth on ordinary text.

    Four Latin characters a token, and a Chinese character one: a true count
    would need a tokenizer's tables, which are larger than all the rest of us.
    """
    wide = sum(1 for character in text if ord(character) >= _FIRST_WIDE)
    return wide + math.ceil((len(text) - wide) / _LATIN_CHARACTERS_PER_TOKEN)
