"""A service that has routes and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter

from palimpsest_server.runtime.service import ReadinessCheck


@dataclass
class OneService:
    routers: list[APIRouter]
    name: str = "ingest"

    @property
    def checks(self) -> Mapping[str, ReadinessCheck]:
        return {}

    async def start(self) -> None: ...

    async def stop(self) -> None: ...
