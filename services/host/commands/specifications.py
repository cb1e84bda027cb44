"""`palimpsest asyncapi` and `palimpsest openapi`."""

import asyncio
import json
from typing import Any

import typer

from palimpsest_server.runtime.settings import Settings
from services.host.specifications import build_asyncapi_document, build_openapi_document


def asyncapi() -> None:
    """Print the topics and their events as AsyncAPI 3, in JSON."""
    _print(asyncio.run(build_asyncapi_document(Settings())))


def openapi() -> None:
    """Print the HTTP API as OpenAPI 3, in JSON."""
    _print(asyncio.run(build_openapi_document(Settings())))


def _print(document: dict[str, Any]) -> None:
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))
