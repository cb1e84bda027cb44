"""What editors are told of the fields of a call is what its contract takes."""

from typing import Any

import pytest
from pydantic import BaseModel

from palimpsest.client.fields import (
    AboutRecallFields,
    AddFields,
    ContextFields,
    EditFields,
    FeedbackFields,
    RememberFields,
    SettingsFields,
)
from palimpsest.contracts.command_requests import AddRequest, EditRequest
from palimpsest.contracts.context import ContextRequest
from palimpsest.contracts.conversations import RememberRequested
from palimpsest.contracts.feedback import FeedbackGiven, RecallUsed
from palimpsest.contracts.http import SettingsUpdate

OURS = {"type", "schema_version", "received_at", "epoch", "vectors"}
"""Nobody says these to a client."""


@pytest.mark.parametrize(
    ("fields", "contract", "parameters"),
    [
        (ContextFields, ContextRequest, {"query", "user_id"}),
        (AddFields, AddRequest, {"content"}),
        (EditFields, EditRequest, set()),
        (SettingsFields, SettingsUpdate, set()),
        (RememberFields, RememberRequested, {"content", "user_id", "agent_id", "project_id"}),
        (FeedbackFields, FeedbackGiven, {"verdict", "user_id", "memory_ids", "recall_id"}),
        (AboutRecallFields, RecallUsed, {"actor", "user_id", "recall_id", "result_ids"}),
    ],
)
def test_the_fields_are_the_contracts(
    fields: Any, contract: type[BaseModel], parameters: set[str]
) -> None:
    assert set(fields.__annotations__) == contract.model_fields.keys() - parameters - OURS
