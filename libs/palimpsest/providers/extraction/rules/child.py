"""The child process that applies the rules: `python -m palimpsest.providers.extraction.rules.child`.

Asked with extraction requests; answers extraction answers.
"""

import asyncio
import os
from typing import Any

from palimpsest.providers.answering_parent import Answer, answer_parent
from palimpsest.providers.extraction.dialogue import ExtractionRequest

NICENESS = 10
"""Somebody waits for a recall, and nobody as impatiently for what will be remembered."""


def load() -> Answer:
    from palimpsest.providers.extraction.rules.local import (  # noqa: PLC0415 - its tables take long
        LocalRules,
    )

    # No Runner: to tell signals of a task it writes out the task, with all that it was given.
    rules, loop = LocalRules(), asyncio.new_event_loop()

    def extract(request: Any) -> Any:
        asked = ExtractionRequest.model_validate(request)
        return loop.run_until_complete(rules.extract(asked)).model_dump(mode="json")

    return extract


if __name__ == "__main__":
    os.nice(NICENESS)
    answer_parent(load)
