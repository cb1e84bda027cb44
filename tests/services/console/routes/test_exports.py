"""All there is of one user, and nothing of anybody else; and which agents know them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta

from palimpsest.api.exports import (
    EXPORT_LINE,
    AgentList,
    ExportBegun,
    ExportedMemory,
    ExportedProfile,
    ExportedQuestion,
    ExportedSummary,
    ExportedTodo,
    ExportedTurn,
    ExportEnded,
    ExportLine,
)
from palimpsest.model.change_set import ChangeSet, MemoryChange
from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.profile import build_empty_profile
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo, TodoState
from palimpsest.model.user import Language
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.standing_questions import KnownQuestion
from tests.support.services.console.routes.world import World
from tests.support.stores.change_sets import InMemoryChangeSets
from tests.support.stores.decided_change_sets import decided
from tests.support.turns import turn

POET = Scope(user_id="ann", agent_id="poet")
NOVEL = Scope(user_id="ann", agent_id="poet", project_id="novel")
BOB = Scope(user_id="bob", agent_id="poet")


async def exported(world: World, user_id: str = "ann") -> list[ExportLine]:
    async with world.http as http:
        answer = await http.get("/v1/export", params={"user_id": user_id})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [EXPORT_LINE.validate_json(line) for line in answer.text.splitlines()]


def memories(lines: list[ExportLine]) -> set[str]:
    return {line.memory.id for line in lines if isinstance(line, ExportedMemory)}


def summary(world: World, user_id: str) -> SessionSummary:
    now = world.clock()
    return SessionSummary(
        id=f"summary of {user_id}",
        scope=Scope(user_id=user_id),
        session_id="s",
        text="about tea",
        language=Language.ENGLISH,
        made_by="local",
        message_count=2,
        through=2,
        started_at=now,
        ended_at=now,
        made_at=now,
        expires_at=now + timedelta(days=90),
        epoch=0,
    )


def todo(world: World, name: str, scope: Scope, state: TodoState = TodoState.OPEN) -> Todo:
    now = world.clock()
    return Todo(id=name, scope=scope, content=name, state=state, created_at=now, epoch=0)


async def plant(world: World) -> None:
    await world.know(
        world.memory("of all"),
        world.memory("the poet's", POET),
        world.memory("the novel's", NOVEL),
        world.memory("forgotten", POET, status=Status.FORGOTTEN),
        world.memory("write", NOVEL, kind=Kind.ACTION_ITEM),
        world.memory("read", POET, kind=Kind.ACTION_ITEM, status=Status.ARCHIVED),
        world.memory("bob's", BOB),
    )
    await world.todos.write(
        [
            todo(world, "write", NOVEL),
            todo(world, "read", POET, TodoState.DONE),
            todo(world, "bob's", BOB),
        ]
    )
    for user_id in ("ann", "bob"):
        account = build_empty_profile(user_id, Language.ENGLISH, epoch=0, now=world.clock())
        await world.profiles.write([account.model_copy(update={"version": 1})])
        world.said.kept_summaries.append(summary(world, user_id))
        world.said.kept_turns += [turn(1, user_id=user_id), turn(2, user_id=user_id)]


async def test_everything_of_a_user_whatever_its_scope_state_and_status_and_nothing_of_others() -> (
    None
):
    world = World()
    await plant(world)
    lines = await exported(world)
    assert memories(lines) == {"of all", "the poet's", "the novel's", "forgotten", "write", "read"}
    assert {line.todo.id for line in lines if isinstance(line, ExportedTodo)} == {"write", "read"}
    assert [line.profile.version for line in lines if isinstance(line, ExportedProfile)] == [1]
    assert [line.summary.text for line in lines if isinstance(line, ExportedSummary)] == [
        "about tea"
    ]
    assert [line.turn.sequence for line in lines if isinstance(line, ExportedTurn)] == [1, 2]
    assert "bob" not in "".join(line.model_dump_json() for line in lines)


async def test_it_begins_with_the_settings_and_the_agents_and_ends_with_what_was_in_it() -> None:
    world = World()
    await plant(world)
    async with world.http as http:
        await http.put(
            "/v1/settings", params={"user_id": "ann"}, json={"time_zone": "Asia/Shanghai"}
        )
    first, *_, last = await exported(world)
    assert isinstance(first, ExportBegun)
    assert first.settings.time_zone == "Asia/Shanghai"
    assert [(agent.agent_id, agent.memories) for agent in first.agents] == [(None, 1), ("poet", 3)]
    assert isinstance(last, ExportEnded)
    assert last.counts == {"memory": 6, "todo": 2, "profile": 1, "summary": 1, "turn": 2}


async def test_a_memory_comes_with_how_it_came_to_be_that() -> None:
    world = World()
    await world.know(world.memory("tea"))
    async with world.http as http:
        await http.post(
            "/v1/memories/tea/forget", params={"user_id": "ann"}, json={"reason": "stale"}
        )
    (memory,) = [line for line in await exported(world) if isinstance(line, ExportedMemory)]
    assert memory.memory.status is Status.FORGOTTEN
    assert [(revision.reason, revision.after.status) for revision in memory.history] == [
        ("stale", Status.FORGOTTEN)
    ]


class CountedChangeSets(InMemoryChangeSets):
    """Count how often each change set is read for histories."""

    def __init__(self) -> None:
        super().__init__()
        self.read_for_histories: Counter[str] = Counter()

    async def histories(
        self, user_id: str, memory_ids: Sequence[str]
    ) -> Mapping[str, Sequence[ChangeSet]]:
        histories = await super().histories(user_id, memory_ids)
        read = {change_set.id for history in histories.values() for change_set in history}
        self.read_for_histories.update(read)
        return histories


async def test_a_change_set_of_many_memories_is_read_for_two_pages_at_most() -> None:
    change_sets = CountedChangeSets()
    world = World(change_sets=change_sets)
    # Ids that sort apart from each other, as those of an import do.
    imported = [[world.memory(f"{n} of {part}") for n in range(40)] for part in range(12)]
    for revision, part in enumerate(imported, start=1):
        changes = tuple(MemoryChange(after=memory) for memory in part)
        await change_sets.append([decided("ann", revision, changes=changes)])
        await world.know(*part)
    lines = await exported(world)
    told = [line for line in lines if isinstance(line, ExportedMemory)]
    assert {line.memory.id for line in told} == {m.id for part in imported for m in part}
    assert all([revision.after for revision in line.history] == [line.memory] for line in told)
    assert len(change_sets.read_for_histories) == len(imported)
    assert max(change_sets.read_for_histories.values()) <= 2


async def test_what_is_purged_or_of_an_older_epoch_is_not_in_it() -> None:
    world = World()
    await plant(world)
    await world.know(world.memory("gone", status=Status.PURGED), world.memory("newer", epoch=1))
    world.writer.epochs["ann"] = 1
    lines = await exported(world)
    assert memories(lines) == {"newer"}
    assert [line.record for line in lines] == ["export", "memory", "end"]


async def test_nor_is_what_is_erased_and_may_still_be_there() -> None:
    world = World()
    await plant(world)
    gone = Erasure(epoch=0, turn_ids=(turn(1, user_id="ann").id,), summary_ids=("summary of ann",))
    world.writer.going["ann"] = (PendingErasure(erasure=gone, revision=2),)
    lines = await exported(world)
    assert [line.turn.sequence for line in lines if isinstance(line, ExportedTurn)] == [2]
    assert {line.record for line in lines} == {"export", "memory", "todo", "turn", "end"}


async def test_of_a_stranger_it_is_their_settings_and_the_end() -> None:
    lines = await exported(World(), "nobody")
    assert [line.record for line in lines] == ["export", "end"]


async def test_agents_are_those_that_have_something_of_this_user() -> None:
    world = World()
    await plant(world)
    await world.know(world.memory("past", Scope(user_id="ann", agent_id="cook"), status="archived"))
    async with world.http as http:
        answer = await http.get("/v1/agents", params={"user_id": "ann"})
        nobodys = await http.get("/v1/agents", params={"user_id": "nobody"})
        nameless = await http.get("/v1/agents")
    found = AgentList.model_validate_json(answer.content)
    assert [(agent.agent_id, agent.memories) for agent in found.agents] == [(None, 1), ("poet", 3)]
    assert nobodys.json() == {"agents": []}
    assert nameless.status_code == 422


async def test_an_agent_exports_what_it_sees_and_no_more() -> None:
    world = World()
    await plant(world)
    await world.know(world.memory("the coder's", Scope(user_id="ann", agent_id="coder")))
    world.said.kept_turns += [
        turn(1, text="to the coder", user_id="ann", agent_id="coder"),
        turn(2, text="to the poet", user_id="ann", agent_id="poet"),
        turn(3, text="to all", user_id="ann"),
    ]
    async with world.http as http:
        whose = {"user_id": "ann", "agent_id": "poet"}
        answer = await http.get("/v1/export", params=whose)
        agents = AgentList.model_validate_json(
            (await http.get("/v1/agents", params=whose)).content
        ).agents
    lines = [EXPORT_LINE.validate_json(line) for line in answer.text.splitlines()]
    assert "the coder's" not in memories(lines)
    assert {"of all", "the poet's", "the novel's"} <= memories(lines)
    told = {line.turn.text for line in lines if isinstance(line, ExportedTurn)}
    assert {"to the poet", "to all"} <= told
    assert "to the coder" not in told
    assert {agent_memories.agent_id for agent_memories in agents} == {None, "poet"}


async def test_a_question_that_is_being_erased_is_not_in_an_export() -> None:
    world, now = World(), World().clock()
    for question_id in ("going", "staying"):
        await world.questions.add(
            KnownQuestion(
                id=question_id,
                user_id="ann",
                scope=Scope(user_id="ann"),
                epoch=0,
                query="When?",
                limit=3,
                created_at=now,
            )
        )
    decided = DecidedErasure(
        id="forgetting",
        user_id="ann",
        revision=7,
        decided_at=now,
        known_since=now,
        erasure=Erasure(epoch=0, question_ids=("going",), takes_questions=True),
    )
    await world.erasures.put([decided])
    lines = await exported(world)
    questions = [line.id for line in lines if isinstance(line, ExportedQuestion)]
    assert questions == ["staying"]
