"""Writes the types of the TypeScript client: `python -m palimpsest_lab.typescript_types`, which needs Node.

The file says in its head which description of the API it was made from, by a digest of the routes that
the client calls. A test compares it, without Node.
"""

import asyncio
import hashlib
import json
import re
import subprocess
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from palimpsest_server.runtime.settings import Settings
from services.host.specifications import build_openapi_document

CLIENT = Path(__file__).resolve().parents[4] / "libs/typescript"
TYPES = CLIENT / "src/openapi.ts"
COMMAND = "make typescript-types"

_HEAD = "// Made by `{command}`. The routes that the client calls: sha256 {digest}\n"
_ROUTE = re.compile(r'"(/v1/[^"]*)"')
_DIGEST = re.compile(r"sha256 ([0-9a-f]{64})")

_SAYS_NOTHING = frozenset({"title"})
_WORDS = frozenset({"title", "description", "summary", "default", "example", "examples", "tags"})
_LIMITS = re.compile(r"min|max|exclusive|pattern|unique|x-")


def build_description() -> dict[str, Any]:
    """Describe the API, whatever the settings of this machine."""
    return asyncio.run(build_openapi_document(Settings(_env_file=None, embedder="hashing")))


def find_called_routes() -> frozenset[str]:
    """The routes that the source of the client names."""
    sources = (file for file in CLIENT.glob("src/*.ts") if file != TYPES)
    return frozenset(
        route for file in sources for route in _ROUTE.findall(file.read_text(encoding="utf-8"))
    )


def digest_types(document: Mapping[str, Any], routes: Collection[str]) -> str:
    """The digest of what types are made of: not of words, nor of limits that no type knows."""
    paths = {route: _successes(document["paths"][route]) for route in sorted(routes)}
    schemas = document["components"]["schemas"]
    named = {name: schemas[name] for name in sorted(_reachable(paths, schemas))}
    kept = _without({"paths": paths, "schemas": named}, lambda key: key in _WORDS or _is_limit(key))
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def read_written_digest() -> str | None:
    """The digest in the head of the types."""
    match = _DIGEST.search(TYPES.read_text(encoding="utf-8").partition("\n")[0])
    return match and match[1]


def write_types() -> None:
    """Write the types of all routes. Errors are left out: the client throws them."""
    document = build_description()
    digest = digest_types(document, find_called_routes())
    paths = {route: _successes(each) for route, each in document["paths"].items()}
    shown = _without({**document, "paths": paths}, _SAYS_NOTHING.__contains__)
    made = subprocess.run(  # noqa: S603 - the program that the lock file names
        [CLIENT / "node_modules/.bin/openapi-typescript", "--default-non-nullable=false"],
        input=json.dumps(shown),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    TYPES.write_text(_HEAD.format(command=COMMAND, digest=digest) + made.stdout, encoding="utf-8")


def _successes(operations: Mapping[str, Any]) -> dict[str, Any]:
    return {
        method: {
            **operation,
            "responses": {
                status: each
                for status, each in operation["responses"].items()
                if status.startswith("2")
            },
        }
        for method, operation in operations.items()
    }


def _reachable(part: object, schemas: Mapping[str, Any]) -> set[str]:
    found: set[str] = set()
    waiting = list(_references(part))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(schemas[name])
    return found


def _references(part: object) -> Iterator[str]:
    match part:
        case {"$ref": str(reference)}:
            yield reference.rpartition("/")[2]
        case dict():
            for each in part.values():
                yield from _references(each)
        case list():
            for each in part:
                yield from _references(each)


def _is_limit(key: str) -> bool:
    return _LIMITS.match(key) is not None


def _without(part: Any, drops: Callable[[str], bool]) -> Any:
    """Leave keys of schemas out; a field may be called the same."""
    match part:
        case dict():
            return {
                key: {name: _without(field, drops) for name, field in value.items()}
                if key in {"properties", "schemas"}
                else _without(value, drops)
                for key, value in part.items()
                if key in {"properties", "schemas"} or not drops(key)
            }
        case list():
            return [_without(each, drops) for each in part]
        case _:
            return part


if __name__ == "__main__":
    write_types()
