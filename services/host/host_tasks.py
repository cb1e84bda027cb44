"""The host's background tasks as a service, so that readiness checks them too."""

from collections.abc import Mapping, Sequence

from fastapi import APIRouter

from palimpsest_server.delivery.supervisor import Supervisor
from palimpsest_server.runtime.service import ReadinessCheck

NAME = "host"


class HostTasks:
    """A service without routes. The owners of its supervisors start and stop the tasks."""

    name = NAME
    routers: Sequence[APIRouter] = ()

    def __init__(self, supervisors: Sequence[Supervisor]) -> None:
        self._supervisors = supervisors
        self.checks: Mapping[str, ReadinessCheck] = {"background tasks": self._check}

    async def start(self) -> None:
        """Do nothing: the tasks are started by their owners."""

    async def stop(self) -> None:
        """Do nothing: the tasks are stopped by their owners."""

    async def _check(self) -> None:
        for supervisor in self._supervisors:
            await supervisor.check()
