"""Bisection of a failing batch: tells which part to try next. No I/O, no clock."""

from collections.abc import Sequence
from typing import Generic, TypeVar

ItemT = TypeVar("ItemT")


class Bisection(Generic[ItemT]):
    """Walks through a batch in order, halving a failing part until a single item has failed.

    Good items are handled in their original order. Each item that fails alone costs at most about
    twice the logarithm of the batch size in calls.
    """

    def __init__(self, items: Sequence[ItemT]) -> None:
        self._parts: list[Sequence[ItemT]] = [items] if items else []

    @property
    def part(self) -> Sequence[ItemT]:
        """Return the part to try next; empty when all is done."""
        return self._parts[-1] if self._parts else ()

    def succeeded(self) -> None:
        self._parts.pop()

    def failed(self) -> ItemT | None:
        """Halve the failed part; a single failed item is removed from the batch and returned."""
        part = self._parts.pop()
        if len(part) == 1:
            return part[0]
        middle = len(part) // 2
        self._parts += [part[middle:], part[:middle]]
        return None
