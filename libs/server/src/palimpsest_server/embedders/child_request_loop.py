"""The child's side of a child process: answers the requests of its parent, in order."""

import gc
import logging
import os
import sys
from collections.abc import Callable
from typing import IO, Any, NoReturn

from palimpsest_server.embedders import pipe_frames
from palimpsest_server.embedders.gc_pause import pause_garbage_collection
from palimpsest_server.error_places import locate_error

_log = logging.getLogger(__name__)

ParentRequestHandler = Callable[[Any], Any]


def serve_parent(load: Callable[[], ParentRequestHandler]) -> NoReturn:
    """Answer until the input ends, so that no child outlives its parent, however the parent died.

    Args:
        load: prepares the work and returns a function that answers one request.
            Requests and answers are JSON. The parent is told only the type of an
            error, because messages of errors quote their input.
    """
    # Output of a library must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with pause_garbage_collection():
        answer = load()
        gc.freeze()
    try:
        _send(answers, {"ready": True})
        while True:
            _send(answers, _outcome(answer, pipe_frames.read_frame(sys.stdin.buffer)))
    except (EOFError, BrokenPipeError):
        # Not sys.exit: flushing a pipe without a reader would print an error.
        os._exit(0)


def _outcome(answer: ParentRequestHandler, request: Any) -> Any:
    try:
        return {"answer": answer(request)}
    except Exception as error:  # noqa: BLE001 - whatever it was, the parent must be told
        _log.warning("a request failed: %s at %s", type(error).__name__, locate_error(error))
        return {"error": type(error).__name__}


def _send(stream: IO[bytes], message: Any) -> None:
    stream.write(pipe_frames.pack_frame(message))
    stream.flush()
