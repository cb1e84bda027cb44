"""Calls of a model as they are accounted for."""

from datetime import UTC, datetime
from typing import Any

from palimpsest.model.usage import ModelCall

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def call(name: str, **fields: Any) -> ModelCall:
    return ModelCall.model_validate(
        {
            "id": name,
            "user_id": "ann",
            "request_id": f"asked by {name}",
            "task": "extraction",
            "model": "openai/m-1",
            "begun_at": NOON,
            "input_tokens": 100,
            "output_tokens": 50,
            "cost_millionths": 300,
            "estimated": True,
            **fields,
        }
    )
