"""Parse a model's text into the answer that was asked for.

Strictly, then tolerantly, or not at all.
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
"""So many of a shape's flaws are told to the model; the others are of the same kind."""

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)


def parse_answer(completion: ModelCompletion, answer: type[AnswerT]) -> AnswerT:
    """The answer in a completion; prose, code fences and thoughts around it are let pass.

    Raises:
        ModelRefused: there is none, on purpose.
        UnusableAnswer: there is none, or one of another shape.
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
            # The last one that fits: what is said before it are thoughts and examples.
            # Read as JSON once more: Python's own reader lets half characters pass.
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
    """The JSON objects in a text, outermost ones, in order."""
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
    # Where and what kind of flaw, never the value: that may be what a user said.
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
