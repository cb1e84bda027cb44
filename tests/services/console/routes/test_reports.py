from datetime import date

import httpx
import pytest
from fastapi import FastAPI

from palimpsest.api.resources import QualityReports
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.quality_report import QualityReport
from palimpsest.model.scope import Namespace
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.reports import MongoReports, NamespaceReport
from services.console.routes import reports


def report(active: int) -> QualityReport:
    return QualityReport(
        day=date(2026, 3, 2), by_kind={Kind.FACT: active}, by_status={Status.ACTIVE: active}
    )


async def asked(store: MongoReports, **parameters: str) -> QualityReports:
    app = FastAPI()
    app.include_router(reports.build_router(store))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://console") as http:
        answer = await http.get("/v1/reports", params=parameters)
    assert answer.status_code == 200, answer.text
    return QualityReports.model_validate_json(answer.content)


@pytest.fixture
async def store(database: MongoDatabase) -> MongoReports:
    store = MongoReports(database)
    for user_id, agent_id, active in (("ann", None, 1), ("ann", "poet", 2), ("bob", None, 4)):
        namespace = Namespace(user_id=user_id, agent_id=agent_id)
        await store.write(NamespaceReport(namespace=namespace, report=report(9)))
        await store.write(NamespaceReport(namespace=namespace, report=report(active)))
    return store


async def test_of_a_user_each_namespace_and_their_sum(store: MongoReports) -> None:
    quality_reports = await asked(store, user_id="ann")
    assert {
        agent: quality_report.by_kind[Kind.FACT]
        for agent, quality_report in quality_reports.by_agent.items()
    } == {
        "": 1,
        "poet": 2,
    }
    assert quality_reports.total is not None
    assert quality_reports.total.by_status == {Status.ACTIVE: 3}
    nobody = await asked(store, user_id="nobody")
    assert (nobody.total, nobody.by_agent) == (None, {})


async def test_of_a_deployment_the_sum_and_nobody_by_name(store: MongoReports) -> None:
    quality_reports = await asked(store)
    assert quality_reports.total is not None
    assert (quality_reports.total.by_status, quality_reports.by_agent) == ({Status.ACTIVE: 7}, {})
