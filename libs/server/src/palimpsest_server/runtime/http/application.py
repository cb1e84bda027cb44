"""Build one FastAPI application from the routers of a process's services."""

from collections.abc import Sequence
from importlib.metadata import version

from fastapi import FastAPI
from fastapi.middleware import Middleware
from fastapi.telemetry import TelemetryConfig
from prometheus_client import CollectorRegistry
from starlette.routing import BaseRoute

from palimpsest.model.clock import system_clock
from palimpsest_server.delivery.tracing import get_active_tracing
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.runtime.http.authentication import Authentication, check_service_key
from palimpsest_server.runtime.http.body_limit import BodyLimit, takes_large_bodies
from palimpsest_server.runtime.http.encoded_slashes import EncodedSlashes
from palimpsest_server.runtime.http.error_responses import ERROR_HANDLERS
from palimpsest_server.runtime.http.local_requests import LocalRequestsOnly
from palimpsest_server.runtime.http.open_routes import DESCRIPTION_PATH, OpenRoutes
from palimpsest_server.runtime.http.openapi_descriptions import (
    DescribedApplication,
    describe_problem,
)
from palimpsest_server.runtime.http.permissions import RouteGuard
from palimpsest_server.runtime.http.probes import build_probe_router
from palimpsest_server.runtime.http.request_metrics import RequestMetrics
from palimpsest_server.runtime.http.request_spans import RequestSpans
from palimpsest_server.runtime.http.unexpected_errors import UnexpectedErrors
from palimpsest_server.runtime.service import Service
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.access_keys import InMemoryAccessKeys

# FastAPI would pass refused inputs and error messages to OpenTelemetry. Those quote
# people's words, which no log may hold.
_SILENT = TelemetryConfig(tracing=False, metrics=False, logs=False, operation_spans=False)


def _tracing() -> list[Middleware]:
    tracing = get_active_tracing()
    return [] if tracing is None else [Middleware(RequestSpans, tracing=tracing)]


def _asked_by_whom(access: AccessControl, open_routes: Sequence[BaseRoute]) -> list[Middleware]:
    asking = Middleware(
        Authentication, access=access, open_routes=OpenRoutes(open_routes, {DESCRIPTION_PATH})
    )
    if access.is_guarded:
        return [asking]
    return [Middleware(LocalRequestsOnly, open_routes=OpenRoutes(open_routes)), asking]


def build_http_application(
    services: Sequence[Service],
    *,
    settings: Settings,
    registry: CollectorRegistry,
    access: AccessControl | None = None,
) -> FastAPI:
    """Build the application: probes, metrics and every service's routes on one port.

    Raises:
        ServiceKeyMissing: other machines can reach it, and no keys are required.
        PermissionUndeclared: a route does not declare its permission.

    Every error has a `Problem` as its body. Models are serialised by pydantic directly, without the
    detour over dictionaries.
    """
    check_service_key(settings)
    access = access or AccessControl(settings, InMemoryAccessKeys(), system_clock)
    of_services = [router for service in services for router in service.routers]
    routers = [build_probe_router(services, registry), *of_services]
    routes = [route for router in routers for route in router.routes]
    guard = RouteGuard(routes)
    large = OpenRoutes([route for route in routes if takes_large_bodies(route)])
    application = DescribedApplication(
        title="Palimpsest",
        summary="Long-term memory for AI agents.",
        version=version("palimpsest-memory"),
        # The documentation pages load scripts from other sites, which a server of memories should not.
        openapi_url=DESCRIPTION_PATH,
        docs_url=None,
        redoc_url=None,
        telemetry=_SILENT,
        exception_handlers=ERROR_HANDLERS,
        middleware=[
            *_tracing(),
            Middleware(RequestMetrics, registry=registry),
            Middleware(UnexpectedErrors),
            *_asked_by_whom(access, guard.open_routes),
            Middleware(
                BodyLimit,
                maximum_bytes=settings.http_maximum_body_bytes,
                large_bytes=settings.proxy_maximum_body_bytes,
                large_routes=large,
            ),
            Middleware(EncodedSlashes),
        ],
        responses={
            401: describe_problem("The key or token is missing or opens nothing."),
            403: describe_problem("The key allows or reaches less than this."),
            404: describe_problem("Nothing stands under this id for this key."),
            413: describe_problem("The body is too large."),
            422: describe_problem("The request is not valid."),
            429: describe_problem("Too many requests; wait for `Retry-After`."),
            503: describe_problem("Not ready; try again after `Retry-After`."),
        },
    )
    application.include(routers, guard)
    return application
