"""deploy/local/kafka.py, for tests that start a broker of their own."""

import runpy
from functools import cache
from typing import Any

from tests.support.paths import ROOT

SCRIPT = ROOT / "deploy" / "local" / "kafka.py"


@cache
def kafka_module() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))
