"""docker-compose.yml as its readers see it: merged, and with the values of an `.env`."""

import re
import runpy
from typing import Any

import yaml

from tests.support.paths import ROOT

PAGE = "page"
"""A client of the others, with no settings of theirs."""
FILE = ROOT / "docker-compose.yml"
GENERATED: dict[str, str] = runpy.run_path(str(ROOT / "deploy" / "local" / "env.py"))["generated"]()

_VARIABLE = re.compile(r"\$\{(\w+):\?[^}]*\}")
# The one form that is used: without a value nothing starts, and there is no default.


def compose() -> dict[str, Any]:
    """The file with `generated` values in it."""
    text = _VARIABLE.sub(lambda match: GENERATED[match[1]], FILE.read_text())
    parsed: dict[str, Any] = yaml.safe_load(text)
    return parsed


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = compose()["services"]
    return found


def ours() -> dict[str, dict[str, Any]]:
    """The services that run from our image and serve the API or the topics."""
    return {name: service for name, service in from_our_image().items() if name != PAGE}


def from_our_image() -> dict[str, dict[str, Any]]:
    return {
        name: service
        for name, service in services().items()
        if service["image"].startswith("palimpsest")
    }


def ports_of(service: dict[str, Any]) -> set[int]:
    """Every port that the definition speaks of, however it does."""
    return {int(port) for port in re.findall(r"[:/](\d{4,5})\b", yaml.safe_dump(service))}
