"""The ledger of language models: calls, tokens and cost by day, task and model."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from palimpsest.api.resources import DeploymentUsage
from palimpsest.model.usage import UsageRow
from services.page.charts import lay_out_bars, lay_out_columns
from services.page.page_routes import PageRoute
from services.page.visit import Visit

PERIODS = (7, 30, 90, 400)
"""Numbers of days that can be chosen; usage is kept for 400."""
DEFAULT_PERIOD = 30


async def show(visit: Visit) -> Response:
    """Show the usage of the chosen days."""
    return visit.render("ledger.html", **await _read(visit))


async def show_rows(visit: Visit) -> Response:
    """Show the figures anew for another choice."""
    return visit.render("ledger/figures.html", **await _read(visit))


async def _read(visit: Visit) -> dict[str, Any]:
    days = parse_period(visit.query.get("days"))
    of_all = visit.session.is_operator and visit.query.get("of") == "all"
    until = visit.times.now.date()
    usage = await _read_usage(visit, until - timedelta(days=days - 1), until, of_all=of_all)
    tokens = sum_tokens(usage.rows)
    by_task: defaultdict[str, float] = defaultdict(int)
    for row in usage.rows:
        by_task[row.task] += row.sum.input_tokens + row.sum.output_tokens
    return {
        "usage": usage,
        "days": days,
        "of_all": of_all,
        "periods": PERIODS,
        "columns": lay_out_columns(tokens, usage.since, usage.until),
        "by_task": lay_out_bars(by_task),
    }


async def _read_usage(visit: Visit, since: date, until: date, *, of_all: bool) -> DeploymentUsage:
    if of_all:
        return await visit.client.deployment_usage(since=since, until=until)
    return await visit.client.usage(
        visit.session.user_id, agent_id=visit.session.agent_id, since=since, until=until
    )


def parse_period(written: str | None) -> int:
    """Return one of the periods; the default for anything else."""
    return next((days for days in PERIODS if str(days) == written), DEFAULT_PERIOD)


def sum_tokens(rows: Iterable[UsageRow]) -> dict[date, float]:
    """Return the tokens of each day, those sent and those received."""
    tokens: defaultdict[date, float] = defaultdict(int)
    for row in rows:
        tokens[row.day] += row.sum.input_tokens + row.sum.output_tokens
    return dict(tokens)


ROUTES = (PageRoute("/ledger", show), PageRoute("/ledger/figures", show_rows))
