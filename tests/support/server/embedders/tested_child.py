"""A child whose manners a test chooses: it echoes, raises, prints, waits or dies."""

import os
import sys
import time
from typing import Any

from palimpsest_server.embedders.child_request_loop import ParentRequestHandler, serve_parent


def load() -> ParentRequestHandler:
    if "never-ready" in sys.argv:
        sys.exit(1)
    return _answer


def _answer(asked: Any) -> Any:
    match asked:
        case {"wait": seconds}:
            time.sleep(seconds)
        case {"raise": words}:
            raise ValueError(words)
        case {"print": words}:
            print(words)  # noqa: T201 - the bad habit that is tested
        case {"die": code}:
            os._exit(code)
    return {"echo": asked, "pid": os.getpid()}


if __name__ == "__main__":
    serve_parent(load)
