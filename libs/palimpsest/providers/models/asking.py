"""A task's model: asked, read, repaired once, and then refused."""

from collections.abc import Callable

from palimpsest.providers.models.decoding import decoded
from palimpsest.providers.models.failures import ModelRefused, NotNow, UnusableAnswer
from palimpsest.providers.models.guarding import GuardedModel
from palimpsest.providers.models.language_model import AnswerT, Completion, Prompt, Task
from palimpsest.providers.models.metrics import ModelMetrics

Check = Callable[[AnswerT], None]
"""Raises `UnusableAnswer` for an answer of the right shape that is no answer all the same."""


class TaskModel:
    """What a task asks its questions of."""

    def __init__(self, model: GuardedModel, task: Task, *, metrics: ModelMetrics) -> None:
        self._model = model
        self._task = task
        self._metrics = metrics

    @property
    def name(self) -> str:
        """Vendor and model: what an answer of it is marked with."""
        return self._model.name

    def held(self) -> NotNow | None:
        """Why it is not to be asked now; None where it may be."""
        return self._model.held()

    def room(self) -> int | None:
        """How many questions may be begun now; None is any number."""
        return self._model.room()

    async def ask(
        self, prompt: Prompt[AnswerT], *, user_id: str, check: Check[AnswerT] | None = None
    ) -> AnswerT:
        """The answer, at this user's expense.

        Raises:
            NotNow: it is to be asked later; that is no failure.
            UnusableAnswer: twice it was none.
            TransientError: the call failed.
            PermanentError: the prompt was refused, or an answer to it.
        """
        completion = await self._model.complete(prompt, task=self._task, user_id=user_id)
        try:
            return self._read(completion, prompt, check)
        except UnusableAnswer as flaw:
            self._metrics.repairs.labels(self._model.vendor, self._task).inc()
            prompt = prompt.followed_by(completion.text, flaw.remedy)
        repaired = await self._model.complete(prompt, task=self._task, user_id=user_id)
        return self._read(repaired, prompt, check)

    def _read(
        self, completion: Completion, prompt: Prompt[AnswerT], check: Check[AnswerT] | None
    ) -> AnswerT:
        try:
            answer = decoded(completion, prompt.answer)
            if check is not None:
                check(answer)
        except (UnusableAnswer, ModelRefused) as error:
            self._metrics.failed(self._model.vendor, self._task, error.reason)
            raise
        return answer
