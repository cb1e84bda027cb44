"""Validates a request before it is sent, with the same errors as the server."""

from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import BaseModel, TypeAdapter, ValidationError

from palimpsest.api.problems import build_validation_problem
from palimpsest.client.errors import InvalidRequest
from palimpsest.model.value_types import Identifier

ModelT = TypeVar("ModelT", bound=BaseModel)

_IDENTIFIER = TypeAdapter[str](Identifier)


def build_valid_request(model: type[ModelT], **fields: Any) -> ModelT:
    """Build the model from these fields.

    Raises:
        InvalidRequest: with the fields at fault.
    """
    try:
        return model(**fields)
    except ValidationError as error:
        raise InvalidRequest(build_validation_problem(error.errors())) from None


def encode_path_id(given: str) -> str:
    """Encode an id as one segment of a path, where "." and ".." would lead to another address.

    Raises:
        InvalidRequest: it is no id: empty, too long, or with control characters.
    """
    try:
        identifier = _IDENTIFIER.validate_python(given)
    except ValidationError as error:
        named = [{**each, "loc": ("id",)} for each in error.errors()]
        raise InvalidRequest(build_validation_problem(named)) from None
    encoded = quote(identifier, safe="")
    return encoded if encoded.strip(".") else encoded.replace(".", "%2E")
