"""Errors of models. The class says what comes next; `reason` names it in metrics.

`ModelNotAvailable` waits without using up an attempt: the request is not to blame. Other
transient failures do use one up, for they may be the request's own. What a
model answers and we cannot use is an `UnusableAnswer`: repaired once, then refused.
"""

from enum import StrEnum

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_server.models.language_model import TokenUsage


class ModelNotAvailable(TransientError):
    """Raised if the model is away; the same request may come back later."""

    reason = "not_now"
    may_last = True
    """Whether it can take hours, so that somebody else may do the work meanwhile."""

    def again(self, seconds: float) -> "ModelNotAvailable":
        """The same for whoever comes later, with what is left of the wait."""
        return type(self)(str(self), retry_after_seconds=seconds)


class RateLimited(ModelNotAvailable):
    """The vendor asks for patience."""

    reason = "rate_limited"
    may_last = False


class QuotaExhausted(ModelNotAvailable):
    """The account at the vendor has nothing left."""

    reason = "quota_exhausted"


class ModelNotAuthorised(ModelNotAvailable):
    """The key is missing, wrong, or not good for this model: an operator's matter."""

    reason = "not_authorised"


class NoSuchModel(ModelNotAvailable):
    """The vendor knows no model of that name: an operator's matter too."""

    reason = "no_such_model"


class BreakerOpen(ModelNotAvailable):
    """The server failed so often that it is left alone for a while."""

    reason = "breaker_open"


class BudgetOwner(StrEnum):
    USER = "user"
    DEPLOYMENT = "deployment"


class BudgetExhausted(ModelNotAvailable):
    """Raised if today's tokens or money of the user, or of all users, are spent."""

    reason = "budget_spent"

    def __init__(self, of: BudgetOwner, *, retry_after_seconds: float) -> None:
        super().__init__(
            f"today's budget of the {of.value} is spent", retry_after_seconds=retry_after_seconds
        )
        self.of = of

    def again(self, seconds: float) -> ModelNotAvailable:
        return BudgetExhausted(self.of, retry_after_seconds=seconds)


class ModelUnreachable(TransientError):
    """The server could not be connected to, or hung up."""

    reason = "unreachable"


class ModelTimedOut(TransientError):
    """No answer within the time allowed. It may have been charged all the same."""

    reason = "timed_out"


class ModelServerError(TransientError):
    """The server says that it is broken."""

    reason = "server_error"


class UnreadableResponse(ModelServerError):
    """Raised if the response is not of the vendor's format."""

    reason = "unreadable_body"


class UnusableAnswer(TransientError):
    """The model answered, and not as it was asked to.

    `remedy` is what to tell the model about it; the message is for people and
    quotes nothing.
    """

    reason = "unusable_answer"

    def __init__(self, message: str, *, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


class UnreadableAnswer(UnusableAnswer):
    """No JSON in it."""

    reason = "unreadable_answer"


class WrongAnswerSchema(UnusableAnswer):
    """JSON of another shape."""

    reason = "wrong_schema"


class AnswerCutShort(UnusableAnswer):
    """Raised if the answer ended before it was complete."""

    reason = "cut_short"


class WrongAnswerLanguage(UnusableAnswer):
    """Another language than the conversation's."""

    reason = "wrong_language"


class PromptRefused(PermanentError):
    """The vendor will never take this prompt: too long, or of a form it does not know."""

    reason = "prompt_refused"


class ModelRefused(PermanentError):
    """The model, or a filter before it, would not answer this."""

    reason = "model_refused"


BREAKING: tuple[type[TransientError], ...] = (ModelUnreachable, ModelTimedOut, ModelServerError)
"""What speaks against the server, and trips its breaker when it goes on."""


def estimate_failed_usage(error: BaseException, estimate: TokenUsage) -> TokenUsage:
    """The tokens that a failed call is counted with.

    Only a time-out leaves open what was charged: the vendor had the prompt.
    """
    if isinstance(error, ModelTimedOut):
        return TokenUsage(input_tokens=estimate.input_tokens)
    return TokenUsage()
