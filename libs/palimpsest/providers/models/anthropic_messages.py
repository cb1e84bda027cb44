"""Anthropic's models, by the Messages API with structured output."""

from typing import Any

import anthropic
from anthropic.types import ContentBlockParam, Message, MessageParam

from palimpsest.domain.clock import Clock
from palimpsest.domain.pictures import enclosed
from palimpsest.providers.models.language_model import (
    Completion,
    Ending,
    Party,
    Prompt,
    Said,
    Usage,
)
from palimpsest.providers.models.vendor_errors import translated

_CUT_SHORT = frozenset({"max_tokens", "model_context_window_exceeded"})


class AnthropicMessages:
    vendor = "anthropic"

    def __init__(self, name: str, client: anthropic.AsyncAnthropic, *, clock: Clock) -> None:
        self.name = name
        self._client = client
        self._clock = clock

    async def complete(self, prompt: Prompt[Any], *, maximum_output_tokens: int) -> Completion:
        messages = [_message(each) for each in prompt.said]
        schema = anthropic.transform_schema(prompt.answer)
        with translated(anthropic, self.vendor, self._clock):
            # What `messages.parse` sends, and unlike it no error where the answer cannot be
            # read: that has cost its tokens all the same.
            message = await self._client.messages.create(
                model=self.name,
                max_tokens=maximum_output_tokens,
                system=prompt.instructions,
                messages=messages,
                output_config={"format": {"type": "json_schema", "schema": schema}},
            )
            return _completion(message)

    async def close(self) -> None:
        await self._client.close()


def _message(said: Said) -> MessageParam:
    if said.by is not Party.US:
        return {"role": "assistant", "content": said.text}
    if not said.pictures:
        return {"role": "user", "content": said.text}
    content: list[ContentBlockParam] = [{"type": "text", "text": said.text}]
    for picture in said.pictures:
        content.append({"type": "text", "text": picture.label})
        content.append({"type": "image", "source": _source(picture.url)})
    return {"role": "user", "content": content}


def _source(url: str) -> Any:
    given = enclosed(url)
    if given is None:
        return {"type": "url", "url": url}
    media_type, data = given
    return {"type": "base64", "media_type": media_type, "data": data}


def _completion(message: Message) -> Completion:
    usage = message.usage
    # What is read from the cache, or written to it, is counted apart from the rest.
    cached = usage.cache_read_input_tokens or 0
    return Completion(
        text="".join(block.text for block in message.content if block.type == "text"),
        usage=Usage(
            input_tokens=usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0),
            cached_input_tokens=cached,
            output_tokens=usage.output_tokens,
        ),
        ending=_ending(message.stop_reason),
    )


def _ending(stop_reason: str | None) -> Ending:
    if stop_reason == "refusal":
        return Ending.REFUSED
    return Ending.CUT_SHORT if stop_reason in _CUT_SHORT else Ending.COMPLETE
