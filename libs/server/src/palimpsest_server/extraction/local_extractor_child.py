"""The child process that applies the rules: `python -m palimpsest_server.extraction.local_extractor_child`.

Asked with extraction requests and the time that a message may take; answers extraction answers, and
the processor time that each took.
"""

import asyncio
import os
import time
from typing import Any

from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_server.embedders.child_request_loop import ParentRequestHandler, serve_parent

NICENESS = 10
"""Somebody waits for a recall, and nobody as impatiently for what will be remembered."""


def load_local_extractor() -> ParentRequestHandler:
    from palimpsest_language.local_extraction.local_extractor import (  # noqa: PLC0415 - heavy
        LocalExtractor,
    )
    from palimpsest_language.local_extraction.reading_limit import ReadingLimit  # noqa: PLC0415

    # No Runner: to tell signals of a task it writes out the task, with all that it was given.
    rules, loop = LocalExtractor(), asyncio.new_event_loop()

    def extract(message: Any) -> Any:
        began = time.process_time()
        asked = ExtractionRequest.model_validate(message["request"])
        seconds = message["seconds_for_each_message"]
        limit = None if seconds is None else ReadingLimit(seconds)
        answer = loop.run_until_complete(rules.extract(asked, limit)).model_dump(mode="json")
        return {"answer": answer, "processor_seconds": time.process_time() - began}

    return extract


if __name__ == "__main__":
    os.nice(NICENESS)
    serve_parent(load_local_extractor)
