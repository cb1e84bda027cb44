"""Statistics of what is remembered: growth, kinds, statuses, use and how much there may be."""

from starlette.responses import Response

from palimpsest.api.resources import QuotaState
from palimpsest.model.memory import Status
from services.page.charts import lay_out_bars, lay_out_growth
from services.page.page_routes import PageRoute
from services.page.visit import Visit


async def show(visit: Visit) -> Response:
    """Show the figures as they are now."""
    session = visit.session
    statistics = await visit.client.statistics(session.user_id, agent_id=session.agent_id)
    by_status = {
        status.value: count
        for status, count in statistics.by_status.items()
        if status is not Status.PURGED
    }
    return visit.render(
        "statistics.html",
        statistics=statistics,
        growth=lay_out_growth(statistics.by_day, visit.times.now.date()),
        by_kind=lay_out_bars({kind.value: count for kind, count in statistics.by_kind.items()}),
        by_status=lay_out_bars(by_status),
        forgotten=statistics.by_status.get(Status.FORGOTTEN, 0),
        quotas=await _list_quotas(visit),
    )


async def _list_quotas(visit: Visit) -> list[tuple[str | None, QuotaState, float]]:
    """Return the quota of each agent, and of what all agents see, with the share that is used."""
    session = visit.session
    # The limit is the user's: to ask for each agent's quota would count its memories once more.
    quota = await visit.client.quota(session.user_id, agent_id=session.agent_id)
    quotas = [(session.agent_id, quota)]
    if session.agent_id is None:
        quotas += [
            (agent.agent_id, quota.model_copy(update={"current": agent.memories}))
            for agent in (await visit.client.agents(session.user_id)).agents
            if agent.agent_id is not None
        ]
    return [(agent_id, state, compute_share(state)) for agent_id, state in quotas]


def compute_share(quota: QuotaState) -> float:
    """Return the share of a quota that is used, 0 to 100; 0 without a limit."""
    return min(100.0, round(100 * quota.current / quota.limit, 2)) if quota.limit else 0.0


ROUTES = (PageRoute("/statistics", show),)
