"""An import goes on after an answer that did not come, and says what is left when none comes."""

import asyncio
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fastapi import FastAPI, Request, Response

from palimpsest.client import PalimpsestClient
from palimpsest.model.errors import TransientError
from palimpsest.model.memory import Status
from services.host.imports import import_archive
from services.host.imports.import_report import ImportReport, LeftOut
from services.host.imports.patient_calls import TRIES
from tests.support.services.console.routes.world import World
from tests.support.services.host.archives import archive_of, populated, seen
from tests.support.serving import serving

Answer = Callable[[Request], Awaitable[Response]]

SECONDS = 0.5
"""The time that the client waits for an answer."""


def losing_answers(world: World, count: int) -> tuple[FastAPI, list[str]]:
    """Return the world's application, whose first answers to an import never arrive, and its requests."""
    application, keys = world.application, list[str]()

    @application.middleware("http")
    async def lose(request: Request, answer: Answer) -> Response:
        response = await answer(request)
        if request.url.path == "/v1/import":
            keys.append(request.headers["Idempotency-Key"])
            if len(keys) <= count:
                await asyncio.sleep(SECONDS)
                return Response(status_code=503, headers={"Retry-After": "0"})
        return response

    return application, keys


async def import_memories(file: Path, address: str, report: ImportReport) -> list[int]:
    done: list[int] = []
    client = PalimpsestClient(http_url=address, timeout_seconds=SECONDS)
    async with client:
        with zipfile.ZipFile(file) as archive:
            await import_archive._import_memories(client, archive, "bo", report, done.append)
    return done


async def test_a_batch_whose_answer_was_lost_is_sent_again_as_the_same_command(
    tmp_path: Path,
) -> None:
    world = await populated()
    file = await archive_of(world, "ann", tmp_path)
    before = await seen(world, "ann")
    application, keys = losing_answers(world, 1)
    report = ImportReport()
    async with serving(application) as address:
        done = await import_memories(file, address, report)
    assert len(keys) >= 2
    assert len(set(keys)) == 1
    assert done == [len(before)]
    assert (report.taken["memories"], report.left_out[LeftOut.KNOWN]) == (len(before), 0)
    assert (await seen(world, "bo")).keys() == before.keys()


async def test_services_that_never_answer_are_given_up_in_words_that_help(tmp_path: Path) -> None:
    world = await populated()
    file = await archive_of(world, "ann", tmp_path)
    application, keys = losing_answers(world, 1_000)
    report = ImportReport()
    async with serving(application) as address:
        with pytest.raises(TransientError, match=rf"in {TRIES} tries.*Import the file again"):
            await import_memories(file, address, report)
    assert len(keys) >= TRIES
    assert report.taken["memories"] == 0
    assert {memory.status for memory in (await seen(world, "bo")).values()} >= {Status.ACTIVE}
