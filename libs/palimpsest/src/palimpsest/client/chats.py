"""Chats through the proxy, over HTTP: `client.chats`, with memory or without."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel
from pydantic_core import to_json

from palimpsest.client.connections import ClientConnections

CHAT_SECONDS = 120.0
"""Seconds that a model may think; a chat is sent once, for each attempt costs."""
MODELS_SECONDS = 5.0


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    """A vendor's answer, as far as it is read."""

    choices: tuple[_Choice, ...] = ()


class _Model(BaseModel):
    id: str


class _Models(BaseModel):
    data: tuple[_Model, ...] = ()


class ChatCalls:
    """Calls on the model that the deployment passes chats on to."""

    def __init__(self, connections: ClientConnections) -> None:
        self._connections = connections

    async def answer(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        model: str,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        session_id: str | None = None,
        incognito: bool = False,
        timeout_seconds: float = CHAT_SECONDS,
    ) -> str:
        """Have the deployment's model answer a dialogue, `{"role": "user", "content": "…"}`; return its words.

        What is remembered of the user goes into the prompt, and what was said is kept. Incognito, nothing
        is read and nothing kept.

        Raises:
            Conflict: the deployment passes chats on to nobody.
            ClientError: the vendor refused, or did not answer; it is not asked again.
        """
        whose = {
            "X-Palimpsest-User": user_id,
            "X-Palimpsest-Agent": agent_id,
            "X-Palimpsest-Project": project_id,
            "X-Palimpsest-Session": session_id,
            "X-Palimpsest-Incognito": "true" if incognito else None,
        }
        answer = await self._connections.console.send_once(
            "POST",
            "/v1/chat/completions",
            _Completion,
            content=to_json({"model": model, "messages": list(messages)}),
            headers={name: value for name, value in whose.items() if value},
            timeout_seconds=timeout_seconds,
        )
        return "".join(choice.message.content or "" for choice in answer.choices[:1])

    async def models(
        self, user_id: str, *, agent_id: str | None = None, timeout_seconds: float = MODELS_SECONDS
    ) -> tuple[str, ...]:
        """Return the names of the models that the deployment passes chats of this user on to.

        Raises:
            Conflict: it passes chats on to nobody.
        """
        whose = {"X-Palimpsest-User": user_id, "X-Palimpsest-Agent": agent_id}
        answer = await self._connections.console.send_once(
            "GET",
            "/v1/models",
            _Models,
            headers={name: value for name, value in whose.items() if value},
            timeout_seconds=timeout_seconds,
        )
        return tuple(model.id for model in answer.data)
