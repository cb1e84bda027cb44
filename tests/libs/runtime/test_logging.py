"""Logs are lines for machines or for people, ours and the libraries' alike."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from palimpsest.runtime.logging import configure_logging
from palimpsest.runtime.settings import Settings


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("aiokafka").setLevel(logging.NOTSET)
    structlog.reset_defaults()


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
