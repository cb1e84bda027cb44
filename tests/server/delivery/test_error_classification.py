import httpx
import pytest
from aiokafka.errors import KafkaConnectionError
from pymongo.errors import AutoReconnect, DuplicateKeyError, OperationFailure
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from palimpsest.model.errors import PermanentError, RecordNotFound, TransientError
from palimpsest_server.delivery.error_classification import (
    describe_error,
    get_error_reason,
    is_transient,
)


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
    assert get_error_reason(error) == "transient"


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
    assert describe_error(RecordNotFound("no such memory")) == "no such memory"
    assert describe_error(ValueError("what the user said")) == "ValueError"
    assert get_error_reason(RecordNotFound("")) == "not_found"
    assert get_error_reason(ValueError()) == "unexpected"
