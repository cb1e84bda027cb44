"""The ledger of language models: tokens and cost by day, task and model, and each call with what it made."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from palimpsest.api.model_calls import ModelCallList
from palimpsest.api.resources import DeploymentUsage
from palimpsest.model.usage import UsageRow
from services.page.charts import lay_out_bars, lay_out_columns
from services.page.page_routes import PageRoute
from services.page.session_effects import collect_effects, count_erased
from services.page.visit import Visit

PERIODS = (7, 30, 90, 400)
"""Numbers of days that can be chosen; usage is kept for 400."""
DEFAULT_PERIOD = 30
PAGE_SIZE = 25


async def show(visit: Visit) -> Response:
    """Show the usage of the chosen days."""
    return visit.render("ledger.html", **await _read(visit))


async def show_rows(visit: Visit) -> Response:
    """Show the figures anew for another choice."""
    return visit.render("ledger/figures.html", **await _read(visit))


async def show_calls(visit: Visit) -> Response:
    """Show the next page of single calls."""
    since, until = find_days(visit)
    page = await _read_calls(visit, since, until)
    return visit.render("ledger/calls.html", page=page, is_next_page=True)


async def show_made(visit: Visit) -> Response:
    """Show the memories that followed from a call."""
    change_set = await visit.client.change(
        visit.query.get("change_set_id", ""),
        user_id=visit.session.user_id,
        agent_id=visit.session.agent_id,
    )
    effects = collect_effects([change_set])
    return visit.render(
        "ledger/made.html",
        call_id=visit.query.get("id", ""),
        effects=[effect for effect in effects if not effect.is_erased],
        erased=count_erased(effects),
        session_id=change_set.cause.session_id,
    )


async def _read(visit: Visit) -> dict[str, Any]:
    of_all = visit.session.is_operator and visit.query.get("of") == "all"
    since, until = find_days(visit)
    usage = await _read_usage(visit, since, until, of_all=of_all)
    tokens = sum_tokens(usage.rows)
    by_task: defaultdict[str, float] = defaultdict(int)
    for row in usage.rows:
        by_task[row.task] += row.sum.input_tokens + row.sum.output_tokens
    return {
        "usage": usage,
        "page": None if of_all else await _read_calls(visit, since, until),
        "is_next_page": False,
        "days": parse_period(visit.query.get("days")),
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


async def _read_calls(visit: Visit, since: date, until: date) -> ModelCallList:
    return await visit.client.model_calls(
        visit.session.user_id,
        agent_id=visit.session.agent_id,
        since=since,
        until=until,
        limit=PAGE_SIZE,
        cursor=visit.query.get("cursor"),
    )


def find_days(visit: Visit) -> tuple[date, date]:
    """Return the first and the last of the chosen days."""
    until = visit.times.now.date()
    return until - timedelta(days=parse_period(visit.query.get("days")) - 1), until


def parse_period(written: str | None) -> int:
    """Return one of the periods; the default for anything else."""
    return next((days for days in PERIODS if str(days) == written), DEFAULT_PERIOD)


def sum_tokens(rows: Iterable[UsageRow]) -> dict[date, float]:
    """Return the tokens of each day, those sent and those received."""
    tokens: defaultdict[date, float] = defaultdict(int)
    for row in rows:
        tokens[row.day] += row.sum.input_tokens + row.sum.output_tokens
    return dict(tokens)


ROUTES = (
    PageRoute("/ledger", show),
    PageRoute("/ledger/figures", show_rows),
    PageRoute("/ledger/calls", show_calls),
    PageRoute("/ledger/made", show_made),
)
