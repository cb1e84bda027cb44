"""The child process that applies the rules: `python -m palimpsest_server.extraction.local_extractor_child`.

A request has an extraction request and the time limit for a message. The answer has the extraction
answer and the processor time used.
"""

import asyncio
import os
import time
from typing import Any

from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_server.embedders.child_request_loop import ParentRequestHandler, serve_parent

NICENESS = 10
"""Lower priority than recall, because people wait for a recall and not for extraction."""


def load_local_extractor() -> ParentRequestHandler:
    from palimpsest_language.local_extraction.local_extractor import (  # noqa: PLC0415 - heavy
        LocalExtractor,
    )
    from palimpsest_language.local_extraction.reading_limit import ReadingLimit  # noqa: PLC0415

    # No Runner: to report a task's signals it writes out the task with all of its arguments.
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
