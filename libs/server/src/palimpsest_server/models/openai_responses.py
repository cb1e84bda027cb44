"""OpenAI's models, by the Responses API with structured output."""

from typing import Any

import openai
from openai.types.responses import (
    ParsedResponse,
    ResponseInputContentParam,
    ResponseInputItemParam,
    ResponseUsage,
)

from palimpsest.model.clock import Clock
from palimpsest_server.models.language_model import (
    FinishReason,
    ModelCompletion,
    Prompt,
    PromptMessage,
    PromptRole,
    TokenUsage,
)
from palimpsest_server.models.model_errors import UnreadableResponse
from palimpsest_server.models.vendor_errors import translate_vendor_errors

_ENDED = frozenset({"completed", "incomplete"})


class OpenAIResponses:
    vendor = "openai"

    def __init__(self, name: str, client: openai.AsyncOpenAI, *, clock: Clock) -> None:
        self.name = name
        self._client = client
        self._clock = clock

    async def complete(self, prompt: Prompt[Any], *, maximum_output_tokens: int) -> ModelCompletion:
        said = [_message(message) for message in prompt.said]
        with translate_vendor_errors(openai, self.vendor, self._clock):
            response = await self._client.responses.parse(
                model=self.name,
                instructions=prompt.instructions,
                input=said,
                text_format=prompt.answer,
                # Parsed here, because an unreadable answer has cost its tokens all the same.
                parse_as=None,
                max_output_tokens=maximum_output_tokens,
                # The vendor must not store people's words.
                store=False,
            )
            return _completion(response)

    async def close(self) -> None:
        await self._client.close()


def _message(said: PromptMessage) -> ResponseInputItemParam:
    if not said.pictures or said.by is not PromptRole.US:
        return {"role": said.by.value, "content": said.text}
    content: list[ResponseInputContentParam] = [{"type": "input_text", "text": said.text}]
    for picture in said.pictures:
        content.append({"type": "input_text", "text": picture.label})
        content.append({"type": "input_image", "image_url": picture.url, "detail": "auto"})
    return {"role": "user", "content": content}


def _completion(response: ParsedResponse[Any]) -> ModelCompletion:
    if response.status not in _ENDED:
        raise UnreadableResponse(f"openai sent an answer that is {response.status or 'none'}")
    usage = response.usage
    return ModelCompletion(
        text=response.output_text,
        usage=TokenUsage()
        if usage is None
        else TokenUsage(
            input_tokens=usage.input_tokens,
            cached_input_tokens=_cached(usage),
            output_tokens=usage.output_tokens,
        ),
        ending=_ending(response),
    )


def _cached(usage: ResponseUsage) -> int:
    # The client builds values unchecked, so fields that a server omits do not exist.
    details = getattr(usage, "input_tokens_details", None)
    return getattr(details, "cached_tokens", None) or 0


def _ending(response: ParsedResponse[Any]) -> FinishReason:
    refused = any(
        content.type == "refusal"
        for item in response.output
        if item.type == "message"
        for content in item.content
    )
    incomplete = response.incomplete_details
    if refused or (incomplete is not None and incomplete.reason == "content_filter"):
        return FinishReason.REFUSED
    return FinishReason.CUT_SHORT if response.status == "incomplete" else FinishReason.COMPLETE
