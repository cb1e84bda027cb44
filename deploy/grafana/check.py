"""`make dashboards`: every panel and alert asked of a real Prometheus while there is load.

Fails where a panel, a recording rule or what an alert compares has no data:
a wrong name answers success with nothing. `--pictures` draws the dashboards.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.grafana.chat_load import run_chat_load
from deploy.grafana.definitions import DASHBOARDS
from deploy.grafana.load_model import build_load_model_settings, run_load_model
from deploy.grafana.prometheus_server import (
    MISSING,
    RULES,
    Prometheus,
    is_installed,
    run_prometheus,
)
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance

LOAD_SECONDS = 45.0
PATIENCE_SECONDS = 240.0
"""Beyond that, for what had nothing to say by then."""
MORE_SECONDS = 10.0
WINDOW = "15s"
"""In place of Grafana's own choice, and of the minutes of the rules, for a load this short."""

_COMPARISON = re.compile(r"(?P<value>.+)\s+(>|<|==)\s+[\d.]+", re.DOTALL)


_METRIC = re.compile(r"palimpsest_\w+")
_PARTS = re.compile(r"_(bucket|sum|count)$")


@dataclass
class DashboardCheck:
    known: set[str] = field(default_factory=set)
    """What Prometheus has heard of: an expression that falls back to zero hides a wrong name."""
    asked: int = 0
    empty: list[str] = field(default_factory=list)

    def add(self, what: str, expression: str, series: list[Any]) -> None:
        self.asked += 1
        unknown = {name for name in _METRIC.findall(expression) if not self._is_known(name)}
        if unknown:
            self.empty.append(f"{what}: nobody knows {', '.join(unknown)}")
        elif not series:
            self.empty.append(what)

    def _is_known(self, metric: str) -> bool:
        return metric in self.known or _PARTS.sub("", metric) in self.known


def extract_compared_expression(alert: str) -> str:
    """Extract the expression that an alert compares with a number."""
    found = _COMPARISON.fullmatch(alert.strip())
    if found is None:
        raise ValueError(f"not one comparison with one number: {alert}")
    return found["value"]


async def check_dashboards(
    folder: Path, pictures: Path | None, load_seconds: float
) -> DashboardCheck:
    # Often enough that the reconcilers have something to say while this lasts.
    os.environ.setdefault("PALIMPSEST_RECONCILE_INTERVAL_SECONDS", "2")
    os.environ["PALIMPSEST_LOG_LEVEL"] = "ERROR"
    async with run_load_model() as model:
        os.environ |= build_load_model_settings(model)
        async with run_embedded_instance() as subject:
            return await _ask(subject, folder, pictures, load_seconds)


async def _ask(
    subject: MeasuredInstance, folder: Path, pictures: Path | None, load_seconds: float
) -> DashboardCheck:
    """Under load until everything has data; a busy machine takes longer for that."""
    target = subject.http_url.removeprefix("http://")
    async with run_prometheus(folder, target) as server:
        began = time.time()
        give_up_at = began + load_seconds + PATIENCE_SECONDS
        async with run_chat_load(subject.http_url, subject.kafka_bootstrap_servers) as load:
            await asyncio.sleep(load_seconds)
            while (  # noqa: ASYNC110 - it is asked, and tells nothing of itself
                report := await _report(server, began)
            ).empty and time.time() < give_up_at:
                await asyncio.sleep(MORE_SECONDS)
        print(f"{load.rounds} rounds of load in {time.time() - began:.0f} s")
        if pictures:
            await _draw(server, began, pictures)
        return report


async def _report(server: Prometheus, began: float) -> DashboardCheck:
    report = DashboardCheck(known=await server.known())
    for dashboard in DASHBOARDS:
        for panel in dashboard.panels:
            for query in panel.queries:
                found = await _answers(server, query.expression, began)
                report.add(f"{dashboard.name}: {panel.title}", query.expression, found)
    for rule in await server.rules():
        name, query = rule["name"], rule["query"]
        if rule["health"] != "ok":
            report.empty.append(f"{name}: {rule.get('lastError') or rule['health']}")
        asked = name if rule["type"] == "recording" else extract_compared_expression(query)
        report.add(name, query, await _answers(server, asked, began))
    return report


async def _draw(server: Prometheus, began: float, pictures: Path) -> None:
    from deploy.grafana.pictures import draw_dashboard  # noqa: PLC0415 - loads matplotlib

    for dashboard in DASHBOARDS:
        answers = {
            query.expression: await _answers(server, query.expression, began)
            for panel in dashboard.panels
            for query in panel.queries
        }
        draw_dashboard(dashboard, answers, pictures / f"dashboard-{dashboard.name}.png")


async def _answers(server: Prometheus, expression: str, began: float) -> list[dict[str, Any]]:
    asked = expression.replace("$__rate_interval", WINDOW)
    return await server.ranges(asked, began, time.time())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, help="a folder to draw the dashboards into")
    parser.add_argument("--seconds", type=float, default=LOAD_SECONDS, help="of load")
    arguments = parser.parse_args()
    if not is_installed():
        print(MISSING, file=sys.stderr)
        return 1
    subprocess.run(["promtool", "test", "rules", str(RULES / "tests.yml")], check=True)
    with tempfile.TemporaryDirectory(prefix="palimpsest-dashboards-") as folder:
        report = asyncio.run(check_dashboards(Path(folder), arguments.pictures, arguments.seconds))
    for empty in report.empty:
        print(f"no data: {empty}")
    print(f"{report.asked} expressions asked, {len(report.empty)} wrong or without data")
    return 1 if report.empty else 0


if __name__ == "__main__":
    sys.exit(main())
