"""Dashboards as values, and the JSON that Grafana wants of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

DATASOURCE = {"type": "prometheus", "uid": "palimpsest-prometheus"}
_COLUMNS = 24
_HEIGHT = 8


@dataclass(frozen=True)
class Query:
    expression: str
    legend: str = ""
    """Grafana's own: `{{label}}` stands for a label's value."""


@dataclass(frozen=True)
class Panel:
    title: str
    words: str
    """What it shows, and what to think of it."""
    queries: tuple[Query, ...]
    unit: str = "short"
    kind: str = "timeseries"
    width: int = 8
    warning: float | None = None
    """From this value on, what is shown is red."""


@dataclass(frozen=True)
class Dashboard:
    name: str
    title: str
    words: str
    panels: tuple[Panel, ...]

    @property
    def file_name(self) -> str:
        return f"{self.name}.json"


def build_dashboard_document(dashboard: Dashboard) -> dict[str, Any]:
    """Build the document that is provisioned: the same each time."""
    return {
        "uid": f"palimpsest-{dashboard.name}",
        "title": dashboard.title,
        "description": dashboard.words,
        "tags": ["palimpsest"],
        "schemaVersion": 41,
        "editable": False,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "timezone": "browser",
        "links": [
            {
                "type": "dashboards",
                "tags": ["palimpsest"],
                "title": "Palimpsest",
                "asDropdown": True,
                "keepTime": True,
            }
        ],
        "panels": _placed(dashboard.panels),
    }


def _placed(panels: Sequence[Panel]) -> list[dict[str, Any]]:
    """From left to right, and where a row is full, below."""
    x = y = 0
    placed = []
    for number, panel in enumerate(panels, start=1):
        if x + panel.width > _COLUMNS:
            x, y = 0, y + _HEIGHT
        placed.append(_panel(number, panel, {"x": x, "y": y, "w": panel.width, "h": _HEIGHT}))
        x += panel.width
    return placed


def _panel(number: int, panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"color": "green", "value": None}]
    if panel.warning is not None:
        steps.append({"color": "red", "value": panel.warning})
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.words,
        "datasource": DATASOURCE,
        "gridPos": place,
        "fieldConfig": {
            "defaults": {
                "unit": panel.unit,
                "min": 0,
                "thresholds": {"mode": "absolute", "steps": steps},
            },
            "overrides": [],
        },
        "targets": [
            {
                "refId": chr(ord("A") + place),
                "datasource": DATASOURCE,
                "expr": query.expression,
                "legendFormat": query.legend or "__auto",
            }
            for place, query in enumerate(panel.queries)
        ],
    }
