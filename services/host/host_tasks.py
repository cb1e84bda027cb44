"""The host's own background tasks, as a service of their own: readiness asks for them too."""

from collections.abc import Mapping, Sequence

from fastapi import APIRouter

from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.runtime.service import ReadinessCheck

NAME = "host"


class HostTasks:
    """A service without routes. Its tasks are started and stopped by whoever gave their supervisors."""

    name = NAME
    routers: Sequence[APIRouter] = ()

    def __init__(self, supervisors: Sequence[Supervisor]) -> None:
        self._supervisors = supervisors
        self.checks: Mapping[str, ReadinessCheck] = {"background tasks": self._check}

    async def start(self) -> None:
        """There is nothing to be started."""

    async def stop(self) -> None:
        """There is nothing to be stopped."""

    async def _check(self) -> None:
        for supervisor in self._supervisors:
            await supervisor.check()
