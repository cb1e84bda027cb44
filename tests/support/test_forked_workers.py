"""Tests in forks come to what they would come to in one process, and a fork that dies fails its test."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.support.paths import ROOT

_FIRST = """
import os, time, warnings
import pytest

@pytest.fixture(scope="session")
def shared():
    yield os.getpid()
    print("put away")

def test_it_is_run_in_a_fork(shared, tmp_path):
    assert shared == os.getpid() != os.getppid()
    assert tmp_path.parent.name.startswith("worker")

def test_it_is_wrong(shared):
    print("these words")
    assert [1, 2] == [1, 3]

def test_it_warns():
    warnings.warn("take care")

@pytest.mark.timeout(0.2)
def test_it_takes_too_long():
    time.sleep(60)

def test_it_ends_its_process():
    os._exit(7)

def test_the_one_after_it():
    pass

@pytest.mark.skip(reason="not today")
def test_it_is_skipped():
    pass
"""
_SECOND = """
def test_elsewhere():
    pass
"""


def run(folder: Path, *options: str) -> str:
    """Run the two files in two forks, and return what is printed."""
    for name, text in (("test_first.py", _FIRST), ("test_second.py", _SECOND)):
        (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "pytest",
                str(folder),
                "-rs",
                "-p",
                "tests.support.forked_workers",
            ),
            *("--rootdir", str(folder), "--basetemp", str(folder / "temporary"), "-o", "addopts="),
            *("-p", "pytest_timeout"),
            *("--numprocesses", "2", *options),
        ],
        check=False,
        cwd=ROOT,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    return done.stdout


def read_outcomes(file: Path) -> dict[str, Sequence[str]]:
    return {
        str(case.get("name")): [child.tag for child in case]
        for case in ET.parse(file).iter("testcase")  # noqa: S314 - our own
    }


def test_each_test_comes_to_what_it_would_in_one_process(tmp_path: Path) -> None:
    printed = run(tmp_path, "--junitxml", str(tmp_path / "outcomes.xml"))
    assert read_outcomes(tmp_path / "outcomes.xml") == {
        "test_it_is_run_in_a_fork": [],
        "test_it_is_wrong": ["failure"],
        "test_it_warns": [],
        "test_it_takes_too_long": ["failure"],
        "test_it_ends_its_process": ["failure"],
        "test_the_one_after_it": [],
        "test_it_is_skipped": ["skipped"],
        "test_elsewhere": [],
    }
    expected = (
        "these words",
        "[1, 2] == [1, 3]",
        "take care",
        ">0.2s",
        "ended with 7",
        "not today",
    )
    for words in expected:
        assert words in printed


def test_the_first_failure_ends_the_run_where_that_is_asked(tmp_path: Path) -> None:
    printed = run(tmp_path, "-x")
    assert "stopping after 1 failures" in printed
    assert "test_it_ends_its_process" not in printed
