"""Memory as a capability of a Pydantic AI agent: what it knows goes in, and what is said is kept.

    from palimpsest.integrations.pydantic_ai import PalimpsestMemory

    agent = Agent("openai:gpt-5-mini", capabilities=[PalimpsestMemory(user_id="ann")])

What is remembered and matters for the prompt stands in the instructions of each run; the exchange is
kept as a conversation afterwards; and the model may remember and recall with two tools.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.run import AgentRunResult
from pydantic_ai.toolsets import FunctionToolset

from palimpsest.client.errors import ClientError
from palimpsest.client.sync_client import SyncPalimpsestClient
from palimpsest.integrations.connection_options import find_connection


@dataclass(kw_only=True)
class PalimpsestMemory(AbstractCapability[Any]):
    """The capability; where memory does not answer, the agent runs without it."""

    user_id: str
    agent_id: str | None = None
    http_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 10.0
    """The most seconds that a run waits for memory at a time."""
    keeps_conversation: bool = True
    """True to keep what is said in a run as a conversation."""

    def __post_init__(self) -> None:
        self._whose: dict[str, Any] = {"user_id": self.user_id, "agent_id": self.agent_id}
        self._client = SyncPalimpsestClient(
            **find_connection(self.http_url, self.api_key),
            timeout_seconds=self.timeout_seconds,
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def get_instructions(self) -> Any:
        """Return what writes the memories that matter for the prompt into the instructions."""
        return self._recall_for_prompt

    def get_toolset(self) -> FunctionToolset[Any]:
        """Return the tools `remember` and `recall`."""
        return FunctionToolset[Any]([self.remember, self.recall])

    async def remember(self, content: str) -> str:
        """Remember a statement about the user, such as a preference or a fact, for later runs."""
        await asyncio.to_thread(self._client.add, content, **self._whose)
        return "remembered"

    async def recall(self, query: str) -> list[str]:
        """Return what is remembered about the user that answers a question."""
        answer = await asyncio.to_thread(self._client.recall, query, **self._whose)
        return [result.content for result in answer.results]

    async def after_run(
        self, ctx: RunContext[Any], *, result: AgentRunResult[Any]
    ) -> AgentRunResult[Any]:
        """Keep what was said, and return the result as it is."""
        prompt = _read_prompt(ctx)
        if self.keeps_conversation and prompt:
            said = [{"role": "user", "content": prompt}]
            said += [{"role": "assistant", "content": str(result.output)}]
            await self._try(
                self._client.save_conversation,
                said,
                session_id=ctx.conversation_id or ctx.run_id or "run",
            )
        return result

    async def _recall_for_prompt(self, ctx: RunContext[Any]) -> str:
        context = await self._try(self._client.context, _read_prompt(ctx) or None)
        return "" if context is None else str(context.block)

    async def _try(self, call: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return await asyncio.to_thread(call, *arguments, **options, **self._whose)
        except (ClientError, OSError):
            return None


def _read_prompt(ctx: RunContext[Any]) -> str:
    """Return the words of the prompt; parts that are no words are left out."""
    parts = ctx.prompt if isinstance(ctx.prompt, (list, tuple)) else [ctx.prompt]
    return "\n".join(part for part in parts if isinstance(part, str) and part.strip())
