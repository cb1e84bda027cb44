"""A topic is looked for again once its erasure was decided: something may have been on its way."""

from fastapi import Response

from palimpsest.api.command_requests import ForgetTopicRequest, TopicSearchHit, TopicSearchResult
from palimpsest.events.commands import ForgetTopic
from palimpsest.model.memory import Evidence
from palimpsest.model.topic_match import TopicRelevanceReason
from palimpsest.model.turn import turn_id
from services.console.dependent_memories import DependentMemoryFinder
from services.console.memory_purge import ModelExposure
from services.console.routes.topic_erasure import TopicErasure
from services.console.topic_search import TopicSearch
from tests.support.services.console.routes.joined import joined
from tests.support.services.console.routes.world import World


def found(record: str, name: str, sure: float = 1.0) -> TopicSearchHit:
    fields = {"record": record, "id": name, "sure": sure, "because": TopicRelevanceReason.NAMED}
    return TopicSearchHit.model_validate({**fields, "beginning": name})


class Looks(TopicSearch):
    """What is found at each look."""

    def __init__(self, *looks: list[TopicSearchHit]) -> None:
        self._looks = list(looks)

    async def find(self, user_id: str, topic: str) -> TopicSearchResult:
        look = self._looks.pop(0) if len(self._looks) > 1 else self._looks[0]
        return TopicSearchResult(found=tuple(look), by_meaning=user_id != topic)

    async def shown_in(self, user_id: str, turn_ids: object) -> ModelExposure:
        return ModelExposure(
            window_ids=(f"of {user_id}",) if turn_ids else (),
            summary_ids=(f"where {user_id} said it",) if turn_ids else (),
        )


def forgetting(world: World, looks: Looks) -> TopicErasure:
    resting = DependentMemoryFinder(world.memories, world.namespaces)
    return TopicErasure(looks, resting, world.giving, world.clock)


def commands_given(world: World) -> list[ForgetTopic]:
    return [event for event in world.writer.published if isinstance(event, ForgetTopic)]


TEA = ForgetTopicRequest(topic="tea")


async def test_what_came_meanwhile_goes_too_and_what_is_unsure_stays() -> None:
    world = joined()
    turn, summary = found("turn", "t1"), found("summary", "s1")
    looks = Looks([turn, found("memory", "m1", 0.7)], [turn, summary], [turn, summary])
    gone = await forgetting(world, looks).forget("ann", TEA, Response(), None)
    assert gone.topic.found == (turn, summary)
    first, second = commands_given(world)
    assert (first.turn_ids, first.window_ids) == (("t1",), ("of ann",))
    assert first.summary_ids == ("where ann said it",), "whether it is on the topic or not"
    assert (second.turn_ids, second.summary_ids) == ((), ("s1",))
    assert gone.result is not None
    assert (gone.result.command_id, gone.result.revision) == (first.event_id, 2)


async def test_what_rests_on_a_message_that_goes_and_is_not_on_the_topic_is_told() -> None:
    world = joined()
    said = Evidence(quote="call Anna on Friday", session_id="s", message_id="m1")
    task = world.memory("task", content="The user is to call Anna on Friday", evidence=(said,))
    other = world.memory("other", evidence=(said.model_copy(update={"message_id": "m2"}),))
    tea = world.memory("tea", content="The user gave up tea", evidence=(said,))
    await world.know(task, other, tea)
    await world.namespaces.register([task.scope.namespace])
    message = turn_id("ann", "s", "m1")
    unsure = found("turn", turn_id("ann", "s", "m2"), 0.6)
    on_it = [found("turn", message), found("memory", "tea"), unsure]
    look = await forgetting(world, Looks(on_it)).look("ann", TEA)
    done = await forgetting(world, Looks(on_it, [])).forget("ann", TEA, Response(), None)
    assert (
        [memory.id for memory in look.also_said]
        == [memory.id for memory in done.also_said]
        == ["task"]
    )


async def test_a_retry_under_its_key_is_the_same_command() -> None:
    world = joined()
    looks = Looks([found("turn", "t1")], [])
    first = await forgetting(world, looks).forget("ann", TEA, Response(), "once")
    again = await forgetting(world, Looks([])).forget("ann", TEA, Response(), "once")
    assert again.result == first.result
    assert len(commands_given(world)) == 1


async def test_no_more_memories_go_at_once_than_a_change_set_takes() -> None:
    world = joined()
    many = [found("memory", f"m{number}") for number in range(700)]
    await forgetting(world, Looks(many)).forget("ann", TEA, Response(), None)
    assert [len(event.memory_ids) for event in commands_given(world)] == [500, 200]


async def test_where_nothing_is_on_a_topic_nothing_is_commanded() -> None:
    world = joined()
    done = await forgetting(world, Looks([])).forget("ann", TEA, Response(), None)
    assert commands_given(world) == []
    assert done.topic.found == ()
    assert done.result is not None
    assert (done.result.applied, done.result.changed) == (True, 0)
