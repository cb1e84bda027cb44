"""The real Prometheus, on a free port and a temporary folder, with the rules of deploy/prometheus."""

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import yaml

RULES = Path(__file__).parents[1] / "prometheus"
MISSING = (
    "There is no prometheus here: `apt-get install prometheus` on Debian, as root;"
    " anywhere else put prometheus and promtool on the PATH."
)
_READY_SECONDS = 120.0


def is_installed() -> bool:
    return bool(shutil.which("prometheus") and shutil.which("promtool"))


class Prometheus:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def ranges(self, query: str, start: float, end: float) -> list[dict[str, Any]]:
        """The series of a query over a time, one value a second; those without a number left out.

        Raises:
            httpx.HTTPStatusError: the query is not one.
        """
        found = await self._get(
            "query_range", query=query, start=str(start), end=str(end), step="1"
        )
        return [each for each in found["result"] if any(v != "NaN" for _, v in each["values"])]

    async def known(self) -> set[str]:
        """Every metric that was scraped, also those that have no series yet."""
        return set(await self._get("metadata"))

    async def rules(self) -> list[dict[str, Any]]:
        found = await self._get("rules")
        return [rule for group in found["groups"] for rule in group["rules"]]

    async def _get(self, path: str, **parameters: str) -> Any:
        answer = await self._http.get(f"/api/v1/{path}", params=parameters)
        answer.raise_for_status()
        return answer.json()["data"]


@asynccontextmanager
async def run_prometheus(folder: Path, target: str) -> AsyncIterator[Prometheus]:
    """Scrapes the target, `host:port`, each second; ready when this is entered."""
    configuration = yaml.safe_load((RULES / "prometheus.yml").read_text())
    configuration["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    configuration["rule_files"] = [str(RULES / name) for name in configuration["rule_files"]]
    for job in configuration["scrape_configs"]:
        job["static_configs"] = [{"targets": [target]}]
    (folder / "prometheus.yml").write_text(yaml.safe_dump(configuration))
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with (folder / "prometheus.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            "prometheus",
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address={address}",
            stdout=log,
            stderr=log,
        )
    try:
        async with httpx.AsyncClient(
            base_url=f"http://{address}", trust_env=False, timeout=30
        ) as http:
            await _ready(http)
            yield Prometheus(http)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _ready(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(_READY_SECONDS):
        while True:
            try:
                if (await http.get("/-/ready")).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)
