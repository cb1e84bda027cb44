"""How well is remembered: what the consolidator found on its last round."""

from typing import Annotated, Protocol

from fastapi import APIRouter, Query

from palimpsest.contracts.http import QualityReports
from palimpsest.domain.model import Identifier
from palimpsest.domain.reports.quality import summed
from palimpsest.runtime.http import Permission, needs
from palimpsest.stores.reports import NamespaceReport


class Reports(Protocol):
    async def of_user(self, user_id: str) -> list[NamespaceReport]: ...

    async def everything(self) -> list[NamespaceReport]: ...


def routes(reports: Reports) -> APIRouter:
    router = APIRouter(prefix="/v1/reports", tags=["reports"])

    @router.get("", openapi_extra=needs(Permission.ADMIN))
    async def quality(
        user_id: Annotated[Identifier | None, Query()] = None,
    ) -> QualityReports:
        """Of one user, each namespace and their sum; without a user the sum of all alone."""
        found = await (reports.everything() if user_id is None else reports.of_user(user_id))
        by_agent = {each.namespace.agent_id or "": each.report for each in found}
        return QualityReports(
            total=summed(each.report for each in found),
            by_agent=by_agent if user_id is not None else {},
        )

    return router
