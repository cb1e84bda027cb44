"""Rules of Betterleaks as a version of the crate `kingfisher-rules` carries them.

The crate is published by MongoDB on crates.io and holds the exact files of the collection with
their licences. Cargo fetches it; nothing of it is compiled.
"""

import gzip
import json
import os
import subprocess
import tarfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CRATE = "kingfisher-rules"
_SOURCES = "generated/upstream-sources.json.gz"
_RULES = "/config/betterleaks.toml"
_LICENCE = "/LICENSE"
_COLLECTION = "/betterleaks/betterleaks/"


@dataclass(frozen=True)
class UpstreamRules:
    """One revision of the collection."""

    revision: str
    rules: tuple[Mapping[str, Any], ...]
    licence: str


def fetch_upstream_rules(version: str) -> UpstreamRules:
    """Fetch a version of the crate. Raises CalledProcessError where the registry has none."""
    subprocess.run(  # noqa: S603 - the version is an argument of the person who updates
        ["cargo", "info", "--registry", "crates-io", f"{CRATE}@{version}"],  # noqa: S607
        check=True,
        stdout=subprocess.DEVNULL,
    )
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    (crate,) = cargo.glob(f"registry/cache/*/{CRATE}-{version}.crate")
    with tarfile.open(crate) as archive:
        packed = archive.extractfile(f"{CRATE}-{version}/{_SOURCES}")
        if packed is None:
            raise FileNotFoundError(_SOURCES)
        return read_sources(json.loads(gzip.decompress(packed.read())))


def read_sources(sources: Mapping[str, str | None]) -> UpstreamRules:
    """Pick the rules and their licence out of files by address."""
    address = next(address for address in sources if address.endswith(_RULES))
    base = address.removesuffix(_RULES)
    licence = sources[base + _LICENCE]
    if _COLLECTION not in address or licence is None or "MIT License" not in licence:
        raise ValueError(f"no rules under the MIT licence: {address}")
    document = tomllib.loads(sources[address] or "")
    return UpstreamRules(base.rsplit("/", 1)[1], tuple(document["rules"]), licence)
