"""Standing questions: a question that is kept, with the answer that holds now and its sources."""

from typing import Annotated

from pydantic import Field

from palimpsest.api.scoped_request import ScopedRequest, WidenedRequest
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier, Instant, Value

QuestionText = Annotated[str, Field(min_length=1, max_length=2_000)]


class AddQuestionRequest(Value):
    """`POST /v1/questions`: a question to keep."""

    query: QuestionText
    """The question in its own words, 1 to 2,000 characters."""
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    """The most memories that an answer rests on, 1 to 50."""


class QuestionQuery(ScopedRequest):
    """One question: the scope from which it is seen."""


class QuestionListQuery(WidenedRequest):
    """`GET /v1/questions`: the scope whose questions are seen, or all of them."""


class QuestionAnswer(Value):
    """The answer that holds now."""

    text: str
    """The answer in the words of a language model, where one is configured and its words hold; else
    the memories that answer the question, one a line, best first. Empty if none does.
    """
    model: str | None = None
    """The vendor and name of the model that worded the text; null for memories, one a line."""
    sources: tuple[Memory, ...]
    """The memories that the answer rests on, the best first, in their present version."""
    answered_at: Instant
    """When the question was last asked anew, in UTC."""
    changed_at: Instant
    """When the answer last became another one, in UTC."""
    revision: int
    """The user's revision that the answer knows."""


class StandingQuestion(Value):
    """A kept question. Its answer is made anew when something that is remembered changes."""

    id: Identifier
    scope: Scope
    query: str
    """The question in its own words."""
    limit: int
    """The most memories that an answer rests on."""
    created_at: Instant
    answer: QuestionAnswer
    """The answer that holds now."""


class QuestionList(Value):
    """The questions that a scope sees, the oldest first."""

    questions: tuple[StandingQuestion, ...]
    """The questions with their answers."""
