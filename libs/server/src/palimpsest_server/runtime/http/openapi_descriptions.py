"""The API's own description, with the docstring of each field."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from fastapi import APIRouter, Depends, FastAPI
from fastapi.dependencies.utils import get_parameterless_sub_dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel

from palimpsest.api.field_descriptions import FIELD_DESCRIPTIONS
from palimpsest.api.http_problems import PROBLEM_MEDIA_TYPE
from palimpsest.api.operation_examples import (
    OPERATION_EXAMPLES,
    REQUIRED_PARAMETERS,
    OperationExample,
)
from palimpsest.api.resources import HttpProblem
from palimpsest_server.runtime.attribute_docstrings import read_attribute_docstrings
from palimpsest_server.runtime.http.encoded_slashes import restore_slashes

OpenApiDocument = dict[str, Any]

_VARIANTS = ("-Input", "-Output")
"""Suffixes that FastAPI gives to a model whose request and response differ."""

_REFERENCE = "#/components/schemas/{model}"
_PROBLEM = {"$ref": _REFERENCE.format(model=HttpProblem.__name__)}


def describe_problem(description: str) -> dict[str, Any]:
    """Describe an error of all routes, by reference.

    Of a `model`, FastAPI builds a validator for each error of each route.
    """
    return {"description": description, "content": {PROBLEM_MEDIA_TYPE: {"schema": _PROBLEM}}}


class DescribedApplication(FastAPI):
    """An application whose `/openapi.json` describes every field; it is built on request."""

    _described: OpenApiDocument | None = None
    _routers: Sequence[APIRouter] = ()

    def include(self, routers: Sequence[APIRouter], guard: Callable[..., Any]) -> None:
        """Add routes, each protected by the guard.

        `include_router` would build every route a second time, at the first request. That request and all
        beside it would wait for it.
        """
        self._routers = routers
        for route in _api_routes(routers):
            _protect(route, guard)
            restore_slashes(route)
            route.responses = {**self.router.responses, **route.responses}
            self.router.routes.append(route)

    def openapi(self) -> OpenApiDocument:
        document = super().openapi()
        if document is not self._described:
            _hoist_definitions(document)
            _define_problem(document)
            _name_problem_media_type(document)
            _describe_models(document)
            _describe_parameters(document, self._routers)
            _add_examples(document)
            self._described = document
        return document


def _api_routes(routers: Sequence[APIRouter]) -> Iterator[APIRoute]:
    for router in routers:
        for route in router.routes:
            if isinstance(route, APIRoute):
                yield route


def _protect(route: APIRoute, guard: Callable[..., Any]) -> None:
    """Let the guard run before anything else that the route depends on."""
    depends = get_parameterless_sub_dependant(depends=Depends(guard), path=route.path_format)
    route.dependant.dependencies.insert(0, depends)


def _hoist_definitions(document: OpenApiDocument) -> None:
    """Hoist the definitions of routes' own schemas to the place that references name."""
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for operation in _operations(document):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            for name, definition in content.get("schema", {}).pop("$defs", {}).items():
                schemas.setdefault(name, definition)


def _define_problem(document: OpenApiDocument) -> None:
    schemas = document["components"]["schemas"]
    defined = HttpProblem.model_json_schema(ref_template=_REFERENCE, mode="serialization")
    for name, definition in {**defined.pop("$defs", {}), HttpProblem.__name__: defined}.items():
        schemas.setdefault(name, definition)


def _name_problem_media_type(document: OpenApiDocument) -> None:
    """Put error responses under their media type, beside other responses of the same status."""
    for operation in _operations(document):
        for response in operation.get("responses", {}).values():
            content = response.get("content", {})
            schema = content.get("application/json", {}).get("schema", {})
            others = [one for one in schema.get("anyOf", [schema]) if one != _PROBLEM]
            if schema == _PROBLEM or _PROBLEM in schema.get("anyOf", ()):
                content[PROBLEM_MEDIA_TYPE] = {"schema": dict(_PROBLEM)}
                content.pop("application/json")
                if others:
                    content["application/json"] = {"schema": _join_schemas(others)}


def _join_schemas(schemas: Sequence[OpenApiDocument]) -> OpenApiDocument:
    return schemas[0] if len(schemas) == 1 else {"anyOf": [*schemas]}


def _describe_models(document: OpenApiDocument) -> None:
    models = list(_models(BaseModel))
    for name, schema in document["components"]["schemas"].items():
        fields = schema.get("properties", {})
        named = [model for model in models if model.__name__ == _plain(name)]
        # A model of this name in another module may have other fields.
        meant = [one for one in named if fields.keys() <= one.model_fields.keys()]
        own = read_attribute_docstrings(meant[0]) if meant else {}
        for field, described in fields.items():
            _describe(described, own.get(field) or FIELD_DESCRIPTIONS.get(field))


def _describe_parameters(document: OpenApiDocument, routers: Sequence[APIRouter]) -> None:
    own = {
        (route.path, method.lower()): _query_words(route)
        for route in _api_routes(routers)
        for method in route.methods or ()
    }
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            words = own.get((path, method), {})
            for parameter in operation.get("parameters", ()):
                name = parameter["name"]
                _describe(parameter, words.get(name) or FIELD_DESCRIPTIONS.get(name))


def _add_examples(document: OpenApiDocument) -> None:
    """Add examples of parameters and bodies, under the names that parameters have here."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            known = OPERATION_EXAMPLES.get(f"{method.upper()} {path}", OperationExample())
            for parameter in operation.get("parameters", ()):
                name = parameter["name"]
                if name in known.parameters:
                    parameter["example"] = known.parameters[name]
                elif parameter.get("required") and name in REQUIRED_PARAMETERS:
                    parameter["example"] = REQUIRED_PARAMETERS[name]
            if known.body is not None:
                operation["requestBody"]["content"]["application/json"]["example"] = known.body


def _query_words(route: APIRoute) -> dict[str, str]:
    """Return the descriptions of parameters that one model declares together."""
    kinds = [field.field_info.annotation for field in route.dependant.query_params]
    words: dict[str, str] = {}
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            words |= read_attribute_docstrings(kind)
    return words


def _describe(described: OpenApiDocument, words: str | None) -> None:
    if words:
        described.setdefault("description", words)


def _models(of: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for model in of.__subclasses__():
        yield model
        yield from _models(model)


def _plain(name: str) -> str:
    for variant in _VARIANTS:
        name = name.removesuffix(variant)
    return name


def _operations(document: OpenApiDocument) -> Iterator[OpenApiDocument]:
    for methods in document["paths"].values():
        yield from methods.values()
