"""Whether two memories are one: asked of a model, and never of rules."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from palimpsest.events.embeddable_event import MemoryText
from palimpsest.events.extractor_answers import JudgementProposed
from palimpsest.events.extractor_requests import JudgementRequested
from palimpsest.model.erasure import ERASED_EPOCH, Erasure
from palimpsest.model.judgement import JudgementVerdict
from palimpsest_server.extraction.memory_judge import KeepBothJudge, ModelMemoryJudge
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.models.model_errors import UnusableAnswer
from palimpsest_server.stores.collections import LEDGER_TEXTS
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
from tests.support.models.model_server import ModelServer, Says, answers
from tests.support.services.extractor.modelled import Clock, Modelled, modelled


def memory(text: str, version: int = 1) -> MemoryText:
    return MemoryText(memory_id=f"id of {text}", version=version, text=text)


def question(new: str, *standing: str) -> JudgementRequested:
    return JudgementRequested(
        event_id=f"e {new}",
        occurred_at="2026-03-01T10:00:00Z",
        received_at="2026-03-01T10:00:00Z",
        epoch=2,
        user_id="ann",
        agent_id="poet",
        question_id=f"q {new}",
        new=memory(new, 3),
        standing=tuple(memory(each, 5) for each in standing),
    )


ALLERGY = question("I have a peanut allergy", "I like nuts", "I am allergic to peanuts")


def says(verdict: str, n: int | None = None, content: str | None = None) -> Says:
    return answers({"verdict": verdict, "n": n, "content": content})


@pytest.fixture
async def run(server: ModelServer, clock: Clock) -> AsyncIterator[Modelled]:
    async with modelled(server, clock) as run:
        yield run


@pytest.fixture
def judge(run: Modelled) -> ModelMemoryJudge:
    model = run.models.of(ModelTask.JUDGEMENT)
    assert model is not None
    return ModelMemoryJudge(model)


async def test_the_model_sees_numbers_and_the_answer_names_versions(
    server: ModelServer, judge: ModelMemoryJudge
) -> None:
    server.script.append(says("duplicate", 2))
    answer = await judge.judge(ALLERGY, provider="openai/m-1")
    shown = server.asked[-1].text
    assert "id of" not in shown
    assert '{"n": 2, "memory": "I am allergic to peanuts"}' in shown
    assert answer.judgement.verdict is JudgementVerdict.DUPLICATE
    assert answer.judgement.standing == ALLERGY.standing[1].at
    assert (answer.judgement.new.version, answer.epoch, answer.agent_id) == (3, 2, "poet")
    assert answer.texts() == ()


@pytest.mark.parametrize(
    "flawed",
    [
        says("replace", 7),
        says("replace"),
        says("merge", 1),
        says("merge", 1, "两条都说了"),
        says("delete", 1),
    ],
)
async def test_an_answer_that_cannot_be_is_repaired_once_and_then_refused(
    server: ModelServer, judge: ModelMemoryJudge, flawed: Says
) -> None:
    server.script += [flawed, says("keep_both")]
    answer = await judge.judge(ALLERGY, provider="p")
    assert answer.judgement.verdict is JudgementVerdict.KEEP_BOTH
    server.script += [flawed, flawed]
    with pytest.raises(UnusableAnswer):
        await judge.judge(ALLERGY, provider="p")


async def test_a_merge_in_chinese_is_asked_and_answered_in_chinese(
    server: ModelServer, judge: ModelMemoryJudge
) -> None:
    server.script.append(says("merge", 1, "用户每天早上喝黑咖啡"))
    asked = question("用户早上喝咖啡", "用户喝黑咖啡")
    answer = await judge.judge(asked, provider="p")
    assert "新记忆" in server.asked[-1].text
    assert answer.judgement.content == "用户每天早上喝黑咖啡"
    assert [text.dense for text in answer.texts()] == ["用户每天早上喝黑咖啡"]


async def test_through_the_ledger_a_question_left_from_a_model_keeps_both(run: Modelled) -> None:
    async with run.world.running():
        await run.world.intake.handle([ALLERGY])
        await run.world.until(lambda: run.world.publisher.published)
    [answer] = [
        event for event in run.world.publisher.published if isinstance(event, JudgementProposed)
    ]
    assert (answer.judgement.verdict, answer.provider) == (JudgementVerdict.KEEP_BOTH, "local")
    assert parse_answer(answer.model_dump(mode="python")) == answer
    assert parse_question(build_text_document(ALLERGY)["request"]) == ALLERGY


@pytest.mark.embedded
async def test_what_is_purged_is_in_no_question_and_in_no_answer(
    database: MongoDatabase, clock: Clock
) -> None:
    ledger, now = MongoLedger(database), clock()
    other = question("I play chess", "I like chess")
    await ledger.write_down([ALLERGY, other], now=now)
    for purged, left in [
        ("I am allergic to peanuts", {other.question_id}),
        ("I play chess", set()),
    ]:
        erasure = Erasure(epoch=ERASED_EPOCH, memory_ids=(f"id of {purged}",))
        decided = DecidedErasure(
            id=purged, user_id="ann", revision=1, decided_at=now, known_since=now, erasure=erasure
        )
        await ExtractorEraser(database, ledger, MongoSummaryNeeds(database), clock).erase(decided)
        texts = await database.collection(LEDGER_TEXTS).find({}).to_list(None)
        assert {document["_id"] for document in texts} == left
    # One that was answered says in its answer what both said.
    third = question("Coffee in the morning", "I drink coffee")
    await ledger.write_down([third], now=now)
    [lease] = await ledger.lease(limit=1, until=now + timedelta(minutes=1), now=now)
    answer = await KeepBothJudge().judge(third, provider="local")
    await ledger.answer([LeasedAnswer(lease=lease, event=answer)], now=now)
    erasure = Erasure(epoch=ERASED_EPOCH, memory_ids=(third.standing[0].memory_id,))
    decided = decided.model_copy(update={"id": "third", "erasure": erasure})
    await ExtractorEraser(database, ledger, MongoSummaryNeeds(database), clock).erase(decided)
    assert await ledger.answers([third.question_id]) == []
