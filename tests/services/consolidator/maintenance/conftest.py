"""No run is cut into parts because the machine is busy, and each looks at everything.

The tests of parts, and of what was seen already, say when not.
"""

import pytest

from services.consolidator.maintenance import inspection_reader


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection_reader, "SEARCH_BUDGET_SECONDS", float("inf"))
    monkeypatch.setattr(inspection_reader, "MAXIMUM_CALL_SECONDS", float("inf"))


@pytest.fixture(autouse=True)
def thorough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection_reader, "DAYS_BETWEEN_REFLECTIONS", 1)
