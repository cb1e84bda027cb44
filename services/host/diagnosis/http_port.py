"""Checks the HTTP port: free, taken by this instance, or by something else."""

import httpx

from palimpsest_server.embedded import instance
from palimpsest_server.embedded.ports import is_port_free
from palimpsest_server.runtime.http.probes import Readiness
from palimpsest_server.runtime.settings import Mode, Settings
from services.host.diagnosis.finding import Finding, report_doubt, report_ok
from services.host.host_tasks import NAME

_SECONDS = 12.0


async def fetch_readiness(http_url: str) -> Readiness:
    """Fetch the readiness of a running process.

    Raises:
        httpx.HTTPError: it does not answer.
        ValueError: the answer is not Palimpsest's.
    """
    async with httpx.AsyncClient(timeout=_SECONDS, trust_env=False) as client:
        answer = await client.get(f"{http_url}/readyz")
    return Readiness.model_validate_json(answer.content)


def name_services(readiness: Readiness) -> list[str]:
    """Return the names of the checked services, in order, without the host."""
    return sorted({check.service for check in readiness.checks} - {NAME})


async def check_http_port(settings: Settings) -> Finding:
    where = f"{settings.http_host}:{settings.http_port}"
    running = (
        instance.find_instance(settings.data_directory) if settings.mode is Mode.EMBEDDED else None
    )
    if running is not None:
        return report_ok("HTTP", f"process {running.process.pid} serves {running.http_url}")
    if is_port_free(settings.http_port, settings.http_host):
        return report_ok("HTTP", f"{where} is free: nothing runs there")
    try:
        readiness = await fetch_readiness(f"http://{where}")
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return report_doubt(
            "HTTP",
            f"somebody listens on {where} who is not Palimpsest",
            f"Stop it or set PALIMPSEST_HTTP_PORT={settings.http_port + 1}.",
        )
    names = ", ".join(name_services(readiness))
    if readiness.ready:
        return report_ok("HTTP", f"{where} serves {names}")
    return report_doubt(
        "HTTP", f"{where} serves {names}, and is not ready", f"See http://{where}/readyz."
    )
