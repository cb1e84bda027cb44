"""No run of maintenance is cut into parts because the machine is busy: the test of parts says when."""

import pytest

from services.consolidator.maintenance import looking


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "SEARCHED_FOR_SECONDS", float("inf"))
