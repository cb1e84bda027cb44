"""Logs are lines for machines or for people, ours and the libraries' alike."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from palimpsest_server.runtime.log_configuration import configure_logging
from palimpsest_server.runtime.settings import Settings


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name in ("aiokafka", "palimpsest"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def test_with_log_json_every_line_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(Settings(log_json=True))
    structlog.get_logger("palimpsest.test").info("joined Kafka", service="ingest", 用户数=3)
    logging.getLogger("some.library").warning("a %s", "warning")
    ours, theirs = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (ours["event"], ours["service"], ours["用户数"]) == ("joined Kafka", "ingest", 3)
    assert (ours["level"], ours["logger"]) == ("info", "palimpsest.test")
    assert (theirs["event"], theirs["logger"]) == ("a warning", "some.library")


def test_what_is_below_the_level_is_left_out_and_chatty_libraries_are_held_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging(Settings(log_level="info"))
    structlog.get_logger("palimpsest.test").debug("a detail")
    logging.getLogger("aiokafka.consumer").info("joining")
    structlog.get_logger("palimpsest.test").info("a line")
    (line,) = capsys.readouterr().err.splitlines()
    assert "a line" in line


def test_a_kafka_client_that_repeats_itself_is_heard_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging(Settings())
    for node in range(50):
        logging.getLogger("aiokafka").error("Unable to connect to %s", node)
        logging.getLogger("palimpsest").error("ours")
    lines = capsys.readouterr().err.splitlines()
    assert sum("Unable" in line for line in lines) == 1
    assert sum("ours" in line for line in lines) == 50


def test_libraries_that_log_what_they_send_are_not_heard_even_when_debugging(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging(Settings(log_level="DEBUG"))
    structlog.get_logger("palimpsest.test").debug("a detail")
    for name in ("pymongo.command", "openai._base_client", "httpcore.http11"):
        logging.getLogger(name).debug("sending %s", "what ann said")
    (line,) = capsys.readouterr().err.splitlines()
    assert "a detail" in line


def fail() -> None:
    raise ValueError("ann said: my secret\nsecond line")


def fail_and_log(*, ours: bool, message: str) -> None:
    try:
        fail()
    except ValueError as error:
        if ours:
            structlog.get_logger("palimpsest.test").exception(message)
        else:
            logging.getLogger("some.library").exception(message.format(error))  # noqa: TRY401


@pytest.mark.parametrize("log_json", [True, False])
@pytest.mark.parametrize(
    ("ours", "message"),
    [
        (True, "a step failed"),
        (False, "a step failed"),
        (False, "ValueError: {0}"),
        (False, "Task exception was never retrieved\nfuture: <Task exception={0!r}>"),
    ],
)
def test_an_error_is_named_with_its_place_and_never_quoted(
    capsys: pytest.CaptureFixture[str], message: str, *, log_json: bool, ours: bool
) -> None:
    configure_logging(Settings(log_json=log_json))
    fail_and_log(ours=ours, message=message)
    (line,) = capsys.readouterr().err.splitlines()
    assert "secret" not in line
    assert "second" not in line
    assert "ValueError" in line
    assert "fail_and_log" in line
