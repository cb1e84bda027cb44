"""Every route of every service, behind keys, in one application without servers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from pydantic import SecretStr
from starlette.routing import BaseRoute

from palimpsest_server.embedders.embedder_factory import create_embedder
from palimpsest_server.runtime.access import AccessControl
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.http.misplaced_fields import list_query_fields
from palimpsest_server.runtime.http.permissions import RouteNeed, read_route_need
from palimpsest_server.runtime.http.probes import build_probe_router
from palimpsest_server.runtime.http.scope_headers import SCOPE_HEADERS
from palimpsest_server.runtime.service import Service
from palimpsest_server.runtime.settings import VectorsBackend
from palimpsest_server.stores.access_keys import InMemoryAccessKeys
from services.host.platform import build_platform
from services.host.service_registry import SERVICES, build_services
from services.host.simulated_time import SimulatedTime
from tests.support.clock import SettableClock
from tests.support.given_settings import GivenSettings
from tests.support.platform import unreachable_database
from tests.support.server.desk_application import KEY


@dataclass(frozen=True)
class ServedRoute:
    method: str
    path: str
    need: RouteNeed
    query: frozenset[str]
    """The fields that it takes in the query."""

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class GuardedApplication:
    application: FastAPI
    access: AccessControl
    keys: InMemoryAccessKeys
    routes: tuple[ServedRoute, ...]
    """Found by themselves: whatever a service serves is among them."""


def build_guarded_application() -> GuardedApplication:
    """The routes of all services, of the probes and of the simulated clock. No database answers."""
    settings = GivenSettings(
        api_key=SecretStr(KEY), vectors=VectorsBackend.EDGE, embedder="hashing", key_rates={}
    )
    embedder = create_embedder(settings.embedder, batch_texts=settings.embedder_batch_texts)
    clock = SettableClock()
    platform = replace(
        build_platform(settings, SERVICES, embedder, clock), database=unreachable_database()
    )
    services = [*build_services(SERVICES, platform), SimulatedTime(clock())]
    keys = InMemoryAccessKeys()
    access = AccessControl(settings, keys, clock)
    application = build_http_application(
        services, settings=settings, registry=platform.registry, access=access
    )
    probes = _list_routes([build_probe_router([], platform.registry)])
    return GuardedApplication(application, access, keys, (*probes, *find_routes(services)))


def write_scope_headers(**named: str) -> dict[str, str]:
    """Write a scope where routes take it whose bodies are another's."""
    return {SCOPE_HEADERS[field]: name for field, name in named.items()}


def find_routes(services: Iterable[Service]) -> tuple[ServedRoute, ...]:
    """All that these services serve."""
    return _list_routes(router for service in services for router in service.routers)


def _list_routes(routers: Iterable[APIRouter]) -> tuple[ServedRoute, ...]:
    return tuple(
        served for router in routers for route in router.routes for served in _served(route)
    )


def _served(route: BaseRoute) -> Iterator[ServedRoute]:
    need = read_route_need(route)
    assert isinstance(route, APIRoute)
    for method in sorted(route.methods or ()):
        yield ServedRoute(method, route.path, need, list_query_fields(route))
