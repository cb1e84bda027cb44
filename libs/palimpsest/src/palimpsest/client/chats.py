"""Chats through the proxy, over HTTP: `client.chats`, with memory or without."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from palimpsest.api.resources import Problem
from palimpsest.client.connections import ClientConnections
from palimpsest.client.errors import ServerFailed

CHAT_SECONDS = 120.0
"""Seconds that a model may think; a chat is sent once, for each attempt costs."""
MODELS_SECONDS = 5.0

_CHAT_PATH = "/v1/chat/completions"
_UNREADABLE = Problem(
    reason="unreadable_answer", message="a part of the model's answer is not understood"
)


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    """A vendor's answer, as far as it is read."""

    choices: tuple[_Choice, ...] = ()


class _StreamedChoice(BaseModel):
    delta: _Message = _Message()


class _StreamedPart(BaseModel):
    """A part of a vendor's answer that is streamed."""

    choices: tuple[_StreamedChoice, ...] = ()


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
        answer = await self._connections.console.send_once(
            "POST",
            _CHAT_PATH,
            _Completion,
            content=to_json({"model": model, "messages": list(messages)}),
            headers=_name_chat(user_id, agent_id, project_id, session_id, is_incognito=incognito),
            timeout_seconds=timeout_seconds,
        )
        return "".join(choice.message.content or "" for choice in answer.choices[:1])

    async def stream(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        model: str,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        session_id: str | None = None,
        incognito: bool = False,
        silence_seconds: float = CHAT_SECONDS,
    ) -> AsyncGenerator[str, None]:
        """Have the model answer as `answer` does; yield its words as they come.

        Raises:
            Conflict: the deployment passes chats on to nobody.
            ClientError: the vendor refused, was silent for too long, or broke off.
        """
        lines = self._connections.console.lines(
            _CHAT_PATH,
            None,
            content=to_json({"model": model, "messages": list(messages), "stream": True}),
            headers=_name_chat(user_id, agent_id, project_id, session_id, is_incognito=incognito),
            silence_seconds=silence_seconds,
        )
        async with aclosing(lines):
            async for line in lines:
                field, _, data = line.partition(b":")
                if field != b"data" or data.strip() == b"[DONE]":
                    continue
                if words := _read_words(data):
                    yield words

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


def _name_chat(
    user_id: str,
    agent_id: str | None,
    project_id: str | None,
    session_id: str | None,
    *,
    is_incognito: bool,
) -> dict[str, str]:
    """Return the headers that say whose chat it is."""
    whose = {
        "X-Palimpsest-User": user_id,
        "X-Palimpsest-Agent": agent_id,
        "X-Palimpsest-Project": project_id,
        "X-Palimpsest-Session": session_id,
        "X-Palimpsest-Incognito": "true" if is_incognito else None,
    }
    return {name: value for name, value in whose.items() if value}


def _read_words(data: bytes) -> str:
    try:
        part = _StreamedPart.model_validate_json(data)
    except ValidationError:
        raise ServerFailed(_UNREADABLE) from None
    return "".join(choice.delta.content or "" for choice in part.choices[:1])
