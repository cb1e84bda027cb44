"""Daily budgets of tokens and money; days are UTC."""

from dataclasses import dataclass

from palimpsest.model.value_types import Value


class ModelSpend(Value):
    """Tokens and money spent; negative in a correction."""

    tokens: int = 0
    millionths: int = 0
    """Money, in millionths of the currency of the prices."""

    def __sub__(self, other: "ModelSpend") -> "ModelSpend":
        return ModelSpend(
            tokens=self.tokens - other.tokens, millionths=self.millionths - other.millionths
        )


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The spending limits of a day; None is no limit.

    Calls under way may exceed the rest of a budget.
    """

    tokens: int | None = None
    millionths: int | None = None

    def is_spent(self, spent: ModelSpend) -> bool:
        return (self.tokens is not None and spent.tokens >= self.tokens) or (
            self.millionths is not None and spent.millionths >= self.millionths
        )
