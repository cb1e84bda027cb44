"""Every distribution of ours carries the licence that it names."""

import json
import tomllib
from pathlib import Path

import pytest

from tests.support.paths import ROOT

DISTRIBUTIONS = [ROOT, *sorted(file.parent for file in ROOT.glob("libs/*/pyproject.toml"))]


@pytest.mark.parametrize("folder", DISTRIBUTIONS, ids=lambda folder: folder.name)
def test_a_distribution_carries_the_licence_that_it_names(folder: Path) -> None:
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert (project["license"], project["license-files"]) == ("Apache-2.0", ["LICENSE"])
    # A copy, for a distribution is built from its own folder alone.
    assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_package_in_typescript_carries_the_licence_that_it_names() -> None:
    folder = ROOT / "libs/typescript"
    assert json.loads((folder / "package.json").read_text())["license"] == "Apache-2.0"
    assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
