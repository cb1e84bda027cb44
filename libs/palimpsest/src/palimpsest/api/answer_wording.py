"""`POST /v1/extractions/answer`: a question's answer in the words of a language model."""

from typing import Annotated

from pydantic import Field

from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.api.standing_questions import QuestionText
from palimpsest.model.value_types import Identifier, Value


class AnswerRequest(ScopedRequest):
    """A question, and the memories of this scope that its answer may rest on."""

    query: QuestionText
    """The question in its own words, 1 to 2,000 characters."""
    memory_ids: Annotated[tuple[Identifier, ...], Field(min_length=1, max_length=50)]
    """The ids of the memories, the best first, 1 to 50."""


class WordedAnswer(Value):
    """An answer that the memories bear out; null where no model has given one."""

    text: str | None = None
    """The answer in the language of the question."""
    model: str | None = None
    """The vendor and name of the model that was asked, also where its answer did not hold."""
