"""Documents that older versions wrote are read, whatever is refused of new ones."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from palimpsest.model.usage import ModelCall
from palimpsest_server.stores.mongo.database import from_document

CALL = {
    "_id": "c1",
    "user_id": "ann",
    "request_id": "w",
    "task": "extraction",
    "model": "openai/m-1",
    "begun_at": datetime(2026, 3, 2, tzinfo=UTC),
    "input_tokens": 1,
    "output_tokens": 1,
    "cost_millionths": 1,
}


@pytest.mark.parametrize(
    "older", [{"user_id": " "}, {"begun_at": datetime(500, 1, 1, tzinfo=UTC)}, {"agent_id": "　"}]
)
def test_a_document_is_read_though_its_value_would_be_refused_today(
    older: dict[str, object],
) -> None:
    document = {**CALL, **older}
    assert from_document(ModelCall, document).model_dump().items() >= older.items()
    with pytest.raises(ValidationError):
        ModelCall.model_validate({**document, "id": "c1"})
