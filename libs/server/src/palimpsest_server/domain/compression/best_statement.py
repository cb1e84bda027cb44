"""Choose the statement that represents several: the most important, and of equals the most typical."""

from collections.abc import Sequence
from itertools import pairwise

from palimpsest.model.memory import Memory
from palimpsest_language.wording.normalization import extract_gist


def choose_best_statement(memories: Sequence[Memory]) -> Memory:
    """Return the memory whose statement is kept, from at least one memory in any order.

    The order of preference is importance, share of words in common with the others, confidence,
    number of words, and newness.
    """
    words = {memory.id: collect_words(memory) for memory in memories}

    def weight(memory: Memory) -> tuple[object, ...]:
        own = words[memory.id]
        shared = sum(measure_overlap(own, words[other.id]) for other in memories)
        return (
            memory.importance,
            round(shared, 6),
            memory.confidence,
            len(own),
            memory.recorded_at,
            memory.id,
        )

    return max(memories, key=weight)


def collect_words(memory: Memory) -> frozenset[str]:
    """Return the words of a statement, their pairs, and the entities that it names."""
    tokens = extract_gist(memory.content).split()
    pairs = (one + other for one, other in pairwise(tokens))
    return frozenset((*tokens, *pairs, *memory.entities))


def measure_overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words that two statements have in common, 0 to 1."""
    return len(one & other) / (len(one | other) or 1)
