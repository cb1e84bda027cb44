"""Logs: structured, for people or for machines, and without anything a user said."""

import logging
import sys

import structlog

from palimpsest.runtime.settings import Settings

_NOISY = {"aiokafka": logging.WARNING, "httpx": logging.WARNING, "uvicorn.access": logging.WARNING}
"""Libraries that would say something for each request or each rebalance."""

_REPEATING = "aiokafka"
_REPEAT_SECONDS = 10.0


class Sparing(logging.Filter):
    """Lets the same words of a Kafka client through once in ten seconds.

    While Kafka is away each client says so ten times a second.
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


def configure_logging(settings: Settings) -> None:
    """Send our logs and those of the libraries to stderr, at `log_level`, in one form.

    With `log_json` each line is a JSON object; otherwise it is made for a
    terminal. Values of exceptions are never formatted into events by us:
    whoever logs an error names it by `words_of`.
    """
    level = logging.getLevelNamesMapping().get(settings.log_level.upper(), logging.INFO)
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if settings.log_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            renderer,
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    handler.addFilter(Sparing())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name, least in _NOISY.items():
        logging.getLogger(name).setLevel(max(level, least))
