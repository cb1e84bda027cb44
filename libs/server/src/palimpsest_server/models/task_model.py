"""A task's model: it is asked, its answer is parsed, repaired once if needed, and then refused."""

from collections.abc import Callable
from typing import Generic

from palimpsest_server.models.answer_parser import parse_answer
from palimpsest_server.models.guarded_model import GuardedModel
from palimpsest_server.models.language_model import AnswerT, ModelCompletion, ModelTask, Prompt
from palimpsest_server.models.model_errors import ModelNotAvailable, ModelRefused, UnusableAnswer
from palimpsest_server.models.model_metrics import ModelMetrics

AnswerCheck = Callable[[AnswerT], None]
"""Raises `UnusableAnswer` for an answer of the right shape that cannot be used all the same."""


class TaskModel:
    """A model bound to one task."""

    def __init__(self, model: GuardedModel, task: ModelTask, *, metrics: ModelMetrics) -> None:
        self._model = model
        self._task = task
        self._metrics = metrics

    @property
    def name(self) -> str:
        """Vendor and model, with which its answers are marked."""
        return self._model.name

    @property
    def vendor(self) -> str:
        return self._model.vendor

    def held(self) -> ModelNotAvailable | None:
        """Return why the model may not be asked now; None if it may."""
        return self._model.held()

    def room(self) -> int | None:
        """Return how many questions may begin now; None is any number."""
        return self._model.room()

    async def ask(
        self, prompt: Prompt[AnswerT], *, user_id: str, check: AnswerCheck[AnswerT] | None = None
    ) -> AnswerT:
        """Ask the model at this user's expense, and return its answer.

        Raises:
            ModelNotAvailable: ask again later; this is no failure.
            UnusableAnswer: the answer and its repair could not be used.
            TransientError: the call failed.
            PermanentError: the vendor refused the prompt, or the model refused to answer.
        """
        reading = _Reading(prompt, check)
        completion = await self._complete(prompt, reading, user_id)
        flaw = reading.error
        if isinstance(flaw, UnusableAnswer):
            self._metrics.repairs.labels(self._model.vendor, self._task).inc()
            prompt = prompt.followed_by(completion.text, flaw.remedy)
            reading = _Reading(prompt, check)
            await self._complete(prompt, reading, user_id)
        return reading.answer()

    async def _complete(
        self, prompt: Prompt[AnswerT], reading: "_Reading[AnswerT]", user_id: str
    ) -> ModelCompletion:
        completion = await self._model.complete(
            prompt, task=self._task, user_id=user_id, flaw=reading
        )
        if reading.error is not None:
            self._metrics.failed(self._model.vendor, self._task, reading.error.reason)
        return completion


class ModelProvider:
    """Base of the providers that ask a language model, each named after its model."""

    def __init__(self, model: TaskModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name


class _Reading(Generic[AnswerT]):
    """Parses one completion once, and keeps the result."""

    def __init__(self, prompt: Prompt[AnswerT], check: AnswerCheck[AnswerT] | None) -> None:
        self._prompt = prompt
        self._check = check
        self._answer: AnswerT | None = None
        self.error: UnusableAnswer | ModelRefused | None = None

    def __call__(self, completion: ModelCompletion) -> str | None:
        """Return the flaw of a completion; None if it can be used."""
        try:
            answer = parse_answer(completion, self._prompt.answer)
            if self._check is not None:
                self._check(answer)
        except (UnusableAnswer, ModelRefused) as error:
            self.error = error
            return error.reason
        self._answer = answer
        return None

    def answer(self) -> AnswerT:
        """Return the parsed answer. Raises the error found while parsing."""
        if self.error is not None:
            raise self.error
        if self._answer is None:
            raise AssertionError("nothing was read")
        return self._answer
