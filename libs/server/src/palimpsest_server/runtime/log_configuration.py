"""Logs: structured, for people or for machines, and without any words of users."""

import logging
import sys
import traceback
from collections.abc import Sequence
from pathlib import PurePath

import structlog
from structlog.typing import EventDict, WrappedLogger

from palimpsest_server.delivery.error_classification import describe_error
from palimpsest_server.runtime.settings import Settings

_OURS = "palimpsest"
_LEAST_OF_LIBRARIES = logging.INFO
# Below this level, database drivers and model clients log their input, which holds people's words.

_INNERMOST_PLACES = 6

_NOISY = {
    "aiokafka": logging.WARNING,
    "httpx": logging.WARNING,
    "httpx2": logging.WARNING,
    "uvicorn.access": logging.WARNING,
}
"""Libraries that would log each request or each rebalance."""

_REPEATING = "aiokafka"
_REPEAT_SECONDS = 10.0


class RepeatedMessageFilter(logging.Filter):
    """Lets a repeated message of a Kafka client through once in ten seconds.

    While Kafka is away, each client repeats its message ten times a second.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.name.startswith(_REPEATING):
            return True
        words = str(record.msg)
        if record.created - self._last.get(words, float("-inf")) < _REPEAT_SECONDS:
            return False
        self._last[words] = record.created
        return True


def replace_foreign_tracebacks(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace the traceback of a record by the error's name and place.

    The record's own message is cut to its first line, and quotations of the error are removed:
    asyncio and FastStream put it into both.
    """
    error = _error(event.pop("exc_info", None))
    if error is None:
        return event
    message = str(event["event"]).partition("\n")[0]
    words = str(error).partition("\n")[0]
    frames = traceback.extract_tb(error.__traceback__)[-_INNERMOST_PLACES:]
    event["event"] = message.replace(words, "…") if words else message
    event["error"] = describe_error(error)
    event["at"] = [
        f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames
    ]
    return event


def _error(information: object) -> BaseException | None:
    if information is True:
        information = sys.exc_info()
    if isinstance(information, tuple):
        information = information[1]
    return information if isinstance(information, BaseException) else None


def configure_logging(settings: Settings) -> None:
    """Send our logs and those of libraries to stderr, at `log_level`, in one form.

    With `log_json` each line is a JSON object; otherwise it is formatted for a terminal. Only our own
    errors' messages are logged, because those of libraries quote their input. Libraries log at INFO or
    above.
    """
    level = logging.getLevelNamesMapping().get(settings.log_level.upper(), logging.INFO)
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(shared, as_json=settings.log_json))
    handler.addFilter(RepeatedMessageFilter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(max(level, _LEAST_OF_LIBRARIES))
    logging.getLogger(_OURS).setLevel(level)
    for name, least in _NOISY.items():
        logging.getLogger(name).setLevel(max(level, least))


def _formatter(
    shared: Sequence[structlog.typing.Processor], *, as_json: bool
) -> structlog.stdlib.ProcessorFormatter:
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            replace_foreign_tracebacks,
            renderer,
        ],
    )
