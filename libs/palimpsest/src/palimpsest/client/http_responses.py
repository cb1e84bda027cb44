"""Responses over HTTP: an answer, a refusal by its status, or a connection error."""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from palimpsest.api.resources import EventResults, Problem
from palimpsest.client.errors import ClientError, ServerFailed, Unavailable, build_client_error

AnswerT = TypeVar("AnswerT", bound=BaseModel)

_UNREADABLE = Problem(reason="unreadable_answer", message="the server's answer is not understood")


@dataclass(frozen=True)
class HttpResponse:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def parse_http_answer(response: HttpResponse, answer: type[AnswerT]) -> AnswerT:
    """Parse an answer. If single events were refused, that is an answer too.

    Raises:
        ClientError: by the status.
    """
    if response.is_success or answer is EventResults:
        try:
            return answer.model_validate_json(response.body or b"{}")
        except ValidationError:
            if response.is_success:
                raise ServerFailed(_UNREADABLE) from None
    raise build_refusal_error(response)


def build_refusal_error(response: HttpResponse) -> ClientError:
    """Build the error for a response that refuses the request."""
    return build_client_error(
        response.status, _problem_in(response), retry_after_seconds=_retry_after(response)
    )


def _problem_in(response: HttpResponse) -> Problem:
    try:
        return Problem.model_validate_json(response.body)
    except ValidationError:
        # A proxy or the like, between the client and the services, has answered.
        return Problem(reason="http", message=f"the server answered {response.status}")


def _retry_after(response: HttpResponse) -> float | None:
    header = response.headers.get("Retry-After", "")
    return float(header) if header.isdecimal() else None


def build_unreachable_error(error: httpx.RequestError, whom: str) -> Unavailable:
    return Unavailable(
        Problem(reason="unreachable", message=f"no answer over HTTP from {whom}: {_cause(error)}")
    )


def _cause(error: httpx.RequestError) -> str:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return "there is no host of this name"
        if isinstance(cause, OSError) and cause.errno and cause.errno > 0:
            return os.strerror(cause.errno)
        cause = cause.__cause__ or cause.__context__
    return type(error).__name__
