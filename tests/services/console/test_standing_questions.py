"""Questions that are answered while something is forgotten, and answers in a model's words."""

from datetime import timedelta
from types import TracebackType
from typing import Any, Self, cast

import pytest
from fastapi import Request
from pydantic import ValidationError

from palimpsest.api.answer_wording import AnswerRequest, WordedAnswer
from palimpsest.api.recall import RecallResponse, RecallResult, RecordType
from palimpsest.api.resources import Problem
from palimpsest.api.standing_questions import AddQuestionRequest, QuestionListQuery
from palimpsest.client import Unavailable
from palimpsest.model.errors import CommandRefused, RecordNotFound
from palimpsest.model.memory import Memory, RecalledFields
from palimpsest.model.permissions import Permission
from palimpsest.model.scope import Scope
from palimpsest_server.domain.access.grant import UNGUARDED, Grant
from palimpsest_server.runtime.http.permissions import keep_grant
from services.console.services_connection import ServicesConnection
from services.console.standing_questions import StandingQuestions
from tests.support.services.console.routes.joined import joined
from tests.support.services.console.routes.world import World

ANN = Scope(user_id="ann")


class ForgetfulRecall:
    """Recall, in which a topic is forgotten between what was found and its arrival."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.memories: list[Memory] = []
        self.forgets: str | None = None
        self.wording: str | None = None
        self.is_away = True
        self.worded: list[AnswerRequest] = []
        self.edits: Memory | None = None

    def __call__(self, _request: Request) -> Self:
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

    async def recall(self, _query: str, **_options: Any) -> RecallResponse:
        results = tuple(
            RecallResult(
                record=RecordType.MEMORY,
                score=1.0,
                **memory.model_dump(include=set(RecalledFields.model_fields)),
            )
            for memory in self.memories
        )
        if self.forgets:
            async with self._world.http as http:
                answer = await http.post(
                    "/v1/forget-topic", params={"user_id": "ann"}, json={"topic": self.forgets}
                )
            assert answer.json()["result"]["applied"]
        return RecallResponse(recall_id="r", results=results, took_ms=1.0)

    async def word_answer(self, request: AnswerRequest) -> WordedAnswer:
        self.worded.append(request)
        if self.edits is not None:
            async with self._world.http as http:
                path, edit = f"/v1/memories/{self.edits.id}", {"content": "Ann rows on Tuesdays"}
                answer = await http.patch(path, params={"user_id": "ann"}, json=edit)
            assert answer.status_code == 200
        if self.wording is None and self.is_away:
            raise Unavailable(Problem(reason="unavailable", message="the model is away"))
        return WordedAnswer(text=self.wording, model="openai/m")


@pytest.fixture
def world() -> World:
    return joined()


@pytest.fixture
def recall(world: World) -> ForgetfulRecall:
    return ForgetfulRecall(world)


@pytest.fixture
def questions(world: World, recall: ForgetfulRecall) -> StandingQuestions:
    return build_questions(world, recall)


@pytest.fixture
def worded_questions(world: World, recall: ForgetfulRecall) -> StandingQuestions:
    return build_questions(world, recall, has_model=True)


def build_questions(
    world: World, recall: ForgetfulRecall, *, has_model: bool = False
) -> StandingQuestions:
    return StandingQuestions(
        world.questions,
        world.memories,
        world.change_sets,
        world.writer,
        world.erasures,
        cast("ServicesConnection", recall),
        world.clock,
        has_model=has_model,
    )


def request_with(grant: Grant) -> Request:
    scope: dict[str, Any] = {"type": "http"}
    keep_grant(scope, grant)
    return Request(scope)


@pytest.fixture
def asking() -> Request:
    return request_with(UNGUARDED)


ASKED = AddQuestionRequest(query="Where do I go on Tuesdays?")


async def test_a_question_goes_that_was_being_answered_by_what_is_erased(
    world: World, recall: ForgetfulRecall, questions: StandingQuestions, asking: Request
) -> None:
    therapy = world.memory("therapy", content="Ann sees Dr. Lee", entities=("therapy",))
    await questions.add("q", ANN, ASKED, asking)
    await world.know(therapy)
    world.clock.advance(timedelta(hours=2))
    recall.memories, recall.forgets = [therapy], "therapy"
    with pytest.raises(RecordNotFound):
        await questions.one(ANN, "q", asking)
    assert await world.questions.list("ann") == []


async def test_a_question_goes_whatever_answers_it_since(
    world: World, recall: ForgetfulRecall, questions: StandingQuestions, asking: Request
) -> None:
    therapy = world.memory("therapy", content="Ann sees Dr. Lee", entities=("therapy",))
    swimming = world.memory("swimming", content="Ann swims on Tuesdays")
    await world.know(therapy, swimming)
    recall.memories = [therapy]
    await questions.add("q", ANN, ASKED, asking)
    world.clock.advance(timedelta(hours=2))
    recall.memories, recall.forgets = [swimming], "therapy"
    assert await questions.visible(QuestionListQuery(user_id="ann"), asking) == ()
    assert await world.questions.list("ann") == []


async def test_a_question_stays_that_something_else_answered_before(
    world: World, recall: ForgetfulRecall, questions: StandingQuestions, asking: Request
) -> None:
    therapy = world.memory("therapy", content="Ann sees Dr. Lee", entities=("therapy",))
    swimming = world.memory("swimming", content="Ann swims on Tuesdays")
    await world.know(therapy, swimming)
    recall.memories = [therapy, swimming]
    await questions.add("q", ANN, ASKED, asking)
    world.clock.advance(timedelta(hours=2))
    recall.forgets = "therapy"
    (kept,) = await questions.visible(QuestionListQuery(user_id="ann"), asking)
    assert kept.answer.text == "Ann swims on Tuesdays"


async def test_a_question_goes_that_was_kept_while_its_topic_was_forgotten(
    world: World, recall: ForgetfulRecall, questions: StandingQuestions, asking: Request
) -> None:
    await world.know(world.memory("therapy", entities=("therapy",)))
    recall.forgets = "therapy"
    with pytest.raises(CommandRefused):
        await questions.add("q", ANN, AddQuestionRequest(query="How was therapy?"), asking)
    assert await world.questions.list("ann") == []


async def test_questions_of_all_places_are_listed_or_those_of_an_agent_and_of_its_key(
    questions: StandingQuestions, asking: Request
) -> None:
    places = {
        "everybody's": ANN,
        "in a project": Scope(user_id="ann", project_id="novel"),
        "the poet's": Scope(user_id="ann", agent_id="poet", project_id="novel"),
        "the coder's": Scope(user_id="ann", agent_id="coder"),
        "bob's": Scope(user_id="bob"),
    }
    for question_id, scope in places.items():
        await questions.add(question_id, scope, ASKED, asking)

    async def listed(request: Request, **fields: Any) -> list[str]:
        query = QuestionListQuery(user_id="ann", **fields)
        return [question.id for question in await questions.visible(query, request)]

    anns = ["everybody's", "in a project", "the poet's", "the coder's"]
    assert await listed(asking) == ["everybody's"]
    assert sorted(await listed(asking, everywhere=True)) == sorted(anns)
    own = await listed(asking, everywhere=True, agent_id="poet")
    assert sorted(own) == sorted(anns[:3])
    permissions = frozenset({Permission.READ})
    grant = Grant(holder="key", permissions=permissions, user_id="ann", agent_id="poet")
    poet = request_with(grant)
    assert await listed(poet, everywhere=True, agent_id="poet") == ["the poet's"]
    with pytest.raises(ValidationError):
        QuestionListQuery(user_id="ann", everywhere=True, project_id="novel")


async def test_a_model_words_an_answer_once_for_what_it_rests_on(
    world: World, recall: ForgetfulRecall, worded_questions: StandingQuestions, asking: Request
) -> None:
    swimming = world.memory("swimming", content="Ann swims on Tuesdays")
    await world.know(swimming)
    recall.memories, recall.wording = [swimming], "She swims."
    kept = await worded_questions.add("q", ANN, ASKED, asking)
    assert (kept.answer.text, kept.answer.model) == ("She swims.", "openai/m")
    recall.wording = "She goes swimming."
    world.clock.advance(timedelta(hours=2))
    assert (await worded_questions.one(ANN, "q", asking)).answer.text == "She swims."
    assert [asked.memory_ids for asked in recall.worded] == [("swimming",)]

    therapy = world.memory("therapy", content="Ann sees Dr. Lee")
    await world.know(therapy)
    recall.memories = [swimming, therapy]
    world.clock.advance(timedelta(hours=2))
    other = await worded_questions.one(ANN, "q", asking)
    assert other.answer.text == "She goes swimming."
    assert len(recall.worded) == 2


async def test_memories_stand_for_themselves_where_the_model_is_away(
    world: World, recall: ForgetfulRecall, worded_questions: StandingQuestions, asking: Request
) -> None:
    swimming = world.memory("swimming", content="Ann swims on Tuesdays")
    await world.know(swimming)
    recall.memories = [swimming]
    kept = await worded_questions.add("q", ANN, ASKED, asking)
    assert (kept.answer.text, kept.answer.model) == ("Ann swims on Tuesdays", None)
    recall.memories = []
    world.clock.advance(timedelta(hours=2))
    assert (await worded_questions.one(ANN, "q", asking)).answer.text == ""
    assert len(recall.worded) == 1


async def test_a_model_without_a_sound_answer_is_not_asked_again(
    world: World, recall: ForgetfulRecall, worded_questions: StandingQuestions, asking: Request
) -> None:
    swimming = world.memory("swimming", content="Ann swims on Tuesdays")
    await world.know(swimming)
    recall.memories, recall.is_away = [swimming], False
    await worded_questions.add("q", ANN, ASKED, asking)
    world.clock.advance(timedelta(hours=2))
    kept = await worded_questions.one(ANN, "q", asking)
    assert (kept.answer.text, kept.answer.model) == ("Ann swims on Tuesdays", None)
    assert len(recall.worded) == 1


async def test_words_of_what_is_changed_meanwhile_are_not_kept(
    world: World, recall: ForgetfulRecall, worded_questions: StandingQuestions, asking: Request
) -> None:
    swimming = world.memory("swimming", content="Ann swims on Tuesdays")
    await world.know(swimming)
    recall.memories, recall.wording, recall.edits = [swimming], "She swims.", swimming
    kept = await worded_questions.add("q", ANN, ASKED, asking)
    assert kept.answer.model is None
    (known,) = await world.questions.list("ann")
    assert known.wording is None
