"""What the failures of a Qdrant server mean."""

import httpx
import pytest
from qdrant_client.http.exceptions import UnexpectedResponse

from palimpsest.model.errors import PalimpsestError, PermanentError, TransientError
from palimpsest_server.stores.qdrant.calls import CollectionMissing, translate_failures


@pytest.mark.parametrize(
    ("status", "meaning"),
    [
        (400, PermanentError),
        (401, TransientError),
        (403, TransientError),
        (404, CollectionMissing),
        (429, TransientError),
        (500, TransientError),
    ],
)
def test_what_is_no_requests_fault_is_waited_for(
    status: int, meaning: type[PalimpsestError]
) -> None:
    with pytest.raises(meaning), translate_failures():
        raise UnexpectedResponse(status, "", b"", httpx.Headers())
