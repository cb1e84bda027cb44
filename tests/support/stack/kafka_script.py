"""deploy/local/kafka.py, for tests that start a broker of their own."""

import runpy
from functools import cache
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parents[2] / "deploy" / "local" / "kafka.py"


@cache
def kafka_module() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))
