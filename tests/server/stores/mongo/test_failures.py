"""What MongoDB's failures mean; those of a replica set are none that one embedded server has."""

from typing import Any

import pytest
from pymongo.errors import (
    BulkWriteError,
    DuplicateKeyError,
    OperationFailure,
    PyMongoError,
    WriteConcernError,
)

from palimpsest_server.stores.mongo.failures import (
    DUPLICATE_KEY,
    is_transient_mongo_error,
    require_only_duplicates,
)

STEPPED_DOWN = {"code": 189, "errmsg": "primary stepped down"}
TAKEN = {"index": 0, "code": DUPLICATE_KEY}
TOO_LARGE = {"index": 1, "code": 10334}


def bulk(*writes: dict[str, Any], concerns: tuple[dict[str, Any], ...] = ()) -> BulkWriteError:
    return BulkWriteError({"writeErrors": list(writes), "writeConcernErrors": list(concerns)})


@pytest.mark.parametrize(
    "error",
    [
        WriteConcernError("no majority", 91),
        bulk(concerns=(STEPPED_DOWN,)),
        bulk(TAKEN, concerns=(STEPPED_DOWN,)),
        bulk({"index": 3, "code": 11602}),
        OperationFailure("disk full", 14031),
        OperationFailure("internal server error", 1),
        OperationFailure("not allowed", 13),
        OperationFailure("", 8, {"errorLabels": ["RetryableWriteError"]}),
    ],
)
def test_the_state_of_the_server_is_no_events_fault(error: PyMongoError) -> None:
    assert is_transient_mongo_error(error)


@pytest.mark.parametrize(
    "error",
    [
        bulk(TAKEN),
        bulk(TOO_LARGE),
        bulk(TOO_LARGE, {"index": 3, "code": 11602}),
        DuplicateKeyError("taken", DUPLICATE_KEY),
        OperationFailure("bad value", 2),
    ],
)
def test_what_was_asked_may_be_wrong_for_ever(error: PyMongoError) -> None:
    assert not is_transient_mongo_error(error)


def test_a_collision_says_which_write_was_refused() -> None:
    assert require_only_duplicates(bulk(TAKEN)) == [TAKEN]


@pytest.mark.parametrize(
    "error",
    [
        bulk(TAKEN, concerns=(STEPPED_DOWN,)),
        bulk(concerns=(STEPPED_DOWN,)),
        bulk(TAKEN, TOO_LARGE),
    ],
)
def test_what_no_majority_holds_is_not_taken_for_written(error: BulkWriteError) -> None:
    with pytest.raises(BulkWriteError):
        require_only_duplicates(error)
