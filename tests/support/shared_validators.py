"""Share the validators of routes between the applications of a test process.

FastAPI builds a validator for each parameter and answer of each route anew, and nearly every test of
a service builds an application: that took two thirds of the time of the console's tests. A validator keeps
nothing of the requests that it checks, so that applications with equal routes can share it.
"""

from functools import partial
from typing import Any, get_args

from fastapi._compat import v2
from pydantic import ConfigDict, TypeAdapter

_Description = tuple[object, str, str]
_Validators = dict[_Description, TypeAdapter[Any]]


def share_validators() -> None:
    """Let applications share validators from now on, in this process."""
    v2.TypeAdapter = partial(_find_or_build, {})  # type: ignore[assignment,attr-defined]


def _find_or_build(
    validators: _Validators, described: Any, *, config: ConfigDict | None
) -> TypeAdapter[Any]:
    annotation, *metadata = get_args(described)
    # Metadata cannot be hashed. Its words hold all of it, and the addresses of functions in it.
    description = (annotation, repr(metadata), repr(config))
    if description not in validators:
        validators[description] = TypeAdapter(described, config=config)
    return validators[description]
