"""LangGraph's own tests of its stores, run on ours: `make test-langgraph`.

They come with the sources of its packages, at the versions and hashes of the lock file, and are not
kept here. Those of an ended item are left out: they wait for seconds that a busy machine takes for
one call, and `tests/journeys/test_langgraph.py` has the same. Its conformance package
(langgraph-checkpoint-conformance) is about checkpointers alone.
"""

import asyncio
import os
import subprocess
import sys
import tarfile
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.journeys.running import RunningPalimpsest

pytest.importorskip("pytest_mock", reason="what LangGraph's tests import is not installed")

_ROOT = Path(__file__).parents[2]
_PLUGIN = _ROOT / "tests/support/langgraph"
_SECONDS = 900.0

pytestmark = pytest.mark.timeout(2 * _SECONDS)


def fetch_sources(name: str, directory: Path) -> Path:
    """Return the unpacked sources of a package at the version and hash of the lock file."""
    locked = tomllib.loads((_ROOT / "uv.lock").read_text())["package"]
    (package,) = [package for package in locked if package["name"] == name]
    wanted = directory / "wanted.txt"
    wanted.write_text(f"{name}=={package['version']} --hash={package['sdist']['hash']}\n")
    command = [sys.executable, "-m", "pip", "download", "--require-hashes", "--no-deps"]
    fetched = subprocess.run(
        [*command, "--no-binary", name, "--dest", directory, "--requirement", wanted],
        check=False,
        timeout=_SECONDS,
    )
    if fetched.returncode:
        pytest.skip(f"the sources of {name} cannot be fetched")
    (archive,) = directory.glob("*.tar.gz")
    with tarfile.open(archive) as sources:
        sources.extractall(directory, filter="data")
    return archive.with_suffix("").with_suffix("")


@pytest.mark.parametrize(
    ("distribution", "at_least"), [("checkpoint", 100), ("checkpoint-sqlite", 45)]
)
async def test_langgraphs_own_tests_of_stores_hold_of_ours(
    distribution: str, at_least: int, tmp_path: Path
) -> None:
    sources = await asyncio.to_thread(fetch_sources, f"langgraph-{distribution}", tmp_path)
    report = tmp_path / "report.xml"
    running = RunningPalimpsest(tmp_path / "data")
    try:
        await running.start()
        variables = {
            "PYTHONPATH": str(_PLUGIN),
            "PALIMPSEST_URL": running.instance.http_url,
            "LANGGRAPH_DISTRIBUTION": distribution,
        }
        command = [sys.executable, "-m", "pytest", "tests/test_store.py", "-rfs", "--tb=short"]
        options = ["-p", "palimpsest_stores", "--override-ini=addopts=", f"--junit-xml={report}"]
        ended = await asyncio.to_thread(
            subprocess.run,
            [*command, *options, "--override-ini=asyncio_mode=auto", "-k", "not file"],
            cwd=sources,
            env={**os.environ, **variables},
            timeout=_SECONDS,
            check=False,
        )
    finally:
        await running.put_away()
    (suite,) = ET.parse(report).getroot()  # noqa: S314 - pytest has just written it
    assert ended.returncode == 0
    assert int(suite.attrib["tests"]) - int(suite.attrib["skipped"]) >= at_least
