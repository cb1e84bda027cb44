"""The doctor's words on how many collections a Qdrant server bears."""

import httpx
import pytest

from palimpsest.model.scope import Layout, Namespace
from palimpsest_server.stores.mongo.vector_layouts import RecordedLayout
from palimpsest_server.stores.qdrant.memory_maps import (
    MemoryMaps,
    compute_needed_limit,
    count_bearable_collections,
    read_memory_maps,
)
from palimpsest_server.stores.vector_layouts import VectorLayout
from services.host.diagnosis import FindingState
from services.host.diagnosis.vector_room import report_vector_room

FEW = MemoryMaps(2_000, 65_530)


def records(own: int, *, moving: int = 0) -> list[RecordedLayout]:
    where = VectorLayout(Layout.PER_AGENT)
    going = VectorLayout(Layout.PER_AGENT, moving_to=Layout.POOLED)
    return [
        RecordedLayout(f"user_u{n}", Namespace(user_id=f"u{n}"), going if n < moving else where, n)
        for n in range(own)
    ]


@pytest.mark.parametrize(
    ("own", "maximum", "maps", "subject", "state", "words"),
    [
        (0, 400, FEW, "collections", FindingState.WELL, "0 users and agents have one of their own"),
        (319, 400, FEW, "collections", FindingState.WELL, "319 users"),
        (320, 400, FEW, "collections", FindingState.DOUBTFUL, "this server bears 453"),
        (0, 400, FEW, "memory maps", FindingState.WELL, "has 2000 of 65530: enough for 453"),
        (1, 454, FEW, "memory maps", FindingState.DOUBTFUL, "vm.max_map_count=65578"),
        (1, 1, MemoryMaps(None, None), "memory maps", FindingState.DOUBTFUL, "runs elsewhere"),
        (
            1,
            400,
            MemoryMaps(52_424, 65_530),
            "memory maps",
            FindingState.ILL,
            "has 52424 of 65530, and aborts when they end",
        ),
        (
            1,
            400,
            MemoryMaps(52_423, 65_530),
            "memory maps",
            FindingState.WELL,
            "has 52423 of 65530",
        ),
    ],
)
def test_each_state_is_said_with_what_to_do(
    own: int, maximum: int, maps: MemoryMaps, subject: str, state: FindingState, words: str
) -> None:
    found = {
        finding.subject: finding for finding in report_vector_room(records(own), maximum, maps)
    }
    assert found[subject].state is state
    assert words in f"{found[subject].words} {found[subject].advice}"


def test_moves_that_were_ended_on_the_way_are_named() -> None:
    findings = report_vector_room(records(2, moving=1), 400, FEW)
    assert (findings[0].subject, findings[0].state) == ("moves", FindingState.DOUBTFUL)
    assert "1 are on their way, user_u0 among them" in findings[0].words
    assert "palimpsest layout finish" in (findings[0].advice or "")


def test_what_is_borne_and_what_is_needed_are_each_others_inverse() -> None:
    for limit in (65_530, 262_144, 1_000_000):
        bears = count_bearable_collections(limit)
        assert compute_needed_limit(bears) <= limit < compute_needed_limit(bears + 1)


@pytest.mark.parametrize("prefix", ["", "qdrant_"])
async def test_the_server_tells_of_its_maps_who_has_the_key(prefix: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert (request.url.path, request.headers["api-key"]) == ("/metrics", "key")
        told = f"# HELP {prefix}process_open_mmaps count\n{prefix}process_open_mmaps 146\n"
        return httpx.Response(200, text=f"{told}{prefix}system_max_mmaps 65530\n")

    maps = await read_memory_maps(
        "https://qdrant:6333/", "key", transport=httpx.MockTransport(answer)
    )
    assert maps == MemoryMaps(146, 65_530)


async def test_what_an_older_or_refusing_server_does_not_tell_is_unknown() -> None:
    silent = httpx.MockTransport(lambda _: httpx.Response(401, text="Invalid API key"))
    assert await read_memory_maps("https://qdrant:6333", None, transport=silent) == (None, None)
