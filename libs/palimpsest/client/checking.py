"""What a server would refuse is refused before it is sent, in the server's words."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from palimpsest.client.errors import InvalidRequest
from palimpsest.contracts.problems import invalid

ModelT = TypeVar("ModelT", bound=BaseModel)


def checked(model: type[ModelT], **fields: Any) -> ModelT:
    """The model of these fields.

    Raises:
        InvalidRequest: with the fields at fault.
    """
    try:
        return model(**fields)
    except ValidationError as error:
        raise InvalidRequest(invalid(error.errors())) from None
