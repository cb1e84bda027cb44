"""What memories show together: asked of a model, checked by code, and left to rules without one."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import pytest

from palimpsest.events.extractor_answers import ReflectionsProposed
from palimpsest.model.erasure import ERASED_EPOCH, Erasure
from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language
from palimpsest_server.extraction.grounding import ProposalFlaw
from palimpsest_server.extraction.reflector import ModelReflector
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
    assert [one.memory_id for one in event.reflections[0].rests_on] == [
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
    one, two = [await reflector.reflect(ASKED, provider="p") for _ in range(2)]
    assert one.event.event_id == two.event.event_id
    assert one.event.reflections[0].becomes("ann") == two.event.reflections[0].becomes("ann")


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
