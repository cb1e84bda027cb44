"""Claims of completion in a dialogue; single sentences are in `rows/completion_claims.jsonl`."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo, TodoCompletion
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.domain.todos.completion_match import find_completed_todo


@pytest.mark.parametrize(
    ("role", "fresh", "heard"),
    [(Role.USER, True, 1), (Role.AGENT, True, 0), (Role.USER, False, 0)],
)
async def test_only_people_say_so_and_only_what_is_new(role: Role, fresh: bool, heard: int) -> None:
    message = DialogueMessage(
        number=1,
        role=role,
        speaker=None,
        text="票都订好了吗？搞定了",
        fresh=fresh,
        occurred_at=datetime(2026, 3, 4, tzinfo=UTC),
    )
    request = ExtractionRequest(
        user_id="ann", messages=(message,), participants=(), language=None, time_zone="UTC"
    )
    answer = await LocalExtractor().extract(request)
    assert [each.evidence.quote for each in answer.finished] == ["搞定了"] * heard


@pytest.mark.parametrize(
    ("asked_for", "done"),
    [
        ("Remind me to call mom tomorrow at 8", "I already called mom"),
        ("Remind me to call mom tomorrow at 8", "I'm done calling my mom"),
        ("提醒我明天早上八点给妈妈打电话", "已经给妈妈打过电话了"),
        ("提醒我明天早上八点给妈妈打电话", "电话打完了"),
    ],
)
async def test_what_was_asked_for_is_what_is_said_to_be_done(asked_for: str, done: str) -> None:
    at = datetime(2026, 3, 4, tzinfo=UTC)
    messages = tuple(
        DialogueMessage(number=n, role=role, speaker=None, text=text, fresh=True, occurred_at=at)
        for n, (role, text) in enumerate(
            [(Role.USER, asked_for), (Role.AGENT, "OK"), (Role.USER, done)], start=1
        )
    )
    request = ExtractionRequest(
        user_id="ann", messages=messages, participants=(), language=None, time_zone="UTC"
    )
    answer = await LocalExtractor().extract(request)
    [heard] = answer.finished
    todo = Todo(
        id="t",
        scope=Scope(user_id="ann"),
        content=answer.proposals[0].content,
        created_at=at,
        epoch=0,
    )
    said = TodoCompletion(quote=heard.evidence.quote, about=heard.about, said_at=at)
    assert find_completed_todo(said, [todo]) == todo
