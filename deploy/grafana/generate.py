"""Writes deploy/grafana/dashboards/*.json: `python -m deploy.grafana.generate`."""

import json
from pathlib import Path

from deploy.grafana.definitions import DASHBOARDS
from deploy.grafana.panels import build_dashboard_document

FOLDER = Path(__file__).parent / "dashboards"


def render_dashboard_files() -> dict[str, str]:
    """Name and content of each."""
    return {
        each.file_name: json.dumps(build_dashboard_document(each), ensure_ascii=False, indent=1)
        + "\n"
        for each in DASHBOARDS
    }


def main() -> None:
    for name, content in render_dashboard_files().items():
        (FOLDER / name).write_text(content)


if __name__ == "__main__":
    main()
