"""Validates a request before it is sent, with the same errors as the server."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from palimpsest.api.problems import build_validation_problem
from palimpsest.client.errors import InvalidRequest

ModelT = TypeVar("ModelT", bound=BaseModel)


def build_valid_request(model: type[ModelT], **fields: Any) -> ModelT:
    """Build the model from these fields.

    Raises:
        InvalidRequest: with the fields at fault.
    """
    try:
        return model(**fields)
    except ValidationError as error:
        raise InvalidRequest(build_validation_problem(error.errors())) from None
