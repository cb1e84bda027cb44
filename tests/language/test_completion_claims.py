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
    assert [completion_claim.evidence.quote for completion_claim in answer.finished] == [
        "搞定了"
    ] * heard


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


REPORTS = [
    (
        "I need to send the slides to Anneke by Friday",
        "I have to renew my passport by the end of the month",
        [
            "slides are sent to Anneke, done with that",
            "Slides are sent to Anneke. Done with that!",
            "sent Anneke her slides",
            "the slides have been sent",
            "slides sent to Anneke",
            "ok, slides are sent",
            "I sent the slides, that's done",
        ],
        ["slides are not sent yet", "slides will be sent tomorrow", "she was sent home early"],
    ),
    (
        "提醒我明天去取体检报告",
        "下周三之前要把房租转给房东",
        [
            "体检报告取到了,一切正常",
            "体检报告拿到了，没什么问题",
            "体检报告取回来了",
            "报告领到了",
            "我把体检报告取回来了",
            "体检报告已经取了",
        ],
        ["体检报告还没取到", "体检报告明天就能取到了", "他收到了"],
    ),
]


async def _find_done(text: str, todos: list[Todo]) -> set[str]:
    at = datetime(2026, 3, 4, tzinfo=UTC)
    message = DialogueMessage(
        number=1, role=Role.USER, speaker=None, text=text, fresh=True, occurred_at=at
    )
    request = ExtractionRequest(
        user_id="ann", messages=(message,), participants=(), language=None, time_zone="UTC"
    )
    answer = await LocalExtractor().extract(request)
    found = [
        find_completed_todo(
            TodoCompletion(
                message_id="m",
                quote=claim.evidence.quote,
                said_at=at,
                session_id="s",
                about=claim.about,
            ),
            todos,
        )
        for claim in answer.finished
    ]
    return {todo.content for todo in found if todo is not None}


@pytest.mark.parametrize(
    ("meant", "other", "text", "closes"),
    [
        (meant, other, text, closes)
        for meant, other, done, not_done in REPORTS
        for texts, closes in ((done, True), (not_done, False))
        for text in texts
    ],
)
async def test_a_report_closes_what_it_names_and_nothing_besides(
    meant: str, other: str, text: str, closes: bool
) -> None:
    # Both were noted in this conversation, the other one last.
    todos = [
        Todo(
            id=content,
            scope=Scope(user_id="ann"),
            content=content,
            created_at=datetime(2026, 3, day, tzinfo=UTC),
            epoch=0,
            session_id="s",
        )
        for day, content in enumerate((meant, other), start=1)
    ]
    assert await _find_done(text, todos) == ({meant} if closes else set())
