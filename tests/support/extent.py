"""How much of what can be tried is tried: all of it in `.ci/run`, a third elsewhere."""

import os

EVERY = 1 if os.environ.get("PALIMPSEST_TEST_WHOLE") else 3
"""One of so many cases is tried."""
