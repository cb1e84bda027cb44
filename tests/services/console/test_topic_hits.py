"""With what is on a topic goes what hangs on it, what an agent repeats of it, and where it is told."""

from collections.abc import Sequence

from palimpsest.model.memory import Evidence, Memory
from palimpsest.model.session_summary import SessionSummary, summary_id
from palimpsest.model.topic_match import TopicRelevance, TopicRelevanceReason
from palimpsest.model.turn import Role, Turn
from services.console.topic_hits import TopicHits, UserContent, add_dependents
from tests.support.services.console.routes.joined import joined
from tests.support.services.consolidator.summaries import summary
from tests.support.turns import turn

SAID = TopicRelevance(sure=0.95, because=TopicRelevanceReason.SAID)
TALK = (
    turn(1, text="我最近在考虑换工作", role=Role.USER),
    turn(2, text="为什么呢？", role=Role.AGENT),
    turn(3, text="主要是压力太大了", role=Role.USER),
    turn(4, text="对了，周末要去爬山", role=Role.USER),
)
ELSEWHERE = (
    turn(1, session_id="t", text="今天吃什么？", role=Role.USER),
    turn(2, session_id="t", text="考虑换工作辛苦了，吃点好的", role=Role.AGENT),
    turn(3, session_id="t", text="我还在考虑换工作的事", role=Role.USER),
)


def memory(name: str, content: str, *turns: Turn) -> Memory:
    evidence = tuple(
        Evidence(quote=each.text, session_id=each.session_id, message_id=each.message_id)
        for each in turns
    )
    scope = joined().memory("any").scope.model_copy(update={"user_id": "lin"})
    return joined().memory(name, scope, content=content, evidence=evidence)


def told_in(session: str) -> SessionSummary:
    own = summary_id("lin", session)
    return summary("A talk.", id=own, session_id=session)


async def found(memories: Sequence[Memory], on_topic: TopicHits) -> dict[str, tuple[float, str]]:
    turns = [*TALK, *ELSEWHERE]
    kept = UserContent(list(memories), turns, [told_in("s"), told_in("t")])
    await add_dependents(kept, on_topic)
    names = {each.id: f"{each.session_id}{each.message_id}" for each in turns}
    names |= {summary_id("lin", session): f"summary of {session}" for session in "st"}
    return {
        names.get(identity, identity): (hit.sure, hit.because.value)
        for (_, identity), hit in on_topic.by_place.items()
    }


async def test_a_reason_goes_with_what_it_is_the_reason_of() -> None:
    hits = TopicHits()
    hits.note("turn", TALK[0].id, SAID, TALK[0].text)
    pressure = memory("pressure", "用户压力太大了", TALK[2])
    both = memory("both", "用户压力大，周末爬山", TALK[2], TALK[3])
    assert await found([pressure, both], hits) == {
        "sm1": (0.95, "said"),
        "sm2": (0.9, "depends"),
        "sm3": (0.9, "depends"),
        "sm4": (0.6, "depends"),
        "pressure": (0.9, "depends"),
        "summary of s": (0.9, "evidence"),
    }


async def test_what_an_agent_repeats_elsewhere_goes_and_a_persons_own_words_are_told() -> None:
    hits = TopicHits()
    leaving = memory("leaving", "用户最近在考虑换工作", TALK[0])
    hits.note("memory", leaving.id, SAID, leaving.content)
    assert await found([leaving], hits) == {
        "leaving": (0.95, "said"),
        "tm2": (0.9, "repeats"),
        "tm3": (0.6, "repeats"),
        "summary of t": (0.9, "evidence"),
    }


async def test_of_what_is_unsure_nothing_else_goes() -> None:
    hits = TopicHits()
    unsure = TopicRelevance(sure=0.7, because=TopicRelevanceReason.MEANT)
    hits.note("turn", TALK[0].id, unsure, TALK[0].text)
    assert await found([], hits) == {"sm1": (0.7, "meant")}
