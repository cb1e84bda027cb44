"""Usage of language models: every call with its tokens, its user and its task."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date
from enum import StrEnum

from pydantic import NonNegativeInt

from palimpsest.model.identifiers import derive_id
from palimpsest.model.value_types import Identifier, Instant, Value


class ModelCallState(StrEnum):
    BEGUN = "begun"
    """The call is under way: only an estimate of its cost is known."""
    ENDED = "ended"
    ANNOUNCED = "announced"


class ModelCall(Value):
    """One call of a language model, with the figures for billing."""

    id: str
    """The id of the call, derived from the attempt in the ledger, so that it counts once."""
    user_id: Identifier | None
    """The user; None once the user erased everything, while the figures stay."""
    agent_id: Identifier | None = None
    epoch: int = 0
    request_id: str | None
    """The id of the request in the extractor's ledger, such as a window's or a summary's."""
    task: str
    model: str
    """The model by vendor and name, as in the settings."""
    begun_at: Instant
    input_tokens: NonNegativeInt
    """Tokens sent to the model, cached ones included."""
    cached_input_tokens: NonNegativeInt = 0
    output_tokens: NonNegativeInt
    cost_millionths: NonNegativeInt
    """The cost in millionths of the currency of the prices."""
    failure: str | None = None
    """The reason why there is no usable answer; None if there is one."""
    estimated: bool = False
    """True if the tokens are an estimate: the call was cut off, or the vendor does not count them.
    """

    @property
    def day(self) -> date:
        return self.begun_at.astimezone(UTC).date()


class UsageSum(Value):
    calls: NonNegativeInt = 0
    failed_calls: NonNegativeInt = 0
    """The number of calls without a usable answer."""
    estimated_calls: NonNegativeInt = 0
    """The number of calls whose tokens are our estimate and not the vendor's count."""
    input_tokens: NonNegativeInt = 0
    """Tokens sent to the models, cached ones included."""
    cached_input_tokens: NonNegativeInt = 0
    output_tokens: NonNegativeInt = 0
    cost_millionths: NonNegativeInt = 0

    def __add__(self, other: "UsageSum") -> "UsageSum":
        ours, theirs = self.model_dump(), other.model_dump()
        return UsageSum(**{name: ours[name] + theirs[name] for name in UsageSum.model_fields})


class UsageKey(Value):
    """The key by which calls are added up."""

    day: date
    """The day of UTC on which the call began."""
    task: str
    model: str


class UsageRow(UsageKey):
    sum: UsageSum


def model_call_id(request_id: str, attempt: str, number: int) -> str:
    """Return the id of call `number` in one attempt at a request; `attempt` is its lease."""
    return derive_id("model_call", request_id, attempt, str(number))


def usage_of_call(call: ModelCall) -> UsageSum:
    return UsageSum(
        calls=1,
        failed_calls=int(call.failure is not None),
        estimated_calls=int(call.estimated),
        input_tokens=call.input_tokens,
        cached_input_tokens=call.cached_input_tokens,
        output_tokens=call.output_tokens,
        cost_millionths=call.cost_millionths,
    )


def group_usage(calls: Iterable[ModelCall]) -> list[UsageRow]:
    """Add up calls by day, task and model, latest day first."""
    sums: defaultdict[UsageKey, UsageSum] = defaultdict(UsageSum)
    for call in calls:
        sums[UsageKey(day=call.day, task=call.task, model=call.model)] += usage_of_call(call)
    return sort_usage_rows(
        UsageRow(day=key.day, task=key.task, model=key.model, sum=found)
        for key, found in sums.items()
    )


def sort_usage_rows(rows: Iterable[UsageRow]) -> list[UsageRow]:
    return sorted(rows, key=lambda row: (-row.day.toordinal(), row.task, row.model))


def sum_usage(rows: Iterable[UsageRow]) -> UsageSum:
    return sum((row.sum for row in rows), start=UsageSum())
