"""Ctrl-C: once asks, and what is open is closed; twice insists."""

import os
import signal
import subprocess
import sys
import time

_WORK = """
import asyncio, signal, sys
from services.host.signals import run_until_signalled

async def work():
    try:
        print("working", flush=True)
        await asyncio.Event().wait()
    finally:
        await asyncio.sleep({closing})
        print("closed", flush=True)

run_until_signalled(work())
print("after", flush=True)
"""


def _begun(closing: float) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", _WORK.format(closing=closing)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "working\n"
    return process


def test_the_first_signal_closes_what_is_open() -> None:
    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with _begun(closing=0.01) as process:
            os.kill(process.pid, sent)
            output, _ = process.communicate(timeout=60)
            assert output == "closed\nafter\n"
            assert process.returncode == 0


def test_a_signal_handed_on_twice_is_one() -> None:
    with _begun(closing=0.3) as process:
        os.kill(process.pid, signal.SIGTERM)
        time.sleep(0.05)
        os.kill(process.pid, signal.SIGTERM)
        assert process.communicate(timeout=60)[0] == "closed\nafter\n"


def test_the_second_ctrl_c_does_not_wait() -> None:
    with _begun(closing=600) as process:
        os.kill(process.pid, signal.SIGINT)
        time.sleep(0.8)
        os.kill(process.pid, signal.SIGINT)
        assert process.communicate(timeout=60)[0] == ""
        assert process.returncode == 130
