"""The shape of an answer, as it is sent along with each question: every word of it is paid for."""

from typing import Any

from pydantic import BaseModel, ConfigDict


def _untitled(schema: dict[str, Any]) -> None:
    """Titles say again what the names say."""
    schema.pop("title", None)
    schema.pop("description", None)
    for each in schema.get("properties", {}).values():
        each.pop("title", None)


class ModelAnswer(BaseModel):
    """The answer of a model, or a part of it."""

    model_config = ConfigDict(json_schema_extra=_untitled)
