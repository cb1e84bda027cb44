"""What editors are told of the fields of a call is what its contract takes."""

from typing import Any

import pytest
from pydantic import BaseModel

from palimpsest.api.command_requests import AddRequest, AddTodoRequest, EditRequest
from palimpsest.api.context import ContextRequest
from palimpsest.api.resources import SettingsUpdate
from palimpsest.client.call_fields import (
    AddFields,
    AddTodoFields,
    ContextFields,
    EditFields,
    FeedbackFields,
    RecallReferenceFields,
    RememberFields,
    SettingsFields,
)
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.feedback import FeedbackGiven, RecallUsed

OURS = {"type", "schema_version", "received_at", "epoch", "vectors"}
"""Nobody says these to a client."""


@pytest.mark.parametrize(
    ("fields", "contract", "parameters"),
    [
        (ContextFields, ContextRequest, {"query", "user_id"}),
        (AddFields, AddRequest, {"content"}),
        (AddTodoFields, AddTodoRequest, {"content"}),
        (EditFields, EditRequest, set()),
        (SettingsFields, SettingsUpdate, set()),
        (RememberFields, RememberRequested, {"content", "user_id", "agent_id", "project_id"}),
        (FeedbackFields, FeedbackGiven, {"verdict", "user_id", "memory_ids", "recall_id"}),
        (RecallReferenceFields, RecallUsed, {"actor", "user_id", "recall_id", "result_ids"}),
    ],
)
def test_the_fields_are_the_contracts(
    fields: Any, contract: type[BaseModel], parameters: set[str]
) -> None:
    assert set(fields.__annotations__) == contract.model_fields.keys() - parameters - OURS
