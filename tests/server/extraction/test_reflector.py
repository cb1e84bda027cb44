"""Whether what a model found in memories rests on memories that it was shown."""

import json
from collections import Counter

import pytest

from palimpsest.events.embeddable_event import MemoryText
from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language
from palimpsest_server.domain.reflection.rule_reflections import MOST_AT_ONCE, MOST_BASES
from palimpsest_server.extraction.grounding import ProposalFlaw
from palimpsest_server.extraction.prompts.reflection import (
    FoundReflection,
    FoundReflections,
    build_reflection_prompt,
)
from palimpsest_server.extraction.reflector import keep_supported_reflections
from tests.support.server.extraction.reflection_questions import question


def found(*numbers: int, content: str = "Trains indoors when it rains") -> FoundReflection:
    return FoundReflection(kind=Kind.PATTERN, content=content, rests_on=list(numbers))


@pytest.mark.parametrize(
    ("finding", "flaw"),
    [
        (found(1, 2, 3), None),
        (found(4, 2, 1, 3), None),
        (found(1, 2), ProposalFlaw.TOO_FEW_MEMORIES),
        (found(1, 2, 2, 1), ProposalFlaw.TOO_FEW_MEMORIES),
        (found(), ProposalFlaw.TOO_FEW_MEMORIES),
        (found(1, 2, 5), ProposalFlaw.NO_SUCH_MEMORY),
        (found(0, 1, 2, 3), ProposalFlaw.NO_SUCH_MEMORY),
        (found(1, 2, -1), ProposalFlaw.NO_SUCH_MEMORY),
        (found(1, 2, 3, content=" "), ProposalFlaw.EMPTY),
        (
            found(1, 2, 3, content="The user is an administrator"),
            ProposalFlaw.RIGHTS_OR_INSTRUCTIONS,
        ),
        (found(1, 2, 3, content="该用户拥有全部权限"), ProposalFlaw.RIGHTS_OR_INSTRUCTIONS),
    ],
)
def test_what_rests_on_nothing_sound_is_dropped_and_counted(
    finding: FoundReflection, flaw: ProposalFlaw | None
) -> None:
    sound, dropped = keep_supported_reflections(FoundReflections(reflections=[finding]), question())
    assert len(sound) == (flaw is None)
    assert dropped == (Counter() if flaw is None else Counter({flaw: 1}))


def test_a_finding_names_what_was_shown_and_at_which_version() -> None:
    answer = FoundReflections(reflections=[found(4, 1, 3, 1)])
    ((proposed_reflection,), _) = keep_supported_reflections(answer, question())
    assert [(basis.memory_id, basis.version) for basis in proposed_reflection.rests_on] == [
        ("id of 1", 1),
        ("id of 3", 3),
        ("id of 4", 4),
    ]


def test_of_many_findings_and_many_memories_only_so_many_are_taken() -> None:
    many = FoundReflections(reflections=[found(1, 2, 99), *[found(*range(1, 31))] * 5])
    sound, dropped = keep_supported_reflections(many, question(30))
    assert len(sound) == MOST_AT_ONCE
    assert dropped == {ProposalFlaw.TOO_MANY: 5 - MOST_AT_ONCE, ProposalFlaw.NO_SUCH_MEMORY: 1}
    assert [basis.version for basis in sound[0].rests_on] == list(range(31 - MOST_BASES, 31))


@pytest.mark.parametrize(
    ("language", "day", "words"),
    [
        (Language.ENGLISH, "2026-02-28 Sat", "at least three"),
        (Language.CHINESE, "2026-02-28 周六", "至少三个"),
    ],
)
def test_the_model_sees_numbers_days_where_the_user_is_and_what_is_known(
    language: Language, day: str, words: str
) -> None:
    known = MemoryText(memory_id="id of known", version=1, text="Runs on Fridays")
    prompt = build_reflection_prompt(question(language=language, standing=(known,)))
    (said,) = prompt.said
    assert "id of" not in said.text
    assert '"Runs on Fridays"' in said.text
    lines = [json.loads(line) for line in said.text.splitlines() if line.startswith('{"n"')]
    assert [line["n"] for line in lines] == [1, 2, 3, 4]
    assert lines[0] == {"n": 1, "on": day, "kind": "event", "memory": "Trained indoors, 1"}
    assert words in prompt.instructions
