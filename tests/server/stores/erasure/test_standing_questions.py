"""A question goes with the topic or the project that it asks about, and with no other."""

from typing import Any

import pytest

from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.scope import Scope
from palimpsest_server.stores.decided_erasures import DecidedErasure, MongoErasures
from palimpsest_server.stores.erasure.console import ConsoleEraser
from palimpsest_server.stores.erasure.standing_questions import find_erased_questions
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.standing_questions import (
    MAXIMUM_PAST_SOURCES,
    AnswerSource,
    KnownQuestion,
    MongoStandingQuestions,
    PastSource,
)
from tests.support.clock import SettableClock
from tests.support.turns import MORNING

ERASED_AT = 9


def question(*sources: tuple[str, int], project_id: str | None = None, **fields: Any) -> Any:
    known = {
        "id": "question",
        "user_id": "ann",
        "scope": Scope(user_id="ann", project_id=project_id),
        "epoch": 0,
        "query": "When is it?",
        "limit": 10,
        "created_at": MORNING,
        "past_sources": tuple(
            PastSource(memory_id=memory_id, revision=revision) for memory_id, revision in sources
        ),
    }
    return KnownQuestion.model_validate({**known, **fields})


def erasure(*memory_ids: str, revision: int = ERASED_AT, **fields: Any) -> PendingErasure:
    known = {"epoch": 0, "memory_ids": memory_ids, "takes_questions": True}
    return PendingErasure(erasure=Erasure.model_validate({**known, **fields}), revision=revision)


PURGE_BEFORE = erasure("m1", revision=5, takes_questions=False)


@pytest.mark.parametrize(
    ("asked", "erasures", "is_erased"),
    [
        (question(("m1", 3)), [erasure("m1")], True),
        (question(("m1", 3)), [erasure("m2")], False),
        (question(), [erasure("m1")], False),
        (question(), [erasure(question_ids=("question",))], True),
        # Something else answered it as well, before or only since.
        (question(("m1", 3), ("m2", 8)), [erasure("m1")], False),
        (question(("m1", 3), ("m2", 9)), [erasure("m1")], True),
        # An answer that was under way during the erasure is noted late.
        (question(("m1", 12)), [erasure("m1")], True),
        # What was erased before takes it together with the rest, not by itself.
        (question(("m1", 3)), [PURGE_BEFORE], False),
        (question(("m1", 3)), [PURGE_BEFORE, erasure("other")], False),
        (question(("m1", 3), ("m2", 3)), [erasure("m2"), PURGE_BEFORE], True),
        (question(("m1", 3), ("m2", 3)), [erasure("m2"), erasure("m1", revision=10)], True),
        # Asked after it: in the same project, or kept anew under the same id.
        (question(project_id="p"), [erasure(project_id="p")], True),
        (question(project_id="p"), [erasure(project_id="p", agent_id="cook")], False),
        (question(project_id="q"), [erasure(project_id="p")], False),
        (question(project_id="p", added_at_revision=9), [erasure(project_id="p")], False),
        (question(added_at_revision=9), [erasure(question_ids=("question",))], False),
        # Decided before questions went with topics.
        (question(project_id="p"), [erasure(project_id="p", takes_questions=False)], False),
    ],
)
def test_a_question_goes_with_what_answered_it(
    asked: KnownQuestion, erasures: list[PendingErasure], is_erased: bool
) -> None:
    assert find_erased_questions([asked], erasures) == ({"question"} if is_erased else set())


@pytest.mark.embedded
async def test_the_console_erases_questions_that_earlier_erasures_left(
    database: MongoDatabase, clock: SettableClock
) -> None:
    questions, erasures = MongoStandingQuestions(database), MongoErasures(database)
    await questions.add(question(id="tea"))
    worded = {"wording": "It rains on Fridays.", "worded_by": "openai/m"}
    rain = [AnswerSource(memory_id=memory_id, version=1) for memory_id in ("m2", "m3")]
    await questions.add(question(("m3", 3), id="rain", sources=rain, **worded))
    await questions.add(question(("m4", 3), id="snow", sources=rain[1:], **worded))
    await questions.add_sources("tea", question(("m1", 3), ("m2", 3)).past_sources)
    decided = [
        DecidedErasure(
            id=pending.erasure.memory_ids[0],
            user_id="ann",
            decided_at=clock(),
            known_since=clock(),
            **dict(pending),
        )
        for pending in (PURGE_BEFORE, erasure("m2"))
    ]
    await erasures.put(decided)
    for decided_erasure in decided:
        await ConsoleEraser(database).erase(decided_erasure)
    assert {known.id: known.wording for known in await questions.list("ann")} == {
        "rain": None,
        "snow": worded["wording"],
    }


@pytest.mark.embedded
async def test_the_latest_sources_are_kept(database: MongoDatabase) -> None:
    questions = MongoStandingQuestions(database)
    await questions.add(question())
    sources = [
        PastSource(memory_id=str(number), revision=1) for number in range(MAXIMUM_PAST_SOURCES)
    ]
    latest = PastSource(memory_id="latest", revision=2)
    await questions.add_sources("question", sources)
    await questions.add_sources("question", [latest])
    await questions.add_sources("erased meanwhile", [latest])
    (known,) = await questions.list("ann")
    assert known.past_sources == (*sources[1:], latest)
