"""Plugin of pytest: run tests in forks of the process that collected them.

So all that tests load is loaded once, and they are collected once, however many processes run them.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait

import pytest

from tests.support.forked_worker import Asks, Outcome, run_given_tests
from tests.support.scheduling import group_tests


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--numprocesses",
        type=int,
        default=0,
        help="how many processes run tests, a file at a time; without it, this one runs them",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    processes = session.config.getoption("numprocesses")
    if not processes or session.config.option.collectonly or session.testsfailed:
        return None
    ForkedRun(session, group_tests([item.nodeid for item in session.items])).run(processes)
    return True


class ForkedWorker:
    """A fork as it is seen from the process that it comes from."""

    def __init__(
        self, session: pytest.Session, number: int, others: Sequence["ForkedWorker"]
    ) -> None:
        forks = multiprocessing.get_context("fork")
        self.connection, far_end = forks.Pipe()
        self.untold: deque[int] = deque()
        """Tests that it was given and has told nothing of, in their order."""
        self.told: int | None = None
        """The test that it told of last."""
        inherited = [self.connection, *(worker.connection for worker in others)]
        self.process = forks.Process(target=_work, args=(session, number, far_end, inherited))
        self.process.start()
        far_end.close()

    def give(self, group: Sequence[int]) -> None:
        """Give it tests, or none, upon which it ends."""
        self.untold += group
        # Nobody is there to take it where the worker has just died, of which is heard next.
        with suppress(OSError):
            self.connection.send(group)

    def listen(self) -> Asks | Outcome | None:
        """Return what it says next, and nothing where it has ended."""
        try:
            said: Asks | Outcome = self.connection.recv()
        except (EOFError, ConnectionResetError):
            return None
        return said

    def interrupt(self) -> None:
        assert self.process.pid is not None
        os.kill(self.process.pid, signal.SIGINT)


def _work(
    session: pytest.Session, number: int, connection: Connection, inherited: Sequence[Connection]
) -> None:
    # Held by others, too, they would not end with the worker.
    for other in inherited:
        other.close()
    run_given_tests(session, number, connection)


class ForkedRun:
    """A run of groups of tests, each a sequence of places in the session, the first begun first."""

    def __init__(self, session: pytest.Session, groups: Sequence[Sequence[int]]) -> None:
        self._session = session
        self._config = session.config
        self._groups = deque(groups)
        self._workers: list[ForkedWorker] = []
        self._begun = 0

    def run(self, processes: int) -> None:
        """Run all tests.

        Raises:
            pytest.Session.Failed: as many have failed as were to end the run.
            pytest.Session.Interrupted: a test or a plugin asked for the end.
        """
        # Made before the forks, whose folders stand in it.
        self._config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        try:
            for _ in range(min(processes, len(self._groups))):
                self._begin_worker()
            while self._workers:
                ready = wait([worker.connection for worker in self._workers])
                for worker in [one for one in self._workers if one.connection in ready]:
                    self._hear(worker)
        finally:
            # None is left unless this was interrupted.
            for worker in self._workers:
                worker.interrupt()
            for worker in self._workers:
                worker.process.join()
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)

    def _begin_worker(self) -> None:
        self._workers.append(ForkedWorker(self._session, self._begun, self._workers))
        self._begun += 1

    def _hear(self, worker: ForkedWorker) -> None:
        match worker.listen():
            case Outcome() as outcome:
                worker.told = worker.untold.popleft()
                self._tell(self._session.items[worker.told], outcome)
            case Asks():
                worker.give(self._groups.popleft() if self._groups else ())
            case None:
                self._bury(worker)
        if self._session.shouldfail or self._session.shouldstop:
            self._stop()

    def _tell(self, item: pytest.Item, outcome: Outcome) -> None:
        """Tell all plugins, as if the test had been run in this process."""
        config, hook = self._config, self._config.hook
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for written in outcome.reports:
            report = hook.pytest_report_from_serializable(config=config, data=written)
            hook.pytest_runtest_logreport(report=report)
        for warning in outcome.warnings:
            hook.pytest_warning_recorded.call_historic(
                kwargs=warning._asdict() | {"location": None}
            )
        hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)

    def _stop(self) -> None:
        """Let each worker end behind the tests that it has begun."""
        self._groups.clear()
        for worker in self._workers:
            worker.give(())

    def _bury(self, worker: ForkedWorker) -> None:
        """Take leave of a worker that has ended, and let another do what it has not done."""
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.join()
        if not worker.process.exitcode:
            return
        guilty = worker.untold.popleft() if worker.untold else worker.told
        assert guilty is not None, f"a worker ended at once with {worker.process.exitcode}"
        self._tell_of_end(self._session.items[guilty], worker.process.exitcode)
        if worker.untold:
            self._groups.appendleft([*worker.untold])
        if self._groups:
            self._begin_worker()

    def _tell_of_end(self, item: pytest.Item, exit_code: int) -> None:
        report = pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords={},
            outcome="failed",
            longrepr=f"The process that ran this test ended with {exit_code}.",
            when="call",
        )
        self._config.hook.pytest_runtest_logreport(report=report)
