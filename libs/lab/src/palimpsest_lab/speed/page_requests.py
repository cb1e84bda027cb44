"""`bench page`: the processor time of what a visitor of the page does, among very many memories of one user."""

import asyncio
import re
import time
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import httpx

from palimpsest.model.errors import TransientError
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_lab.speed.latency_memories import fill_instance_once, generate_owned_memories
from palimpsest_lab.speed.process_memory import read_processor_seconds

USER = "user-0"
"""The user to whom `fill_instance_once` gives everything, if there is only one."""

IDLE_SECONDS = 10.0
SETTLING_SECONDS = 600.0
IDLE_SHARE = 0.5
"""Share of one processor below which the instance only polls."""

LIST = "/page/memories/list"
SIGN_IN = "/page/sign-in"
_NEXT_PAGE = re.compile(rf'href="({LIST}\?[^"]*cursor=[^"]*)"')
_TOKEN = re.compile(r'name="csrf_token" value="([^"]*)"')

DEFINITION = (
    "processor seconds of all processes of the instance for one request to the page, with the requests "
    "that the page makes for it, less what the idle instance takes; `first` is the first one asked "
    "for, the others are the mean of the repeated ones"
)


class PageFigures(NamedTuple):
    """Seconds that one request takes."""

    first: float
    """Processor time of the first one: the words that a long search keeps are read then."""
    processor: float
    """Processor time of each one after it."""
    elapsed: float


async def run_benchmark(
    *, memories: int, times: int, kept: Path | None, embedder: str | None
) -> BenchmarkReport:
    """Measure the view of memories, on a Palimpsest of its own."""
    async with run_embedded_instance(embedder, kept=kept) as subject:
        await fill_instance_once(subject, memories, 1, kept)
        idle = await _wait_until_idle(subject)
        async with httpx.AsyncClient(base_url=subject.http_url, timeout=120) as browser:
            await _sign_in(browser)
            requests = await _list_requests(browser, memories)
            with show_progress("requests", len(requests)) as progress:
                found: dict[str, PageFigures] = {}
                for what, path in requests.items():
                    found[what] = await _measure(subject, browser, path, times=times, idle=idle)
                    progress(1)
    rows = [
        {
            "a visitor": what,
            "first, processor s": round(one.first, 3),
            "later, processor s": round(one.processor, 3),
            "later, s": round(one.elapsed, 3),
        }
        for what, one in found.items()
    ]
    return BenchmarkReport(
        title=f"The view of memories, {memories:,} of one user",
        rows=rows,
        figures={
            "memories": memories,
            "times": times,
            "idle_share": round(idle, 3),
            "requests": {what: one._asdict() for what, one in found.items()},
            "definition": DEFINITION,
        },
    )


async def _wait_until_idle(subject: MeasuredInstance) -> float:
    """Return the share of a processor that the instance takes once all was remembered.

    Raises:
        TransientError: it was not idle within ten minutes.
    """
    began = time.perf_counter()
    while time.perf_counter() - began < SETTLING_SECONDS:
        share = await _processor_seconds(subject)
        await asyncio.sleep(IDLE_SECONDS)
        share = (await _processor_seconds(subject) - share) / IDLE_SECONDS
        if share < IDLE_SHARE:
            return share
    raise TransientError("the instance is still at work on what was remembered")


async def _sign_in(browser: httpx.AsyncClient) -> None:
    token = _TOKEN.search((await browser.get(SIGN_IN)).text)
    fields = {"user_id": USER, "csrf_token": token.group(1) if token else ""}
    answer = await browser.post(SIGN_IN, data=fields)
    if not answer.is_redirect:
        raise TransientError(f"the page lets nobody in: {answer.status_code}")


async def _list_requests(browser: httpx.AsyncClient, memories: int) -> Mapping[str, str]:
    """Return the addresses to ask for, by what a visitor does."""
    following = _NEXT_PAGE.search((await browser.get("/page/memories")).text)
    if following is None:
        raise TransientError("the list of memories has one page only")
    oldest = generate_owned_memories(memories, 1)[0][1].text
    return {
        "opens the view": "/page/memories",
        "scrolls to the next page": unescape(following.group(1)),
        "searches what many say": f"{LIST}?{urlencode({'text': 'the'})}",
        "searches what the oldest says": f"{LIST}?{urlencode({'text': oldest[:60]})}",
        "searches what none says": f"{LIST}?{urlencode({'text': 'xylophonist'})}",
        "puts the oldest first": f"{LIST}?{urlencode({'sort': 'oldest'})}",
        "puts the most important first": f"{LIST}?{urlencode({'sort': 'importance'})}",
        "looks at the statistics": "/page/statistics",
        "looks at the filter of agents": "/page/memories/agents",
    }


async def _measure(
    subject: MeasuredInstance, browser: httpx.AsyncClient, path: str, *, times: int, idle: float
) -> PageFigures:
    first, _ = await _ask(subject, browser, path, times=1, idle=idle)
    processor, elapsed = await _ask(subject, browser, path, times=times, idle=idle)
    return PageFigures(first, processor, elapsed)


async def _ask(
    subject: MeasuredInstance, browser: httpx.AsyncClient, path: str, *, times: int, idle: float
) -> tuple[float, float]:
    """Return the processor time of one request, without what the idle instance takes, and its time."""
    before, began = await _processor_seconds(subject), time.perf_counter()
    for _ in range(times):
        (await browser.get(path)).raise_for_status()
    elapsed = time.perf_counter() - began
    used = await _processor_seconds(subject) - before - idle * elapsed
    return used / times, elapsed / times


async def _processor_seconds(subject: MeasuredInstance) -> float:
    return await read_processor_seconds(subject.process_id or 0)
