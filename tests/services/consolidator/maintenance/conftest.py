"""Each run looks at everything; the tests of what was seen already say when not."""

import pytest

from services.consolidator.maintenance import inspection_reader


@pytest.fixture(autouse=True)
def thorough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection_reader, "DAYS_BETWEEN_REFLECTIONS", 1)
