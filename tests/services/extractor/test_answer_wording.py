"""A question's answer is worded by the model from memories that the asker sees, or not at all."""

import json

import pytest

from palimpsest.api.answer_wording import AnswerRequest, WordedAnswer
from palimpsest.model.scope import Scope
from palimpsest_server.extraction.question_answers import ModelAnswers
from palimpsest_server.models.call_accounting import CallAccounting
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.stores.usage import InMemoryUsage
from services.extractor.answer_wording import AnswerWorder
from tests.support.models.model_server import Act, Fails, ModelServer, Says, answers
from tests.support.server.stores.memories import added, memory
from tests.support.services.extractor.modelled import Clock, Options, modelled
from tests.support.services.extractor.world import SettableStates
from tests.support.stores.memories import InMemoryMemories

ALICE, BOB = Scope(user_id="alice"), Scope(user_id="bob")
SISTER = memory("Alice's sister Mei lives in Oslo")
DOG = memory("爱丽丝养了一只叫豆豆的狗", on=1)
PIANO = memory("Alice plays the piano", on=2)
SECRET = memory("Bob lives in Rome", scope=BOB)
ASKED = "Where does Alice's sister live?"


def says(answer: str, *rests_on: int) -> Says:
    return answers({"answer": answer, "rests_on": rests_on})


async def word(
    server: ModelServer, clock: Clock, *script: Act, query: str = ASKED
) -> tuple[WordedAnswer, InMemoryUsage]:
    memories, calls = InMemoryMemories(), InMemoryUsage()
    await memories.apply(added(SISTER, DOG, PIANO, SECRET))
    server.script.extend(script)
    options = Options(accounting=CallAccounting(calls, clock=clock))
    async with modelled(server, clock, options) as run:
        model = run.models.of(ModelTask.ANSWER)
        assert model is not None
        worder = AnswerWorder(ModelAnswers(model), memories, SettableStates(), clock)
        request = AnswerRequest(
            query=query, memory_ids=(SISTER.id, DOG.id, PIANO.id, SECRET.id), user_id="alice"
        )
        return await worder.word(request), calls


async def test_an_answer_rests_on_what_the_asker_sees_and_is_counted(
    server: ModelServer, clock: Clock
) -> None:
    answer, calls = await word(server, clock, says("Her sister Mei lives in Oslo.", 1))
    assert answer.text == "Her sister Mei lives in Oslo."
    assert answer.model is not None
    (call,) = await calls.unannounced(limit=10)
    assert (call.user_id, call.task) == ("alice", "answer")
    shown = server.asked[0].text
    assert SISTER.content in shown
    assert json.dumps(ASKED) in shown
    assert SECRET.content not in shown


async def test_a_chinese_question_is_asked_and_answered_in_chinese(
    server: ModelServer, clock: Clock
) -> None:
    asked = "爱丽丝的狗叫什么?"
    answer, _ = await word(server, clock, says("她的狗叫豆豆。", 2), query=asked)
    assert answer.text == "她的狗叫豆豆。"
    assert "只依据这些记忆" in server.asked[0].text


@pytest.mark.parametrize(
    "act",
    [
        says("Her sister Mei lives in Bergen.", 1),
        says("She has lived in Oslo for 12 years.", 1),
        says("Her sister Mei lives in Oslo.", 3),
        says("Her sister Mei lives in Oslo.", 4),
        says("Her sister Mei lives in Oslo."),
        says(""),
        Fails(500),
        Fails(401),
    ],
)
async def test_without_a_sound_answer_there_is_none(
    server: ModelServer, clock: Clock, act: Act
) -> None:
    answer, _ = await word(server, clock, act)
    assert answer.text is None
    assert (answer.model is None) == isinstance(act, Fails)


async def test_without_a_model_nothing_is_read(clock: Clock) -> None:
    worder = AnswerWorder(None, InMemoryMemories(), SettableStates(), clock)
    asked = AnswerRequest(query=ASKED, memory_ids=(SISTER.id,), user_id="alice")
    assert await worder.word(asked) == WordedAnswer()
