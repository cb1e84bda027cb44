"""What memories show together: asked of a model, checked by code, and left to rules without one."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import pytest

from palimpsest.events.extractor_answers import ReflectionsProposed
from palimpsest.events.extractor_requests import ReflectionRequested
from palimpsest.model.distillate import Distillate
from palimpsest.model.erasure import ERASED_EPOCH, Erasure
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import MemoryAtVersion
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language
from palimpsest_server.extraction.grounding import ProposalFlaw
from palimpsest_server.extraction.reflector import EmptyReflector, ModelReflector
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.models.model_errors import WrongAnswerLanguage
from palimpsest_server.stores.collections import LEDGER, LEDGER_TEXTS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erasure.extractor import ExtractorEraser
from palimpsest_server.stores.ledger import LeasedAnswer
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.mongo.ledger_documents import (
    build_text_document,
    parse_answer,
    parse_question,
)
from palimpsest_server.stores.summary_needs import MongoSummaryNeeds
from services.extractor.answer_routes import ReflectionAnswerer
from tests.support.models.model_server import ModelServer, Says, answers
from tests.support.server.domain.consolidation.samples import candidate
from tests.support.server.extraction.reflection_questions import question
from tests.support.services.extractor.modelled import Clock, Modelled, modelled

RAIN = "Trains indoors when it rains"
ASKED = question(agent_id="coach", epoch=2)


def says(*findings: tuple[str, Sequence[int]]) -> Says:
    return answers(
        {
            "reflections": [
                {"kind": "pattern", "content": content, "rests_on": list(numbers)}
                for content, numbers in findings
            ]
        }
    )


@pytest.fixture
async def run(server: ModelServer, clock: Clock) -> AsyncIterator[Modelled]:
    async with modelled(server, clock) as run:
        yield run


@pytest.fixture
def reflector(run: Modelled) -> ModelReflector:
    model = run.models.of(ModelTask.REFLECTION)
    assert model is not None
    return ModelReflector(model)


async def test_what_is_borne_out_is_proposed_and_the_rest_is_counted(
    server: ModelServer, run: Modelled, reflector: ModelReflector
) -> None:
    server.script.append(says((RAIN, [1, 3, 4]), ("Runs at night", [2, 9, 1]), ("Swims", [1])))
    answered = await ReflectionAnswerer(reflector).answer(ASKED, marked="openai/m-1")
    event = answered.event
    assert isinstance(event, ReflectionsProposed)
    assert [(reflection.kind, reflection.content) for reflection in event.reflections] == [
        (Kind.PATTERN, RAIN)
    ]
    assert [memory_at_version.memory_id for memory_at_version in event.reflections[0].rests_on] == [
        "id of 1",
        "id of 3",
        "id of 4",
    ]
    assert answered.dropped == {ProposalFlaw.NO_SUCH_MEMORY: 1, ProposalFlaw.TOO_FEW_MEMORIES: 1}
    assert (event.user_id, event.agent_id, event.epoch) == ("ann", "coach", 2)
    assert [text.dense for text in event.texts()] == [RAIN]
    assert run.counted("call_seconds_count", provider="openai", task="reflection") == 1


async def test_the_same_question_has_the_same_proposal(
    server: ModelServer, reflector: ModelReflector
) -> None:
    server.script += [says((RAIN, [1, 3, 4])), says(("Rain means the gym", [4, 3, 1]))]
    result, two = [await reflector.reflect(ASKED, provider="p") for _ in range(2)]
    assert result.event.event_id == two.event.event_id
    assert result.event.reflections[0].becomes("ann") == two.event.reflections[0].becomes("ann")


async def test_an_answer_in_another_language_is_repaired_once_and_then_refused(
    server: ModelServer, reflector: ModelReflector
) -> None:
    chinese = "下雨时用户改在室内训练"
    asked = question(language=Language.CHINESE)
    server.script += [says((RAIN + " and on Fridays", [1, 2, 3])), says((chinese, [1, 2, 3]))]
    answer = await reflector.reflect(asked, provider="p")
    assert "记忆" in server.asked[-1].text
    assert [reflection.content for reflection in answer.event.reflections] == [chinese]
    server.script += [says((RAIN + " and on Fridays", [1, 2, 3]))] * 2
    with pytest.raises(WrongAnswerLanguage):
        await reflector.reflect(asked, provider="p")


async def test_to_find_nothing_is_an_answer(server: ModelServer, reflector: ModelReflector) -> None:
    server.script.append(says())
    answer = await reflector.reflect(ASKED, provider="p")
    assert (answer.event.reflections, answer.event.texts()) == ((), ())


async def test_through_the_ledger_a_question_left_from_a_model_finds_nothing(run: Modelled) -> None:
    async with run.world.running():
        await run.world.intake.handle([ASKED])
        await run.world.until(lambda: run.world.publisher.published)
    [answer] = [
        event for event in run.world.publisher.published if isinstance(event, ReflectionsProposed)
    ]
    assert (answer.reflections, answer.provider) == ((), "local")
    assert parse_answer(answer.model_dump(mode="python")) == answer
    assert parse_question(build_text_document(ASKED)["request"]) == ASKED


@pytest.mark.embedded
async def test_what_is_purged_is_in_no_question_and_in_no_answer(
    server: ModelServer, reflector: ModelReflector, database: MongoDatabase, clock: Clock
) -> None:
    ledger = MongoLedger(database)
    await ledger.write_down([ASKED], now=clock())
    await erase("id of 2", database, ledger, clock)
    assert await database.collection(LEDGER_TEXTS).find({}).to_list(None) == []

    for number, of_what in enumerate(("a basis", "what was made of it")):
        asked = question(question_id=f"q {number}", epoch=2)
        await ledger.write_down([asked], now=clock())
        [lease] = await ledger.lease(limit=1, until=clock() + timedelta(minutes=1), now=clock())
        server.script.append(says((RAIN, [1, 3, 4])))
        answer = (await reflector.reflect(asked, provider="p")).event
        await ledger.answer([LeasedAnswer(lease=lease, event=answer)], now=clock())
        await erase("no such memory", database, ledger, clock)
        assert await ledger.answers([asked.question_id]) == [answer]
        made = answer.reflections[0].becomes("ann")
        await erase("id of 3" if of_what == "a basis" else made, database, ledger, clock)
        assert await ledger.answers([asked.question_id]) == []
    left: list[dict[str, Any]] = await database.collection(LEDGER).find({}).to_list(None)
    assert RAIN not in str(left)


async def erase(memory_id: str, database: MongoDatabase, ledger: MongoLedger, clock: Clock) -> None:
    decided = DecidedErasure(
        id=f"erase {memory_id}",
        user_id="ann",
        revision=1,
        decided_at=clock(),
        known_since=clock(),
        erasure=Erasure(epoch=ERASED_EPOCH, memory_ids=(memory_id,)),
    )
    await ExtractorEraser(database, ledger, MongoSummaryNeeds(database), clock).erase(decided)


def to_be_worded(*texts: str, language: Language) -> ReflectionRequested:
    """Return the question how to say these in one sentence, with the first as the best statement."""
    first = candidate(texts[0], scope=Scope(user_id="ann"))
    memories = [
        {**ASKED.memories[0].model_dump(), "memory_id": f"id of {n}", "text": text}
        for n, text in enumerate(texts)
    ]
    made = Distillate(
        candidate=first,
        rests_on=tuple(
            MemoryAtVersion(memory_id=memory["memory_id"], version=1) for memory in memories
        ),
        replaces=True,
    )
    return question(memories=memories, distillate=made, language=language)


FILMS = ("The user saw Alien in 2019", "The user saw Brazil twice", "The user likes old films")
FILMS_ZH = ("用户2019年看了《异形》", "用户看了两遍《妙想天开》", "用户喜欢老电影")


@pytest.mark.parametrize(
    ("texts", "content", "kept", "flaw"),
    [
        (FILMS, "The user likes old films, such as Alien and Brazil", True, None),
        (FILMS_ZH, "用户喜欢老电影，如《异形》", True, None),
        (FILMS, "The user saw 12 old films", False, ProposalFlaw.INVENTED_NUMBER),
        (FILMS, "The user likes old films and Casablanca", False, ProposalFlaw.INVENTED_NAME),
        (FILMS_ZH, "用户看了15部老电影", False, ProposalFlaw.INVENTED_NUMBER),
        (FILMS, "The user saw a film. " * 6, False, ProposalFlaw.TOO_LONG),
        (FILMS, "The user is an administrator", False, ProposalFlaw.RIGHTS_OR_INSTRUCTIONS),
        (FILMS_ZH, " ", False, ProposalFlaw.EMPTY),
    ],
)
async def test_a_model_says_old_memories_in_one_sentence_or_the_best_of_them_stays(
    server: ModelServer,
    reflector: ModelReflector,
    texts: tuple[str, ...],
    content: str,
    kept: bool,
    flaw: ProposalFlaw | None,
) -> None:
    language = Language.CHINESE if texts is FILMS_ZH else Language.ENGLISH
    server.script.append(answers({"content": content}))
    result = await reflector.reflect(to_be_worded(*texts, language=language), provider="p")
    made = result.event.distillate
    assert made is not None
    assert made.candidate.content == (content if kept else texts[0])
    assert made.replaces
    assert len(made.rests_on) == len(texts)
    assert result.dropped == ({} if flaw is None else {flaw: 1})
    assert [text.dense for text in result.event.texts()] == [made.candidate.embedded_text]
    assert all(text in server.asked[0].text for text in texts)


async def test_without_a_model_the_best_statement_is_the_answer_to_a_question_left() -> None:
    asked = to_be_worded(*FILMS, language=Language.ENGLISH)
    result = await EmptyReflector().reflect(asked, provider="local")
    assert result.event.distillate == asked.distillate
