"""`make env`: passwords that nobody else has, and none that stands is ever replaced."""

import runpy
import stat
from pathlib import Path

from tests.support.paths import ROOT

_script = runpy.run_path(str(ROOT / "deploy" / "local" / "env.py"))
complete, generated = _script["complete"], _script["generated"]


def read(file: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in file.read_text().splitlines())


def test_a_new_file_has_everything_and_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    assert complete(file) == list(generated())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert set(read(file)) == set(generated())


def test_two_files_share_no_secret(tmp_path: Path) -> None:
    complete(tmp_path / "one")
    complete(tmp_path / "two")
    one, two = read(tmp_path / "one"), read(tmp_path / "two")
    assert [name for name in one if one[name] == two[name]] == ["COMPOSE_PROFILES"]


def test_what_stands_is_kept_and_what_is_missing_added(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# mine\nSERVICE_KEY=mine-and-nobody-elses\nCOMPOSE_PROFILES=core")
    added = complete(file)
    assert "SERVICE_KEY" not in added
    assert file.read_text().startswith("# mine\nSERVICE_KEY=mine-and-nobody-elses\n")
    assert complete(file) == []


def test_no_name_is_a_setting_of_ours(tmp_path: Path) -> None:
    """`make run` reads `.env` too, and must not change because of `make env`."""
    assert not [name for name in generated() if name.startswith("PALIMPSEST_")]
