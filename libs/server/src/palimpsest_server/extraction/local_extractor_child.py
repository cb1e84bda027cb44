"""The child process that applies the rules: `python -m palimpsest_server.extraction.local_extractor_child`.

Asked with extraction requests; answers extraction answers.
"""

import asyncio
import os
from typing import Any

from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_server.embedders.child_request_loop import ParentRequestHandler, serve_parent

NICENESS = 10
"""Somebody waits for a recall, and nobody as impatiently for what will be remembered."""


def load_local_extractor() -> ParentRequestHandler:
    from palimpsest_language.local_extraction.local_extractor import (  # noqa: PLC0415 - heavy
        LocalExtractor,
    )

    # No Runner: to tell signals of a task it writes out the task, with all that it was given.
    rules, loop = LocalExtractor(), asyncio.new_event_loop()

    def extract(request: Any) -> Any:
        asked = ExtractionRequest.model_validate(request)
        return loop.run_until_complete(rules.extract(asked)).model_dump(mode="json")

    return extract


if __name__ == "__main__":
    os.nice(NICENESS)
    serve_parent(load_local_extractor)
