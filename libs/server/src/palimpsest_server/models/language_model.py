"""Language models: instructions, messages, and the requested shape of the answer."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, NonNegativeInt

from palimpsest.model.value_types import Value

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class ModelTask(StrEnum):
    """The task for which a model is asked. Each has its own model in the settings."""

    EXTRACTION = "extraction"
    SUMMARY = "summary"
    PROFILE = "profile"
    JUDGEMENT = "judgement"
    REFLECTION = "reflection"
    ANSWER = "answer"


class TokenUsage(Value):
    """The tokens of one call, or of several."""

    input_tokens: NonNegativeInt = 0
    """All input tokens, cached ones included."""
    cached_input_tokens: NonNegativeInt = 0
    """Input tokens that the vendor read from its cache."""
    output_tokens: NonNegativeInt = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            input_tokens=self.input_tokens + other.input_tokens,
            cached_input_tokens=self.cached_input_tokens + other.cached_input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )


class FinishReason(StrEnum):
    COMPLETE = "complete"
    CUT_SHORT = "cut_short"
    """The model used up its allowed output tokens."""
    REFUSED = "refused"
    """The model, or a filter before it, refused to answer."""


class ModelCompletion(Value):
    """The raw text of a model, with its usage."""

    text: str
    usage: TokenUsage
    ending: FinishReason = FinishReason.COMPLETE


class PromptRole(StrEnum):
    US = "user"
    MODEL = "assistant"


class PromptPicture(Value):
    """A picture for the model, and its label in the prompt."""

    label: str
    url: str
    """An https address, which the vendor fetches, or a data URL."""


class PromptMessage(Value):
    by: PromptRole
    text: str
    pictures: tuple[PromptPicture, ...] = ()
    """Pictures beside our own text, for models that can see."""


@dataclass(frozen=True, kw_only=True)
class Prompt(Generic[AnswerT]):
    instructions: str
    said: tuple[PromptMessage, ...]
    answer: type[AnswerT]
    """Its fields have no defaults (except None) and no ranges, which some vendors do not support."""

    def followed_by(self, answer: str, remark: str) -> "Prompt[AnswerT]":
        """Return the prompt followed by the model's answer and our remark on it."""
        heard = PromptMessage(by=PromptRole.MODEL, text=answer or "(nothing)")
        return replace(self, said=(*self.said, heard, PromptMessage(by=PromptRole.US, text=remark)))


class LanguageModel(Protocol):
    """One model of one vendor. It neither retries nor parses answers."""

    @property
    def vendor(self) -> str: ...

    @property
    def name(self) -> str:
        """The vendor's name of the model."""
        ...

    async def complete(self, prompt: Prompt[Any], *, maximum_output_tokens: int) -> ModelCompletion:
        """Have the model answer, in the shape of `prompt.answer` as far as the vendor can enforce it.

        Raises:
            TransientError: the server is away, busy or broken; see `model_errors`.
            PermanentError: the vendor will never accept this prompt.
        """
        ...

    async def close(self) -> None: ...
