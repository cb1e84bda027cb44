"""The table of environment variables, read from the settings and their docstrings."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, get_args

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from palimpsest_server.runtime.attribute_docstrings import read_attribute_docstrings
from palimpsest_server.runtime.settings import SECRETS_DIRECTORY_VARIABLE, Settings

_SECRETS_WORDS = (
    "A directory with a file for each setting that is to be read from one, named as its variable."
)


@dataclass(frozen=True)
class DocumentedSetting:
    variable: str
    default: str
    """Default as it would be written in the environment; empty without one, and for secrets."""
    words: str


def list_documented_settings() -> list[DocumentedSetting]:
    """Return the settings in the order of the class."""
    words = read_attribute_docstrings(Settings)
    prefix = Settings.model_config["env_prefix"]
    return [
        DocumentedSetting(
            f"{prefix}{name}".upper(),
            _default(field.get_default(call_default_factory=True)),
            " ".join(filter(None, (_choices(field), words.get(name, "")))),
        )
        for name, field in Settings.model_fields.items()
    ] + [DocumentedSetting(SECRETS_DIRECTORY_VARIABLE, "", _SECRETS_WORDS)]


def _default(default: Any) -> str:
    if default in ({}, (), []):
        return ""
    match default:
        case None | SecretStr():
            return ""
        case bool():
            return str(default).lower()
        case BaseModel():
            return default.model_dump_json(exclude_defaults=True)
        case dict() | tuple():
            return json.dumps(default)
        case _:
            return str(default)


def _choices(field: FieldInfo) -> str:
    kinds = (field.annotation, *get_args(field.annotation))
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return f"One of {', '.join(kind)}."
    return ""


_PAGE_HEAD = """# Settings

Every environment variable of the services. Made by `palimpsest settings --markdown`, from
`libs/server/src/palimpsest_server/runtime/settings.py`; a test fails when this page is not what that prints.
A `.env` in the working directory is read as well, below the environment; secrets may be files.

| variable | default | what it is for |
| --- | --- | --- |
"""


def render_settings_page() -> str:
    """Render deploy/SETTINGS.md."""
    return _PAGE_HEAD + "".join(
        f"| `{documented_setting.variable}` | {f'`{documented_setting.default}`' if documented_setting.default else ''} | {_cell(documented_setting.words)} |\n"
        for documented_setting in list_documented_settings()
    )


def _cell(words: str) -> str:
    return words.replace("|", "\\|")
