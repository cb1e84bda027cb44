"""The two formats of chats: OpenAI's and Anthropic's."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json, to_json

from services.console.chat_proxy.chat_request import ChatRequest
from services.console.chat_proxy.json_text import Span

_INSTRUCTIONS = frozenset({"system", "developer"})


class ChatDialect(ABC):
    """A format of chats: where a prompt holds instructions, and where an answer holds text."""

    name: str
    upstream_path: str
    """The path of chats behind the upstream's address."""
    models_path: str
    """The path of the list of models behind it."""

    @abstractmethod
    def add_instructions(self, chat: ChatRequest, block: str) -> bytes:
        """Return the body with the block behind the instructions; all other bytes stay."""

    @abstractmethod
    def show_key(self, key: str) -> tuple[bytes, bytes]:
        """Return the header that sends a key to the upstream."""

    @abstractmethod
    def read_answer(self, answer: Mapping[str, Any]) -> str:
        """Return the words of a whole answer."""

    @abstractmethod
    def read_event(self, event: Mapping[str, Any]) -> str:
        """Return the words that an event of a stream adds."""

    @abstractmethod
    def is_last(self, data: bytes) -> bool:
        """Tell whether nothing follows this event of a stream."""


class OpenAiDialect(ChatDialect):
    """Chat completions."""

    name = "openai"
    upstream_path = "/chat/completions"
    models_path = "/models"

    def add_instructions(self, chat: ChatRequest, block: str) -> bytes:
        first = chat.read(0) if chat.spans else {}
        if first.get("role") in _INSTRUCTIONS:
            content = _append(first.get("content"), block)
            return chat.replace(chat.spans[0], to_json({**first, "content": content}))
        message = to_json({"role": "system", "content": block})
        behind = chat.messages_opening + 1
        return chat.replace(Span(behind, behind), message + (b"," if chat.spans else b""))

    def show_key(self, key: str) -> tuple[bytes, bytes]:
        return b"authorization", f"Bearer {key}".encode()

    def read_answer(self, answer: Mapping[str, Any]) -> str:
        return self._read(answer, "message")

    def read_event(self, event: Mapping[str, Any]) -> str:
        return self._read(event, "delta")

    def is_last(self, data: bytes) -> bool:
        return data == b"[DONE]"

    def _read(self, answer: Mapping[str, Any], part: str) -> str:
        """Return the text of the first choice; further choices are ignored."""
        for choice in answer.get("choices") or ():
            words = (choice.get(part) or {}).get("content")
            if choice.get("index", 0) == 0 and isinstance(words, str):
                return words
        return ""


class AnthropicDialect(ChatDialect):
    """Anthropic's messages."""

    name = "anthropic"
    upstream_path = "/v1/messages"
    models_path = "/v1/models"

    def add_instructions(self, chat: ChatRequest, block: str) -> bytes:
        span = chat.members.get("system")
        if span is None:
            behind = chat.body.index(b"{") + 1
            return chat.replace(Span(behind, behind), b'"system":' + to_json(block) + b",")
        return chat.replace(span, to_json(_append(from_json(chat.body[slice(*span)]), block)))

    def show_key(self, key: str) -> tuple[bytes, bytes]:
        return b"x-api-key", key.encode()

    def read_answer(self, answer: Mapping[str, Any]) -> str:
        blocks = answer.get("content") or ()
        return "".join(block["text"] for block in blocks if block.get("type") == "text")

    def read_event(self, event: Mapping[str, Any]) -> str:
        delta = event.get("delta") or {}
        is_text = event.get("type") == "content_block_delta" and delta.get("type") == "text_delta"
        return str(delta.get("text", "")) if is_text else ""

    def is_last(self, data: bytes) -> bool:
        return b'"message_stop"' in data and from_json(data).get("type") == "message_stop"


def _append(content: object, block: str) -> object:
    """Append the block to instructions: to a text, or as a part of a list."""
    if isinstance(content, list):
        return [*content, {"type": "text", "text": block}]
    return f"{content}\n\n{block}" if content else block
