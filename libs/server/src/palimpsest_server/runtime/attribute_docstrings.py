"""Read the docstrings of a class's fields from its source, on request.

Pydantic would read the source while modules are loaded, which takes every process a sixth more of that
time, and would send the docstrings to language models with the schemas of their answers.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache

_OTHERS = {"builtins", "abc", "enum", "typing", "pydantic", "pydantic_settings"}
"""Modules whose docstrings of attributes are no help to our readers."""


def read_attribute_docstrings(of: type) -> Mapping[str, str]:
    """Return docstrings by field, each on one line, bases included; none without the source."""
    found: dict[str, str] = {}
    for each in reversed(of.__mro__):
        if each.__module__.partition(".")[0] in _OTHERS:
            continue
        found |= _in_module(each.__module__).get(each.__name__, {})
    return found


@cache
def _in_module(name: str) -> Mapping[str, Mapping[str, str]]:
    module = sys.modules.get(name)
    try:
        tree = ast.parse(inspect.getsource(module)) if module else None
    except (OSError, TypeError):
        tree = None
    if tree is None:
        return {}
    return {
        node.name: dict(_docstrings(node)) for node in tree.body if isinstance(node, ast.ClassDef)
    }


def _docstrings(of: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield each field that a string literal follows."""
    for field, after in zip(of.body, of.body[1:], strict=False):
        match field, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                yield name, " ".join(words.split())
