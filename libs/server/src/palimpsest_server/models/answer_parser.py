"""Parse a model's text into the requested answer.

Strict parsing is tried first, then tolerant parsing.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from palimpsest_server.models.language_model import AnswerT, FinishReason, ModelCompletion
from palimpsest_server.models.model_errors import (
    AnswerCutShort,
    ModelRefused,
    UnreadableAnswer,
    WrongAnswerSchema,
)

FLAWS_TOLD = 5
"""Number of schema flaws told to the model; further flaws are usually of the same kind."""

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)


def parse_answer(completion: ModelCompletion, answer: type[AnswerT]) -> AnswerT:
    """Return the answer in a completion; prose, code fences and thoughts around it are ignored.

    Raises:
        ModelRefused: the model declined to answer.
        UnusableAnswer: the completion has no answer, or an answer of another shape.
    """
    if completion.ending is FinishReason.REFUSED:
        raise ModelRefused("the model would not answer this")
    try:
        return answer.model_validate_json(completion.text)
    except ValidationError as error:
        if completion.ending is FinishReason.CUT_SHORT:
            raise AnswerCutShort(
                "the answer was longer than the tokens allowed",
                remedy="Your answer was cut off. Answer again, complete and much shorter: "
                "only what matters most.",
            ) from None
        flaw = error
    found: AnswerT | None = None
    flaws: list[ValidationError] = []
    for value in _objects(_THINKING.sub("", completion.text)):
        try:
            # The last object that fits, because thoughts and examples come before the answer.
            # Serialised and parsed again, because Python's own reader accepts half surrogate pairs.
            found = answer.model_validate_json(json.dumps(value))
        except ValidationError as error:
            flaws.append(error)
    if found is not None:
        return found
    if flaws:
        raise _wrong_schema(flaws[-1])
    if any(error["type"] != "json_invalid" for error in flaw.errors()):
        raise _wrong_schema(flaw)
    raise UnreadableAnswer(
        "there was no JSON object in the answer",
        remedy="That was not the JSON object asked for, or it was not complete. "
        "Answer again, with that object and nothing else.",
    )


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost JSON objects in a text, in order."""
    decoder = json.JSONDecoder()
    position = text.find("{")
    while position >= 0:
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
        else:
            yield value
        position = text.find("{", position)


def _wrong_schema(error: ValidationError) -> WrongAnswerSchema:
    # The place and kind of a flaw, never the value, which may be a user's words.
    flaws = [
        f"{'.'.join(map(str, each['loc'])) or 'the answer'}: {each['msg']}"
        for each in error.errors(include_input=False, include_url=False)[:FLAWS_TOLD]
    ]
    return WrongAnswerSchema(
        "the answer had another shape than was asked for",
        remedy="The JSON object has not the shape asked for: "
        + "; ".join(flaws)
        + ". Answer again with the corrected object and nothing else.",
    )
