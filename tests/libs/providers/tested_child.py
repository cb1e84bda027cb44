"""A child whose manners a test chooses: it echoes, raises, prints, waits or dies."""

import os
import sys
import time
from typing import Any

from palimpsest.providers.answering_parent import Answer, answer_parent


def load() -> Answer:
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
    answer_parent(load)
