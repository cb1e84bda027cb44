"""Entropy of a text, which tells random characters from written ones."""

from collections import Counter
from math import log2


def measure_entropy(text: str) -> float:
    """Measure Shannon's entropy in bits a character: 0 for one letter repeated."""
    length = len(text)
    return -sum(count / length * log2(count / length) for count in Counter(text).values())
