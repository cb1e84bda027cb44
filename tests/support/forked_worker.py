"""A fork of a process that collected tests: it runs those that it is given, and sends what they come to."""

import os
import signal
import warnings
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from _pytest.capture import FDCapture


class RecordedWarning(NamedTuple):
    """A warning, when it was given, and in which test."""

    warning_message: warnings.WarningMessage
    when: str
    nodeid: str


class Asks:
    """The word of a fork that it wants tests."""


class Outcome(NamedTuple):
    """Outcome of a test: reports of its phases as they can be sent, and warnings."""

    reports: Sequence[Mapping[str, Any]]
    warnings: Sequence[RecordedWarning]


class OutcomeRecorder:
    """Plugin that keeps what a test comes to until it is sent."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._reports: list[Mapping[str, Any]] = []
        self._warnings: list[RecordedWarning] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        hook, config = self._config.hook, self._config
        self._reports.append(hook.pytest_report_to_serializable(config=config, report=report))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str
    ) -> None:
        # Its words alone: the object that it is about may be none that can be sent.
        in_words = warnings.WarningMessage(
            str(warning_message.message),
            warning_message.category,
            warning_message.filename,
            warning_message.lineno,
        )
        self._warnings.append(RecordedWarning(in_words, when, nodeid))

    def take(self) -> Outcome:
        outcome = Outcome(self._reports, self._warnings)
        self._reports, self._warnings = [], []
        return outcome


def run_given_tests(session: pytest.Session, number: int, connection: Connection) -> None:
    """Run groups of tests until an empty one is given.

    It sends `Asks` for a group, and an `Outcome` for each test, in the order of the groups. A group is
    a sequence of places in the session.
    """
    recorder = _leave_to_parent(session.config, number)
    try:
        items = _take_items(session, connection)
        item = next(items, None)
        while item is not None:
            # Known before the test is run: what the next one uses, too, is left standing.
            following = next(items, None)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            connection.send(recorder.take())
            if session.shouldfail or session.shouldstop:
                session._setupstate.teardown_exact(None)
                return
            item = following
    except KeyboardInterrupt:
        # A terminal interrupts all processes, and the parent then does so again.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        session._setupstate.teardown_exact(None)
    finally:
        # What is waste by now may complain of how it was left.
        session.config._ensure_unconfigure()


def _leave_to_parent(config: pytest.Config, number: int) -> OutcomeRecorder:
    """Take nothing on that is the parent's: the terminal, files of captured output, temporary folders."""
    plugins, recorder = config.pluginmanager, OutcomeRecorder(config)
    reporter: Any = plugins.unregister(name="terminalreporter")
    # It reports nothing more, but a test that takes too long writes its stacks by it.
    plugins.register(SimpleNamespace(_tw=reporter._tw), name="terminalreporter")
    plugins.register(recorder)
    recorder.take()  # Warnings of the parent are told to every plugin.
    capturing: Any = plugins.getplugin("capturemanager")._global_capturing
    _capture_apart(capturing.out)
    _capture_apart(capturing.err)
    temporary: Any = config._tmp_path_factory  # type: ignore[attr-defined]
    temporary._basetemp = temporary.mktemp(f"worker{number}", numbered=False)
    temporary._exit_stack.pop_all()
    return recorder


def _capture_apart(capture: Any) -> None:
    """Put a file of its own behind the descriptor that captured output goes to, which modules may hold."""
    if isinstance(capture, FDCapture):
        with TemporaryFile() as file:
            os.dup2(file.fileno(), capture.tmpfile.fileno())


def _take_items(session: pytest.Session, connection: Connection) -> Iterator[pytest.Item]:
    connection.send(Asks())
    while places := connection.recv():
        for place in places:
            # Nothing is sent meanwhile but that this is the end.
            if connection.poll():
                return
            yield session.items[place]
        connection.send(Asks())
