import httpx
import pytest
from aiokafka.errors import KafkaConnectionError
from pymongo.errors import AutoReconnect, DuplicateKeyError, OperationFailure
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from palimpsest.delivery.failures import is_transient, reason_of, words_of
from palimpsest.domain.errors import NotFound, PermanentError, TransientError


def qdrant(status: int) -> UnexpectedResponse:
    return UnexpectedResponse(status, "", b"", httpx.Headers())


@pytest.mark.parametrize(
    "error",
    [
        TransientError("later"),
        AutoReconnect("gone"),
        KafkaConnectionError("gone"),
        ResponseHandlingException(ConnectionError()),
        qdrant(503),
        qdrant(429),
        qdrant(403),
        ConnectionResetError(),
        TimeoutError(),
        OperationFailure("", details={"errorLabels": ["TransientTransactionError"]}),
    ],
)
def test_what_may_pass_is_waited_for(error: Exception) -> None:
    assert is_transient(error)
    assert reason_of(error) == "transient"


@pytest.mark.parametrize(
    "error",
    [
        PermanentError("never"),
        DuplicateKeyError("there already"),
        qdrant(400),
        ValueError("a bug"),
        FileNotFoundError(),
    ],
)
def test_what_will_not_pass_is_not(error: Exception) -> None:
    assert not is_transient(error)


def test_only_our_own_words_are_shown() -> None:
    assert words_of(NotFound("no such memory")) == "no such memory"
    assert words_of(ValueError("what the user said")) == "ValueError"
    assert reason_of(NotFound("")) == "not_found"
    assert reason_of(ValueError()) == "unexpected"
