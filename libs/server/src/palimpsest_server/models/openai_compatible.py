"""Servers that speak OpenAI's chat completions: Ollama, vLLM, llama.cpp and others.

Such servers differ in how far they enforce an answer's shape. Three ways are tried in this order: a JSON
schema, JSON of any shape, plain text. A way that a server refuses is not tried again. Some servers
accept a schema and ignore it: once that was seen, the model is told the schema in words too.
"""

import json
from enum import IntEnum
from typing import Any

import openai
from openai.types.chat import (
    ChatCompletion,
    ChatCompletionContentPartParam,
    ChatCompletionMessageParam,
)
from pydantic import ValidationError

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
from palimpsest_server.models.model_errors import PromptRefused, UnreadableResponse
from palimpsest_server.models.vendor_errors import translate_vendor_errors


class AnswerFormat(IntEnum):
    """The ways to request an answer's shape, strictest first."""

    JSON_SCHEMA = 0
    JSON_OBJECT = 1
    WORDS = 2


class OpenAICompatible:
    vendor = "compatible"

    def __init__(self, name: str, client: openai.AsyncOpenAI, *, clock: Clock) -> None:
        self.name = name
        self._client = client
        self._clock = clock
        self.shaping = AnswerFormat.JSON_SCHEMA
        """The strictest way that this server is not known to refuse."""
        self.keeps_to_schemas = True
        """True until an answer of another shape was seen."""

    async def complete(self, prompt: Prompt[Any], *, maximum_output_tokens: int) -> ModelCompletion:
        for shaping in AnswerFormat:
            if shaping < self.shaping:
                continue
            try:
                completion = await self._complete(prompt, shaping, maximum_output_tokens)
            except PromptRefused:
                # The server may refuse the prompt itself: then it refuses it in every way.
                if shaping is AnswerFormat.WORDS:
                    raise
            else:
                self.shaping = max(self.shaping, shaping)
                self.keeps_to_schemas &= shaping is not AnswerFormat.JSON_SCHEMA or _fits(
                    completion, prompt
                )
                return completion
        raise AssertionError("the last way returns or raises")

    async def close(self) -> None:
        await self._client.close()

    async def _complete(
        self, prompt: Prompt[Any], shaping: AnswerFormat, maximum_output_tokens: int
    ) -> ModelCompletion:
        in_words = shaping is not AnswerFormat.JSON_SCHEMA or not self.keeps_to_schemas
        messages = _messages(prompt, in_words=in_words)
        response_format = _response_format(prompt, shaping)
        with translate_vendor_errors(openai, self.vendor, self._clock):
            answered = await self._client.chat.completions.create(
                model=self.name,
                messages=messages,
                max_tokens=maximum_output_tokens,
                response_format=response_format,
            )
            return _completion(answered)


def _fits(completion: ModelCompletion, prompt: Prompt[Any]) -> bool:
    if completion.ending is not FinishReason.COMPLETE:
        return True  # A cut or refused answer says nothing about the server.
    try:
        prompt.answer.model_validate_json(completion.text)
    except ValidationError:
        return False
    return True


def _messages(prompt: Prompt[Any], *, in_words: bool) -> list[ChatCompletionMessageParam]:
    instructions = prompt.instructions
    if in_words:
        schema = json.dumps(prompt.answer.model_json_schema(), ensure_ascii=False)
        instructions += (
            f"\n\nAnswer with one JSON object of this schema, and nothing else:\n{schema}"
        )
    messages: list[ChatCompletionMessageParam] = [{"role": "system", "content": instructions}]
    for message in prompt.said:
        if message.by is PromptRole.US:
            messages.append({"role": "user", "content": _content(message)})
        else:
            messages.append({"role": "assistant", "content": message.text})
    return messages


def _content(said: PromptMessage) -> str | list[ChatCompletionContentPartParam]:
    """Return the content of a message, with its pictures.

    Addresses of pictures are not passed on: the server would fetch them from inside its operator's
    network, for the sender of a message.
    """
    given = [picture for picture in said.pictures if split_data_url(picture.url)]
    if not given:
        return said.text
    content: list[ChatCompletionContentPartParam] = [{"type": "text", "text": said.text}]
    for picture in given:
        content.append({"type": "text", "text": picture.label})
        content.append({"type": "image_url", "image_url": {"url": picture.url}})
    return content


def _response_format(prompt: Prompt[Any], shaping: AnswerFormat) -> Any:
    match shaping:
        case AnswerFormat.JSON_SCHEMA:
            # The client's only public way to the strict form of a schema.
            tool = openai.pydantic_function_tool(prompt.answer)["function"]
            return {
                "type": "json_schema",
                "json_schema": {
                    "name": prompt.answer.__name__,
                    "schema": tool["parameters"],
                    "strict": True,
                },
            }
        case AnswerFormat.JSON_OBJECT:
            return {"type": "json_object"}
        case AnswerFormat.WORDS:
            return openai.omit


def _completion(answered: ChatCompletion) -> ModelCompletion:
    if not answered.choices:
        raise UnreadableResponse("compatible sent an answer without choices")
    choice, usage = answered.choices[0], answered.usage
    ending = FinishReason.COMPLETE
    if choice.message.refusal or choice.finish_reason == "content_filter":
        ending = FinishReason.REFUSED
    elif choice.finish_reason == "length":
        ending = FinishReason.CUT_SHORT
    details = usage.prompt_tokens_details if usage else None
    return ModelCompletion(
        text=choice.message.content or "",
        usage=TokenUsage(
            input_tokens=usage.prompt_tokens if usage else 0,
            cached_input_tokens=(details.cached_tokens if details else None) or 0,
            output_tokens=usage.completion_tokens if usage else 0,
        ),
        ending=ending,
    )
