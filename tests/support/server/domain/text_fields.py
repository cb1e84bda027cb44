"""Fields of models that hold words, at any depth, by name."""

from collections.abc import Iterable
from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel


def text_fields(models: Iterable[type[BaseModel]]) -> dict[str, set[str]]:
    """By field name, the models that have it."""
    found: dict[str, set[str]] = {}
    seen: set[type[BaseModel]] = set()
    waiting = list(models)
    while waiting:
        model = waiting.pop()
        if model in seen:
            continue
        seen.add(model)
        for name, field in model.model_fields.items():
            for kind in _kinds(field.annotation):
                if issubclass(kind, BaseModel):
                    waiting.append(kind)
                elif issubclass(kind, str) and not issubclass(kind, Enum):
                    found.setdefault(name, set()).add(model.__name__)
    return found


def _kinds(annotation: Any) -> list[type]:
    if get_origin(annotation) is Annotated:
        return _kinds(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return []
    if arguments := get_args(annotation):
        return [kind for argument in arguments for kind in _kinds(argument)]
    return [annotation] if isinstance(annotation, type) else []
