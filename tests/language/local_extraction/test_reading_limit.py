"""A message that takes too long is read as far as its time reaches."""

from collections.abc import Callable
from itertools import product

from palimpsest_language.local_extraction.local_extractor import CHARACTERS_PER_STEP, LocalExtractor
from palimpsest_language.local_extraction.reading_limit import ReadingLimit
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.windows import window

FILLER = " ".join(
    f"I {did} a {what} with my {who}."
    for who, did, what in product(
        ("nurse", "teacher", "driver", "baker"),
        ("found", "painted", "mended"),
        ("ladder", "violin", "curtain", "map"),
    )
)


def tick(step: float) -> Callable[[], float]:
    """Return a processor time that moves on by a step with each look."""
    now = 0.0

    def look() -> float:
        nonlocal now
        now += step
        return now

    return look


async def read(*texts: str, limit: ReadingLimit | None = None) -> tuple[list[str], int]:
    answer = await LocalExtractor().extract(build_extraction_request(window(*texts)), limit)
    return [proposal.content for proposal in answer.proposals], answer.unread_characters


async def test_the_rest_of_a_long_message_is_left_out_and_counted() -> None:
    text = f"I live in Berlin. {FILLER} I am allergic to peanuts."
    assert len(text) > CHARACTERS_PER_STEP
    told, unread = await read(text, limit=ReadingLimit(1.5, processor_time=tick(1.0)))

    assert any("Berlin" in content for content in told)
    assert not any("peanuts" in content for content in told)
    assert 0 < unread < len(text)


async def test_each_message_has_its_own_time() -> None:
    limit = ReadingLimit(1.5, processor_time=tick(1.0))
    told, unread = await read("I live in Berlin.", "I am allergic to peanuts.", limit=limit)
    assert len(told) == 2
    assert unread == 0


async def test_a_message_within_its_time_is_read_to_its_end() -> None:
    text = f"I live in Berlin. {FILLER} I am allergic to peanuts."
    assert await read(text, limit=ReadingLimit(1e6, processor_time=tick(1.0))) == await read(text)
