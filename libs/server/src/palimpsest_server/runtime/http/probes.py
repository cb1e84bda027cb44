"""The probes of orchestrators and Prometheus: alive, ready, metrics."""

import asyncio
from collections.abc import Sequence

import structlog
from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from palimpsest.model.errors import PalimpsestError
from palimpsest.model.value_types import Value
from palimpsest_server.delivery.error_classification import describe_failure
from palimpsest_server.runtime.http.permissions import declare_open
from palimpsest_server.runtime.service import ReadinessCheck, Service

_log = structlog.get_logger("palimpsest.http")

_CHECK_SECONDS = 3.0
# Probes give up after a few seconds, so an answer that names the slow check must come first.


class CheckResult(Value):
    service: str
    check: str
    ready: bool
    problem: str | None = None
    """The problem in words; null if the service is ready."""


class Readiness(Value):
    ready: bool
    checks: tuple[CheckResult, ...]


async def check_readiness(services: Sequence[Service]) -> Readiness:
    """Run every check of every service, all at once."""
    results = await asyncio.gather(
        *(
            _result(service.name, name, check)
            for service in services
            for name, check in service.checks.items()
        )
    )
    return Readiness(ready=all(result.ready for result in results), checks=tuple(results))


async def _result(service: str, name: str, check: ReadinessCheck) -> CheckResult:
    problem = None
    try:
        await asyncio.wait_for(check(), _CHECK_SECONDS)
    except TimeoutError:
        problem = f"no answer within {_CHECK_SECONDS:g} s"
    except PalimpsestError as error:
        problem = str(error)
    except Exception as error:  # noqa: BLE001 - a check that breaks is a check that fails
        problem = f"the check itself failed: {type(error).__name__}"
        _log.warning("a readiness check failed by itself", check=name, **describe_failure(error))
    return CheckResult(service=service, check=name, ready=problem is None, problem=problem)


def build_probe_router(services: Sequence[Service], registry: CollectorRegistry) -> APIRouter:
    router = APIRouter(tags=["operation"])

    @router.get("/healthz", openapi_extra=declare_open())
    async def alive() -> dict[str, str]:
        """The process lives and its loop turns."""
        return {"status": "alive"}

    @router.get("/readyz", openapi_extra=declare_open(), responses={503: {"model": Readiness}})
    async def ready(response: Response) -> Readiness:
        """200 when every check of every service passes, 503 with the words of those that don't."""
        answer = await check_readiness(services)
        response.status_code = 200 if answer.ready else 503
        return answer

    @router.get("/metrics", openapi_extra=declare_open(), response_class=Response)
    async def metrics() -> Response:
        """Prometheus's text format."""
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    return router
