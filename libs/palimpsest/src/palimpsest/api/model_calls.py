"""`GET /v1/usage/calls`: single calls of language models for a user, and what followed from each."""

from typing import Annotated

from pydantic import Field, NonNegativeInt

from palimpsest.api.resources import UsageQuery
from palimpsest.model.value_types import Identifier, Instant, Value


class ModelCallQuery(UsageQuery):
    """`GET /v1/usage/calls`: the calls of a user on some days, in UTC; by default of the last 30."""

    limit: Annotated[int, Field(ge=1, le=200)] = 50
    """The most calls to return, 1 to 200."""
    cursor: Identifier | None = None
    """`next_cursor` of the previous page; leave it out for the first page."""


class ModelCallRow(Value):
    """One call of a language model: its tokens, its cost and what it made, without any words."""

    id: str
    """The id of the call, under which it is also announced."""
    agent_id: Identifier | None = None
    """The agent for which it was made; null for none."""
    request_id: str | None
    """The request that it belongs to; a request that is tried again makes further calls."""
    task: str
    """The task of the call, such as extraction or summary."""
    model: str
    """The model by vendor and name, as in the settings."""
    begun_at: Instant
    """When the call was made."""
    input_tokens: NonNegativeInt
    """Tokens sent to the model, cached ones included."""
    cached_input_tokens: NonNegativeInt
    """Tokens that the vendor had cached."""
    output_tokens: NonNegativeInt
    """Tokens that the model answered with."""
    cost_millionths: NonNegativeInt
    """The cost in millionths of the currency of the prices."""
    failure: str | None = None
    """Why the call has no usable answer, such as `timed_out`; null if it has one."""
    estimated: bool = False
    """True if the tokens are an estimate and not the vendor's count."""
    change_set_id: str | None = None
    """The change that followed from its request; null if none did yet, or the call failed."""
    session_id: Identifier | None = None
    """The conversation that was read; null for a request that is about no single one."""
    memory_ids: tuple[str, ...] = ()
    """The memories that it added or changed."""


class ModelCallList(Value):
    """One page of calls that have ended, the latest first. Each is kept for 400 days."""

    calls: tuple[ModelCallRow, ...]
    """The calls of this page."""
    next_cursor: str | None = None
    """The cursor of the next page; null if this is the last."""
