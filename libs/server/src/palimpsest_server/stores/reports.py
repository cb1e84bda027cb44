"""The latest quality report of each namespace."""

from typing import Any, Protocol

from palimpsest.model.identifiers import derive_id
from palimpsest.model.quality_report import QualityReport
from palimpsest.model.scope import Namespace
from palimpsest.model.value_types import Value
from palimpsest_server.stores.collections import REPORTS
from palimpsest_server.stores.mongo.database import Document, MongoDatabase


class NamespaceReport(Value):
    namespace: Namespace
    report: QualityReport


class ReportStore(Protocol):
    """The latest quality report of each namespace."""

    async def write(self, report: NamespaceReport, /) -> None: ...

    async def of_user(self, user_id: str, /) -> list[NamespaceReport]: ...

    async def everything(self) -> list[NamespaceReport]: ...


class MongoReports:
    def __init__(self, database: MongoDatabase) -> None:
        self._reports = database.collection(REPORTS)

    async def write(self, report: NamespaceReport) -> None:
        """Replace the namespace's report."""
        namespace = report.namespace
        key = derive_id("report", namespace.user_id, namespace.agent_id)
        fields = report.model_dump(mode="json")
        own = {"user_id": namespace.user_id, **fields}
        await self._reports.update_one({"_id": key}, {"$set": own}, upsert=True)

    async def of_user(self, user_id: str) -> list[NamespaceReport]:
        return await self._found({"user_id": user_id})

    async def everything(self) -> list[NamespaceReport]:
        return await self._found({})

    async def _found(self, query: Document) -> list[NamespaceReport]:
        documents: list[dict[str, Any]] = await self._reports.find(query).to_list(None)
        reports = [
            NamespaceReport(namespace=document["namespace"], report=document["report"])
            for document in documents
        ]
        return sorted(reports, key=lambda report: report.namespace.agent_id or "")
