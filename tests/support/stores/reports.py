"""Quality reports in memory."""

from palimpsest.model.scope import Namespace
from palimpsest_server.stores.reports import NamespaceReport


class InMemoryReports:
    def __init__(self) -> None:
        self._reports: dict[Namespace, NamespaceReport] = {}

    async def write(self, report: NamespaceReport) -> None:
        self._reports[report.namespace] = report

    async def of_user(self, user_id: str) -> list[NamespaceReport]:
        return [
            namespace_report
            for namespace_report in await self.everything()
            if namespace_report.namespace.user_id == user_id
        ]

    async def everything(self) -> list[NamespaceReport]:
        return sorted(self._reports.values(), key=lambda report: report.namespace.agent_id or "")
