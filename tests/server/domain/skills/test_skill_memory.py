"""One skill is one memory, whatever order its runs come in."""

from itertools import permutations
from typing import Any

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest.model.skill_run import SkillExecution
from palimpsest.model.skill_text import write_skill_text
from palimpsest.model.user import Language
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    forget_memory,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.skills.skill_memory import (
    build_skill_candidate,
    estimate_success,
    record_execution,
)
from tests.support.server.domain.consolidation.samples import day

SCOPE = Scope(user_id="alice", agent_id="researcher")
STEPS = tuple({"step": n, "tool": tool} for n, tool in enumerate(("search", "read", "sum_up"), 1))


def ran(
    on: int, error: str | None = None, *, name: str = "deep_research", **fields: Any
) -> SkillExecution:
    return SkillExecution(
        skill_name=name, workflow=fields.pop("workflow", STEPS), error=error, at=day(on), **fields
    )


def after(*runs: SkillExecution) -> tuple[Overlay, list[ConsolidationOutcome]]:
    known = Overlay()
    return known, [take(known, run) for run in runs]


def take(known: Overlay, run: SkillExecution) -> ConsolidationOutcome:
    cause = f"{run.skill_name} on {run.at}"
    stated = build_skill_candidate(run, candidate_id=cause, scope=SCOPE)
    return record_execution(known, run, stated, received_at=run.at, epoch=0)


def told(memory: Memory) -> tuple[object, ...]:
    data = memory.data
    return (memory.kind, data["successes"], data["failures"], memory.confidence, memory.content)


def test_a_success_is_remembered_with_its_way() -> None:
    known, outcomes = after(ran(0))
    (memory,) = known.everything()
    assert outcomes == [ConsolidationOutcome.ADDED]
    assert (memory.kind, memory.scope, memory.data["workflow"]) == (Kind.SKILL, SCOPE, list(STEPS))
    assert memory.content == "Skill deep_research works this way: search → read → sum_up."


def test_the_same_skill_again_is_the_same_memory_counted_up() -> None:
    known, outcomes = after(ran(0), ran(1), ran(2, "timed out"), ran(3, name="Deep_Research"))
    (memory,) = known.everything()
    assert outcomes == [ConsolidationOutcome.ADDED] + [ConsolidationOutcome.REINFORCED] * 3
    assert (memory.data["successes"], memory.data["failures"]) == (3, 1)
    assert memory.confidence == estimate_success(3, 1) == pytest.approx(4 / 6, abs=1e-6)
    assert len(memory.evidence) == 4


def test_confidence_follows_how_it_goes() -> None:
    assert estimate_success(1, 0) < estimate_success(2, 0) < estimate_success(9, 0) < 1
    assert 0 < estimate_success(0, 9) < estimate_success(0, 1) < 0.5 < estimate_success(1, 0)


def test_what_has_never_worked_is_a_lesson_until_it_does() -> None:
    known, _ = after(ran(0, "429 Too Many Requests"))
    (memory,) = known.everything()
    assert told(memory)[:3] == (Kind.LESSON, 0, 1)
    assert memory.content == "Skill deep_research failed: 429 Too Many Requests."
    take(known, ran(1))
    (memory,) = known.everything()
    assert told(memory)[:3] == (Kind.SKILL, 1, 1)
    assert memory.content == (
        "Skill deep_research works this way: search → read → sum_up. "
        "It failed with: 429 Too Many Requests."
    )


def test_runs_in_any_order_come_to_the_same() -> None:
    shorter = STEPS[:1]
    runs = [ran(0, "a"), ran(1, workflow=shorter), ran(2, "b", workflow=()), ran(3)]
    ends = set()
    for order in permutations(runs):
        known, _ = after(*order)
        (memory,) = known.everything()
        ends.add((*told(memory), str(memory.data["workflow"]), memory.valid_from, memory.evidence))
    assert len(ends) == 1


def test_skills_and_agents_are_told_apart() -> None:
    known, outcomes = after(ran(0), ran(0, name="shallow_research"))
    other = SCOPE.model_copy(update={"agent_id": "writer"})
    stated = build_skill_candidate(ran(0), candidate_id="other", scope=other)
    outcomes.append(record_execution(known, ran(0), stated, received_at=day(0), epoch=0))
    assert outcomes == [ConsolidationOutcome.ADDED] * 3
    assert len(known.everything()) == 3


def test_what_its_user_had_forgotten_is_not_woken() -> None:
    known, _ = after(ran(0))
    (memory,) = known.everything()
    forget_memory(known, memory.id, reason="asked")
    assert take(known, ran(1)) is ConsolidationOutcome.ADDED
    statuses = {one.data["successes"]: one.status for one in known.everything()}
    assert sorted(one.status for one in known.everything()) == [Status.ACTIVE, Status.FORGOTTEN]
    assert set(statuses) == {1}


@pytest.mark.parametrize(
    ("name", "workflow", "error", "words"),
    [
        ("x", [{"tool": "a"}, {"action": "b c"}], None, "Skill x works this way: a → b c."),
        ("x", [{"step": 1}, {"step": 2}], None, "Skill x works."),
        ("x\ny", None, "no\nroute.", "Skill x y failed: no route."),
        ("深度研究", [{"tool": "web_search"}], None, "技能 深度研究 的成功做法：web_search。"),
        ("部署", None, "端口被占用。", "技能 部署 执行失败：端口被占用。"),
        ("部署", [], "端口被占用", "技能 部署 执行成功。曾失败：端口被占用。"),
    ],
)
def test_what_is_said_of_it(
    name: str, workflow: list[dict[str, Any]] | None, error: str | None, words: str
) -> None:
    assert write_skill_text(name, workflow, error) == words


def test_a_long_way_and_a_long_error_are_told_in_short() -> None:
    words = write_skill_text("x", [{"tool": f"t{number}"} for number in range(100)], "no " * 1000)
    assert "t19 → …" in words
    assert len(words) < 1000


def test_a_chinese_skill_is_in_chinese() -> None:
    known, _ = after(ran(0, "端口被占用", name="部署"))
    assert known.everything()[0].language is Language.CHINESE
