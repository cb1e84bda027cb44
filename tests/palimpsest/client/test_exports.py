"""An export as it arrives over HTTP: whole, or known to have broken off."""

from collections.abc import AsyncIterator, Callable

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response, StreamingResponse

from palimpsest.api.exports import AgentMemories, ExportBegun, ExportEnded
from palimpsest.client import NotAllowed, PalimpsestClient, ServerFailed, Unavailable
from palimpsest.model.user import UserSettings
from tests.support.palimpsest.client.answering_server import NOON
from tests.support.serving import serving

BEGUN = ExportBegun(
    user_id="茶",
    exported_at=NOON,
    settings=UserSettings(),
    agents=tuple(AgentMemories(agent_id=f"agent {number}", memories=1) for number in range(9_000)),
)
"""A line longer than anybody's buffer."""
ENDED = ExportEnded(counts={})


def line(of: ExportBegun | ExportEnded) -> bytes:
    return of.model_dump_json().encode() + b"\n"


async def records(*answer: bytes, response: Callable[[], Response] | None = None) -> list[str]:
    async def written() -> AsyncIterator[bytes]:
        for part in answer:
            yield part

    app = FastAPI()

    @app.get("/v1/export")
    async def export(user_id: str) -> Response:
        return response() if response else StreamingResponse(written())

    async with serving(app) as url, PalimpsestClient(http_url=url, timeout_seconds=2) as client:
        return [found.record async for found in client.export("ann")]


@pytest.mark.parametrize("size", [7_919, 10**6])
async def test_lines_are_records_wherever_the_parts_are_cut(size: int) -> None:
    whole = line(BEGUN) + line(ENDED)
    parts = [whole[place : place + size] for place in range(0, len(whole), size)]
    assert await records(*parts) == ["export", "end"]


@pytest.mark.parametrize("answer", [(), (line(BEGUN),)])
async def test_without_an_end_it_broke_off(answer: tuple[bytes, ...]) -> None:
    with pytest.raises(Unavailable, match="broke off"):
        await records(*answer)


async def test_what_is_no_record_is_not_understood() -> None:
    with pytest.raises(ServerFailed, match="newer version"):
        await records(b'{"record": "dream"}\n')


async def test_a_refusal_is_an_error_as_of_any_call() -> None:
    def refusing() -> Response:
        return JSONResponse({"reason": "not_allowed", "message": "no key"}, status_code=401)

    with pytest.raises(NotAllowed, match="no key"):
        await records(response=refusing)


async def test_nobody_there_is_said_so() -> None:
    async with PalimpsestClient(http_url="http://127.0.0.1:9", timeout_seconds=1) as client:
        with pytest.raises(Unavailable, match=r"from http://127\.0\.0\.1:9:"):
            async for _ in client.export("ann"):
                pass
