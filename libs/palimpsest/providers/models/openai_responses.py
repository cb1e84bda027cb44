"""OpenAI's models, by the Responses API with structured output."""

from typing import Any

import openai
from openai.types.responses import (
    ParsedResponse,
    ResponseInputContentParam,
    ResponseInputItemParam,
    ResponseUsage,
)

from palimpsest.domain.clock import Clock
from palimpsest.providers.models.failures import UnreadableBody
from palimpsest.providers.models.language_model import (
    Completion,
    Ending,
    Party,
    Prompt,
    Said,
    Usage,
)
from palimpsest.providers.models.vendor_errors import translated

_ENDED = frozenset({"completed", "incomplete"})


class OpenAIResponses:
    vendor = "openai"

    def __init__(self, name: str, client: openai.AsyncOpenAI, *, clock: Clock) -> None:
        self.name = name
        self._client = client
        self._clock = clock

    async def complete(self, prompt: Prompt[Any], *, maximum_output_tokens: int) -> Completion:
        said = [_message(each) for each in prompt.said]
        with translated(openai, self.vendor, self._clock):
            response = await self._client.responses.parse(
                model=self.name,
                instructions=prompt.instructions,
                input=said,
                text_format=prompt.answer,
                # Read by us: an answer that cannot be read has cost its tokens all the same.
                parse_as=None,
                max_output_tokens=maximum_output_tokens,
                # People's words are not left with the vendor.
                store=False,
            )
            return _completion(response)

    async def close(self) -> None:
        await self._client.close()


def _message(said: Said) -> ResponseInputItemParam:
    if not said.pictures or said.by is not Party.US:
        return {"role": said.by.value, "content": said.text}
    content: list[ResponseInputContentParam] = [{"type": "input_text", "text": said.text}]
    for picture in said.pictures:
        content.append({"type": "input_text", "text": picture.label})
        content.append({"type": "input_image", "image_url": picture.url, "detail": "auto"})
    return {"role": "user", "content": content}


def _completion(response: ParsedResponse[Any]) -> Completion:
    if response.status not in _ENDED:
        raise UnreadableBody(f"openai sent an answer that is {response.status or 'none'}")
    usage = response.usage
    return Completion(
        text=response.output_text,
        usage=Usage()
        if usage is None
        else Usage(
            input_tokens=usage.input_tokens,
            cached_input_tokens=_cached(usage),
            output_tokens=usage.output_tokens,
        ),
        ending=_ending(response),
    )


def _cached(usage: ResponseUsage) -> int:
    # Built unchecked by the client: what servers leave out is not there.
    details = getattr(usage, "input_tokens_details", None)
    return getattr(details, "cached_tokens", None) or 0


def _ending(response: ParsedResponse[Any]) -> Ending:
    refused = any(
        content.type == "refusal"
        for item in response.output
        if item.type == "message"
        for content in item.content
    )
    incomplete = response.incomplete_details
    if refused or (incomplete is not None and incomplete.reason == "content_filter"):
        return Ending.REFUSED
    return Ending.CUT_SHORT if response.status == "incomplete" else Ending.COMPLETE
