"""A long message with many corrections is read once, and not once for each of them."""

import pytest

from palimpsest_language.corrections import quantities, values
from palimpsest_language.facts import fact_matcher
from tests.support.language.statements.saying import proposed


def _tell(facts: int) -> str:
    return " ".join(f"My dog is called Rex{each}. No, I meant {each}." for each in range(facts))


async def test_facts_before_a_correction_are_read_once_for_all_corrections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    original = fact_matcher.read_facts

    def note(sentence: str, *given: object, **more: object) -> object:
        read.append(sentence)
        return original(sentence, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(values, "read_facts", note)
    await proposed(_tell(40))

    assert len(read) == len(set(read)) > 0


async def test_numbers_before_a_correction_are_read_once_for_all_corrections() -> None:
    quantities._read_numbers.cache_clear()
    await proposed(_tell(40))
    few = quantities._read_numbers.cache_info().misses
    quantities._read_numbers.cache_clear()
    await proposed(_tell(160))

    assert 0 < quantities._read_numbers.cache_info().misses <= 5 * few
