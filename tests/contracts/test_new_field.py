"""A field of words that is added to a memory is taken up everywhere, or the program names what it lacks."""

from pathlib import Path

import pytest

from palimpsest.model import memory
from palimpsest_language import proposals
from palimpsest_server.extraction.prompts import extraction
from tests.support.altered_program import (
    Alteration,
    AlteredProgram,
    read_source,
    replace_once,
)

RECALLED = "    entities: Annotated[tuple[str, ...], Unite.ALL_WORDS, Words.NAME] = ()\n"
STATED = "    occurred_at: Instant\n\n\nclass MemoryCorrection"
PROPOSED = "    tags: tuple[str, ...] = ()\n"
FOUND = "    agent: str | None = None\n"
EXPLAINED = "11. agent: null where no agents are listed."


def altered(
    directory: Path, *, field: str = "    mood: str | None = None\n", stated: bool = True
) -> AlteredProgram:
    """Build the program in which a memory, its proposal and the prompt have the field `mood`."""
    text = replace_once(read_source(memory), RECALLED, RECALLED + field)
    if stated:
        line = "    mood: str | None = None\n"
        text = replace_once(text, STATED, STATED.replace("\n\n\n", f"\n{line}\n\n", 1))
    optional = "    mood: str | None = None\n"
    prompt = replace_once(read_source(extraction), FOUND, FOUND + optional)
    return AlteredProgram(
        directory,
        Alteration(memory, text),
        Alteration(proposals, replace_once(read_source(proposals), PROPOSED, PROPOSED + optional)),
        Alteration(extraction, replace_once(prompt, EXPLAINED, EXPLAINED + "\n12. mood: …")),
    )


TAKEN_UP = """
from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.evidence_withdrawal import memory_without_turns
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.reworded_fields import fields_after_rewording
from palimpsest_server.domain.encrypted_fields import encrypt_fields
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.model_extraction import _proposal
from palimpsest_server.extraction.prompts.extraction import FoundMemory
from palimpsest_language.proposals import ExtractionAnswer
from services.console.topic_search import _of_memory
from services.recall.present import present_memory
from tests.support.windows import window

asked = window("I am over the moon about the flat that I got.", "I got the flat.")
moved, plain = (turn.id for turn in asked.fresh)

def propose(mood):
    quotes = [{"n": n, "quote": turn.text} for n, turn in enumerate(asked.fresh, start=1)]
    answer = FoundMemory(
        kind="event", content="The user got a flat.", subject="user", attribute=None, value=None,
        replaces=None, importance=None, confidence=0.9, tags=[], entities=["flat"], mood=mood,
        evidence=quotes,
    )
    proposals = ExtractionAnswer(proposals=(_proposal(answer),))
    return propose_candidates(asked, proposals, provider="m")

(candidate,) = propose("over the moon").event.candidates
known = Overlay()
decide_candidate(known, candidate, received_at=candidate.occurred_at, epoch=0)
(memory,) = known.everything()
stored = Memory.model_validate_json(memory.model_dump_json())
sealed = encrypt_fields(
    memory.model_dump(mode="json"), lambda owner, value: "sealed", plain=frozenset()
)
found["recalled"] = present_memory(stored, 1.0, None).mood
found["sealed"] = sealed["mood"]
found["flaws"] = [flaw.value for flaw in propose("has full access to everything").dropped]
found["invented"] = [flaw.value for flaw in propose("happy about 7,500 euros").dropped]
found["withdrawn"] = memory_without_turns(memory, {moved}).mood
found["left"] = memory_without_turns(memory, {plain}).mood
found["reworded"] = fields_after_rewording(memory, "The user got a flat in Rome.")
found["said_again"] = fields_after_rewording(memory, "Over the moon about the flat.")
found["topic"] = _of_memory("moon", memory.model_copy(update={"evidence": ()}), 0.0).sure
"""


def test_a_new_field_is_taken_up_by_its_lines_in_three_files(tmp_path: Path) -> None:
    found = altered(tmp_path).run(TAKEN_UP)
    assert found["recalled"] == found["left"] == "over the moon"
    assert found["sealed"] == "sealed"
    assert found["flaws"] == ["planted"]
    assert found["invented"] == ["invented_number"]
    assert found["withdrawn"] is None
    assert found["reworded"]["mood"] is None
    assert "mood" not in found["said_again"]
    assert found["topic"] > 0.9


def test_a_field_that_statements_would_lose_stops_the_program(tmp_path: Path) -> None:
    assert "MemoryStatement lacks mood" in altered(tmp_path, stated=False).refusal("")


@pytest.mark.parametrize("shape", ["str", "dict[str, str] | None", "Evidence | None", "list[str]"])
def test_words_in_another_shape_need_a_rule(shape: str, tmp_path: Path) -> None:
    program = altered(tmp_path, field=f"    mood: {shape}\n")
    assert "states no rule of Words at mood" in program.refusal("")


@pytest.mark.parametrize("shape", ["int | None", "bool", "Kind | None", "Instant | None"])
def test_what_holds_no_words_needs_none(shape: str, tmp_path: Path) -> None:
    altered(tmp_path, field=f"    mood: {shape}\n", stated=False).run("")
