"""A chat request in the form that both vendors use: a list of messages, each with a role."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from pydantic_core import from_json

from services.console.chat_proxy.json_text import Span, find_members, list_parts, strip_span

ASSISTANT, USER = "assistant", "user"

_NOT_SAID = frozenset({"tool_result", "tool_use", "thinking", "redacted_thinking"})
"""Types of parts that hold no words of a person."""

_QUESTION_CHARACTERS = 8_000
_EARLIER_MESSAGES = 2

ChatMessage = Mapping[str, Any]


class ChatRequest:
    """The body of a request. Its messages are parsed one by one, when they are needed."""

    def __init__(self, body: bytes) -> None:
        """Raises ValueError if the body is no chat."""
        self.body = body
        self.members = find_members(body)
        opening = self.members["messages"].start if "messages" in self.members else None
        if opening is None or body[opening : opening + 1] != b"[":
            raise ValueError("the body has no list of messages")
        self.messages_opening = opening
        self.spans = [strip_span(body, part) for part in list_parts(body, opening)]
        self._parsed: dict[int, ChatMessage] = {}

    def read(self, position: int) -> ChatMessage:
        """Parse one message.

        Raises:
            ValueError: it is not a JSON object.
        """
        if position not in self._parsed:
            message = from_json(self.body[slice(*self.spans[position])])
            if not isinstance(message, dict):
                raise ValueError("a message is no object")
            self._parsed[position] = message
        return self._parsed[position]

    def replace(self, span: Span, value: bytes) -> bytes:
        return b"".join([self.body[: span.start], value, self.body[span.end :]])

    @cached_property
    def said(self) -> Sequence[tuple[int, ChatMessage]]:
        """The user's messages since the last one of the assistant, with their positions."""
        found: list[tuple[int, ChatMessage]] = []
        for position, message in self._from_last():
            if message.get("role") == ASSISTANT:
                break
            if message.get("role") == USER and (content := keep_spoken(message.get("content"))):
                found.append((position, {**message, "content": content}))
        return found[::-1]

    @cached_property
    def question(self) -> str:
        """The last text of the user; empty without one."""
        for _, message in self._from_last():
            if message.get("role") == USER and (text := join_texts(message.get("content"))):
                return text[-_QUESTION_CHARACTERS:]
        return ""

    @cached_property
    def earlier(self) -> tuple[str, ...]:
        """The texts of the messages before the question, oldest first."""
        texts: list[str] = []
        asked = False
        for _, message in self._from_last():
            text = join_texts(message.get("content"))
            if not text or message.get("role") not in {USER, ASSISTANT}:
                continue
            if asked:
                texts.append(text[-_QUESTION_CHARACTERS:])
            asked = asked or message["role"] == USER
            if len(texts) == _EARLIER_MESSAGES:
                break
        return tuple(reversed(texts))

    @cached_property
    def opening_words(self) -> str:
        """The first text of the user, which stays the same throughout a dialogue."""
        for position in range(len(self.spans)):
            message = self.read(position)
            if message.get("role") == USER and (text := join_texts(message.get("content"))):
                return text
        return ""

    def _from_last(self) -> Iterator[tuple[int, ChatMessage]]:
        for position in reversed(range(len(self.spans))):
            yield position, self.read(position)


def keep_spoken(content: object) -> str | list[Any]:
    """Return a message's content without tool results and the like; empty if nothing is left."""
    if isinstance(content, str):
        return content if content.strip() else ""
    if not isinstance(content, list):
        return ""
    parts = [
        part for part in content if isinstance(part, dict) and part.get("type") not in _NOT_SAID
    ]
    return parts if any(part.get("type") != "text" or part.get("text") for part in parts) else ""


def join_texts(content: object) -> str:
    """Return the text of a message."""
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list) else []
    texts = [
        part["text"]
        for part in parts
        if isinstance(part, dict)
        and part.get("type") == "text"
        and isinstance(part.get("text"), str)
    ]
    return "\n".join(texts).strip()
