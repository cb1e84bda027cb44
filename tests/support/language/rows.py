"""Sentences and the result that is expected for each, one JSON object a line."""

import json
from dataclasses import dataclass
from typing import Any

from tests.support.paths import ROOT

FOLDER = ROOT / "tests" / "language" / "rows"


@dataclass(frozen=True)
class Row:
    """One line of a file; `fields` holds the text and the expected result."""

    place: str
    """File and line, to find it by."""
    fields: dict[str, Any]

    @property
    def text(self) -> str:
        text: str = self.fields["text"]
        return text


def read_rows(name: str) -> list[Row]:
    lines = (FOLDER / f"{name}.jsonl").read_text().splitlines()
    return [Row(f"{name}.jsonl:{n}", json.loads(line)) for n, line in enumerate(lines, start=1)]
