"""The schema of an answer, sent with each question. Each of its words costs tokens."""

from typing import Any

from pydantic import BaseModel, ConfigDict


def _untitled(schema: dict[str, Any]) -> None:
    """Remove titles, which only repeat the names, and descriptions."""
    schema.pop("title", None)
    schema.pop("description", None)
    for each in schema.get("properties", {}).values():
        each.pop("title", None)


class ModelAnswer(BaseModel):
    """The answer of a model, or a part of it."""

    model_config = ConfigDict(json_schema_extra=_untitled)
