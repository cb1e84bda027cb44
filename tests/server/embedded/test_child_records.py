"""Only what is provably ours is ended: a pid may be somebody else's by now."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest_server.embedded.child_records import ChildRecords, is_still_running
from palimpsest_server.embedded.process_identity import ProcessIdentity, identify_process

_COMMAND = [sys.executable, "-c", "input()"]


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(_COMMAND, stdin=subprocess.PIPE) as process:
        while (found := identify_process(process.pid)) is None or "input()" not in found.command:
            pass
        yield process
        process.kill()


def _recorded(process: "subprocess.Popen[bytes]") -> ProcessIdentity:
    found = identify_process(process.pid)
    assert found is not None
    return found


def test_what_is_on_record_is_ended(tmp_path: Path, sleeper: "subprocess.Popen[bytes]") -> None:
    records = ChildRecords(tmp_path / "children.json")
    records.add("broker", _recorded(sleeper))
    assert records.end_orphans() == ["broker"]
    assert sleeper.wait(5) != 0
    assert records.read() == {}


@pytest.mark.parametrize("changed", [{"started": "another moment"}, {"command": "another program"}])
def test_another_process_under_a_recorded_pid_is_left_alone(
    tmp_path: Path, sleeper: "subprocess.Popen[bytes]", changed: dict[str, str]
) -> None:
    records = ChildRecords(tmp_path / "children.json")
    records.add("broker", _recorded(sleeper).model_copy(update=changed))
    assert records.end_orphans() == []
    assert sleeper.poll() is None


def test_a_zombie_does_not_count_as_running(sleeper: "subprocess.Popen[bytes]") -> None:
    recorded = _recorded(sleeper)
    sleeper.kill()
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)
    assert not is_still_running(recorded)


@pytest.mark.parametrize("content", ["", "{", '{"broker": 7}'])
def test_a_damaged_file_counts_as_empty(tmp_path: Path, content: str) -> None:
    file = tmp_path / "children.json"
    file.write_text(content)
    assert ChildRecords(file).end_orphans() == []
