"""The lying model understands what services really send it; in another shape it would say nothing."""

import json
from datetime import UTC, datetime

from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_server.extraction.prompts.conversation_lines import format_messages
from palimpsest_server.extraction.prompts.extraction import FoundMemories
from palimpsest_server.extraction.prompts.reflection import (
    FoundReflections,
    build_reflection_prompt,
)
from palimpsest_server.extraction.reflector import keep_supported_reflections
from tests.faults.lying_model import LIES, LyingModel
from tests.support.models.model_server import Asked, Says
from tests.support.server.extraction.reflection_questions import question

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def message(number: int, role: Role, text: str, *, fresh: bool = True) -> DialogueMessage:
    return DialogueMessage(
        number=number, role=role, speaker=None, text=text, occurred_at=NOON, fresh=fresh
    )


def test_what_a_user_newly_said_is_noted_beside_lies_and_what_was_seen_before_is_not() -> None:
    said = format_messages(
        [
            message(1, Role.USER, "I keep 1 lamps in the attic.", fresh=False),
            message(2, Role.USER, "I keep 2 maps in the cellar."),
        ],
        time_zone="UTC",
    )
    body = {
        "messages": [
            {"role": "system", "content": "You keep the memory."},
            {"role": "user", "content": said},
        ],
        "response_format": {"json_schema": {"name": FoundMemories.__name__}},
    }
    answer = LyingModel(1, troubled=False).act(Asked(path="", key=None, body=body, text=said))
    assert isinstance(answer, Says)
    memories = FoundMemories.model_validate(json.loads(answer.text)).memories
    lies = [memory for memory in memories if any(lie in memory.content for lie in LIES.values())]
    assert [memory.content for memory in memories if memory not in lies] == [
        "The user keeps 2 maps in the cellar."
    ]
    assert len(lies) == 2


def test_of_what_it_says_memories_show_nothing_is_borne_out() -> None:
    asked = question(shown=60)
    prompt = build_reflection_prompt(asked)
    body = {
        "messages": [
            {"role": "system", "content": prompt.instructions},
            {"role": "user", "content": prompt.said[0].text},
        ],
        "response_format": {"json_schema": {"name": prompt.answer.__name__}},
    }
    text = prompt.said[0].text
    answer = LyingModel(1, troubled=False).act(Asked(path="", key=None, body=body, text=text))
    assert isinstance(answer, Says)
    found = FoundReflections.model_validate(json.loads(answer.text))
    sound, dropped = keep_supported_reflections(found, asked)
    assert (list(sound), dropped.total()) == ([], 2)
