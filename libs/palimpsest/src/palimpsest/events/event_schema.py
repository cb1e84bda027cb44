"""The schema of `POST /v1/events`: every event of the topic `conversations`, by its `type`."""

from functools import reduce
from operator import or_
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from palimpsest.events.topics import CONVERSATIONS

SERVER_FIELDS = ("received_at", "epoch", "vectors")
"""Fields of an event that only the services fill in."""

MAXIMUM_BATCH_EVENTS = 500


def build_event_schema() -> dict[str, Any]:
    """Build the schema of one event or many as `events`, with its definitions under `$defs`."""
    union: Any = reduce(or_, CONVERSATIONS.models)
    adapter: TypeAdapter[Any] = TypeAdapter(Annotated[union, Field(discriminator="type")])
    schema = adapter.json_schema(ref_template="#/components/schemas/{model}")
    definitions = schema.pop("$defs")
    for model in CONVERSATIONS.models:
        for name in SERVER_FIELDS:
            definitions[model.__name__]["properties"].pop(name, None)
    many = {
        "type": "object",
        "title": "Events",
        "description": "Many of them, each checked alone.",
        "properties": {
            "events": {
                "type": "array",
                "description": "In their order.",
                "items": schema,
                "minItems": 1,
                "maxItems": MAXIMUM_BATCH_EVENTS,
            }
        },
        "required": ["events"],
    }
    return {"anyOf": [schema, many], "$defs": definitions}
