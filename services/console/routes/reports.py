"""Quality reports: what the consolidator found on its last round."""

from typing import Annotated, Protocol

from fastapi import APIRouter, Query

from palimpsest.api.resources import QualityReports
from palimpsest.model.value_types import Identifier
from palimpsest_server.domain.reports.quality import merge_quality_reports
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.reports import NamespaceReport


class QualityReportReader(Protocol):
    async def of_user(self, user_id: str) -> list[NamespaceReport]: ...

    async def everything(self) -> list[NamespaceReport]: ...


def build_router(reports: QualityReportReader) -> APIRouter:
    router = APIRouter(prefix="/v1/reports", tags=["reports"])

    @router.get("", openapi_extra=declare_permission(Permission.ADMIN))
    async def quality(
        user_id: Annotated[Identifier | None, Query()] = None,
    ) -> QualityReports:
        """Return a user's report by namespace with their sum.

        Without a user, only the sum of all.
        """
        found = await (reports.everything() if user_id is None else reports.of_user(user_id))
        by_agent = {report.namespace.agent_id or "": report.report for report in found}
        return QualityReports(
            total=merge_quality_reports(report.report for report in found),
            by_agent=by_agent if user_id is not None else {},
        )

    return router
