"""Which programs embedded mode starts, and how they are told to be safe."""

import sys
from pathlib import Path

import pytest

from palimpsest_server.embedded.child_server import ChildServerFailed
from palimpsest_server.embedded.server_commands import (
    NATIVE_DATABASE,
    build_broker_command,
    build_database_command,
)


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An interpreter with nothing beside it and nothing on its path."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    return tmp_path


def _program(folder: Path, *, executable: bool = True) -> str:
    folder.mkdir()
    program = folder / NATIVE_DATABASE
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755 if executable else 0o644)
    return str(program)


def database() -> list[str]:
    return build_database_command(4711, Path("kept"), Path("empty.toml"))


def test_without_a_native_database_the_one_in_python_is_a_process_of_its_own(
    nowhere: Path,
) -> None:
    assert database()[:3] == [str(nowhere / "bin" / "python"), "-m", "secantus"]


@pytest.mark.parametrize("place", ["bin", "elsewhere"])
def test_a_native_database_is_used_wherever_it_was_installed(nowhere: Path, place: str) -> None:
    program = _program(nowhere / place)
    assert database()[0] == program


def test_a_native_database_of_this_environment_goes_before_any_other(nowhere: Path) -> None:
    _program(nowhere / "elsewhere")
    program = _program(nowhere / "bin")
    assert database()[0] == program


def test_the_native_database_acknowledges_no_write_before_it_is_on_disk(nowhere: Path) -> None:
    in_python = database()
    _program(nowhere / "bin")
    native = database()
    assert native[1:] == [*in_python[3:], "--sync-on-commit"]


def test_what_cannot_be_run_is_no_native_database(nowhere: Path) -> None:
    _program(nowhere / "bin", executable=False)
    assert database()[1] == "-m"


def test_both_servers_listen_on_this_machine_alone(nowhere: Path) -> None:
    assert "--host=127.0.0.1" in database()
    assert "--listener-url=tcp://127.0.0.1:4712" in build_broker_command(4712)


def test_where_no_database_is_installed_it_is_said_how_to_come_by_one(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    with pytest.raises(ChildServerFailed, match="uv sync --all-extras"):
        database()
