"""Anthropic's models, by the Messages API with structured output."""

from typing import Any

import anthropic
from anthropic.types import ContentBlockParam, Message, MessageParam

from palimpsest.model.clock import Clock
from palimpsest_server.domain.pictures import split_data_url
from palimpsest_server.models.language_model import (
    FinishReason,
    ModelCompletion,
    Prompt,
    PromptMessage,
    PromptRole,
    TokenUsage,
)
from palimpsest_server.models.vendor_errors import translate_vendor_errors

_CUT_SHORT = frozenset({"max_tokens", "model_context_window_exceeded"})


class AnthropicMessages:
    vendor = "anthropic"

    def __init__(self, name: str, client: anthropic.AsyncAnthropic, *, clock: Clock) -> None:
        self.name = name
        self._client = client
        self._clock = clock

    async def complete(self, prompt: Prompt[Any], *, maximum_output_tokens: int) -> ModelCompletion:
        messages = [_message(prompt_message) for prompt_message in prompt.said]
        schema = anthropic.transform_schema(prompt.answer)
        with translate_vendor_errors(anthropic, self.vendor, self._clock):
            # Like `messages.parse`, but without an error if the answer cannot be read: its tokens
            # have to be counted all the same.
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


def _message(said: PromptMessage) -> MessageParam:
    if said.by is not PromptRole.US:
        return {"role": "assistant", "content": said.text}
    if not said.pictures:
        return {"role": "user", "content": said.text}
    content: list[ContentBlockParam] = [{"type": "text", "text": said.text}]
    for picture in said.pictures:
        content.append({"type": "text", "text": picture.label})
        content.append({"type": "image", "source": _source(picture.url)})
    return {"role": "user", "content": content}


def _source(url: str) -> Any:
    given = split_data_url(url)
    if given is None:
        return {"type": "url", "url": url}
    media_type, data = given
    return {"type": "base64", "media_type": media_type, "data": data}


def _completion(message: Message) -> ModelCompletion:
    usage = message.usage
    # Tokens read from the cache or written to it are counted separately by the vendor.
    cached = usage.cache_read_input_tokens or 0
    return ModelCompletion(
        text="".join(block.text for block in message.content if block.type == "text"),
        usage=TokenUsage(
            input_tokens=usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0),
            cached_input_tokens=cached,
            output_tokens=usage.output_tokens,
        ),
        ending=_ending(message.stop_reason),
    )


def _ending(stop_reason: str | None) -> FinishReason:
    if stop_reason == "refusal":
        return FinishReason.REFUSED
    return FinishReason.CUT_SHORT if stop_reason in _CUT_SHORT else FinishReason.COMPLETE
