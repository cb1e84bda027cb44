"""Errors of models. The class decides what follows; `reason` names the error in metrics.

`ModelNotAvailable` makes a request wait without using up an attempt, because the request is not the cause.
Other transient failures use up an attempt, because the request may be their cause. An answer that
cannot be used is an `UnusableAnswer`: the model may repair it once, then it is refused.
"""

from enum import StrEnum

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_server.models.language_model import TokenUsage


class ModelNotAvailable(TransientError):
    """Raised if the model is away; the same request may come back later."""

    reason = "not_now"
    may_last = True
    """True if the state can last for hours, so that another provider may do the work meanwhile."""

    def again(self, seconds: float) -> "ModelNotAvailable":
        """Return the same error for a later caller, with the rest of the wait."""
        return type(self)(str(self), retry_after_seconds=seconds)


class RateLimited(ModelNotAvailable):
    """The vendor limits the rate of calls."""

    reason = "rate_limited"
    may_last = False


class QuotaExhausted(ModelNotAvailable):
    """The account at the vendor is used up."""

    reason = "quota_exhausted"


class ModelNotAuthorised(ModelNotAvailable):
    """The key is missing, wrong, or not valid for this model, which an operator has to fix."""

    reason = "not_authorised"


class NoSuchModel(ModelNotAvailable):
    """The vendor has no model of that name, which an operator has to fix."""

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
    """No answer came within the time limit. The call may have been charged all the same."""

    reason = "timed_out"


class ModelServerError(TransientError):
    """The server reports an internal error."""

    reason = "server_error"


class UnreadableResponse(ModelServerError):
    """Raised if the response is not of the vendor's format."""

    reason = "unreadable_body"


class UnusableAnswer(TransientError):
    """The model's answer is not of the requested kind.

    `remedy` tells the model what to change. The message is for people and quotes nothing.
    """

    reason = "unusable_answer"

    def __init__(self, message: str, *, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


class UnreadableAnswer(UnusableAnswer):
    """The answer contains no JSON."""

    reason = "unreadable_answer"


class WrongAnswerSchema(UnusableAnswer):
    """The answer is JSON of another shape."""

    reason = "wrong_schema"


class AnswerCutShort(UnusableAnswer):
    """Raised if the answer ended before it was complete."""

    reason = "cut_short"


class WrongAnswerLanguage(UnusableAnswer):
    """The answer is in another language than the conversation."""

    reason = "wrong_language"


class PromptRefused(PermanentError):
    """The vendor will never accept this prompt: it is too long, or has an unknown form."""

    reason = "prompt_refused"


class ModelRefused(PermanentError):
    """The model, or a filter before it, refused to answer."""

    reason = "model_refused"


BREAKING: tuple[type[TransientError], ...] = (ModelUnreachable, ModelTimedOut, ModelServerError)
"""Errors that count against the server, and open its breaker if they continue."""


def estimate_failed_usage(error: BaseException, estimate: TokenUsage) -> TokenUsage:
    """Return the tokens that a failed call is counted with.

    Only after a time-out the charge is unknown, because the vendor had the prompt.
    """
    if isinstance(error, ModelTimedOut):
        return TokenUsage(input_tokens=estimate.input_tokens)
    return TokenUsage()
