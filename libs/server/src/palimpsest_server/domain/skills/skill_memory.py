"""Learn one memory from runs of a skill: its procedure, its success rate, and its last error.

The same runs give the same memory in any order. Counts add up, the procedure is that of the latest
success, the error that of the latest failure. Confidence is the chance that the next
run succeeds by Laplace's rule of succession, (successes + 1) / (runs + 2). A skill that has
never worked is a lesson; from its first success on it is a skill.
"""

from datetime import datetime
from typing import Any

from palimpsest.model.bilingual_text import detect_language, shorten_to_summary
from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import Candidate, Evidence, Memory, MemorySource, Status
from palimpsest.model.scope import Scope
from palimpsest.model.skill_run import SkillExecution
from palimpsest.model.skill_text import write_skill_text
from palimpsest.model.turn import Role
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    build_memory,
)
from palimpsest_server.domain.consolidation.memory_keys import attribute_key
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.unite_memories import unite_field

ATTRIBUTE = "procedure"
"""Attribute of a skill's memory. Subject and value are the skill's name, so that it is found again."""

ORIGIN = "skill"
"""Origin of the evidence: an event, not somebody's words."""


MOST_ERROR_CHARACTERS = 1_000
"""Characters kept of an error; the memory's text has fewer."""


def estimate_success(successes: int, failures: int) -> float:
    """Estimate the chance that the next run succeeds, within (0, 1), by Laplace's rule of succession."""
    return round((successes + 1) / (successes + failures + 2), 6)


def build_skill_candidate(run: SkillExecution, *, candidate_id: str, scope: Scope) -> Candidate:
    """Build the memory that this run would be if there were no earlier runs."""
    kind = Kind.SKILL if run.error is None else Kind.LESSON
    data = _added({}, run)
    return Candidate(
        id=candidate_id,
        scope=scope,
        kind=kind,
        content=run.words,
        summary=shorten_to_summary(run.words),
        subject=run.skill_name,
        attribute=ATTRIBUTE,
        value=run.skill_name,
        data=data,
        importance=KINDS[kind].importance,
        confidence=estimate_success(data["successes"], data["failures"]),
        lifetime=KINDS[kind].lifetime,
        source=MemorySource.SKILL,
        said_by=Role.AGENT,
        language=detect_language(run.words),
        occurred_at=run.at,
        valid_from=run.at,
        evidence=(
            Evidence(quote=run.words, said_by=Role.AGENT, session_id=run.session_id, origin=ORIGIN),
        ),
    )


def record_execution(
    known: Overlay, run: SkillExecution, candidate: Candidate, *, received_at: datetime, epoch: int
) -> ConsolidationOutcome:
    """Put the result of one more run of a skill into `known`.

    `known` must hold the stored memories under the candidate's attribute key.
    """
    stated = build_memory(candidate, received_at=received_at, epoch=epoch)
    standing = [
        memory
        for memory in known.with_key(attribute_key(candidate) or "")
        if memory.status is Status.ACTIVE and memory.source is MemorySource.SKILL
    ]
    if not standing:
        known.put(stated)
        return ConsolidationOutcome.ADDED
    memory = min(standing, key=lambda one: (one.recorded_at, one.id))
    known.put(_reinforced(memory, stated, run))
    return ConsolidationOutcome.REINFORCED


def _reinforced(memory: Memory, stated: Memory, run: SkillExecution) -> Memory:
    data = _added(memory.data, run)
    workflow = data["workflow"] if data["successes"] else None
    content = write_skill_text(run.skill_name, workflow, data.get("last_error"))
    kind = Kind.SKILL if data["successes"] else Kind.LESSON
    return memory.model_copy(
        update={
            "kind": kind,
            "content": content,
            "summary": shorten_to_summary(content),
            "language": detect_language(content),
            "lifetime": KINDS[kind].lifetime,
            "data": data,
            "confidence": estimate_success(data["successes"], data["failures"]),
            **{
                name: unite_field(name, (memory, stated))
                for name in ("evidence", "valid_from", "occurred_at")
            },
        }
    )


def _added(data: dict[str, Any], run: SkillExecution) -> dict[str, Any]:
    """Return a skill's data with one more run. Until a run succeeds, the procedure is the one tried."""
    at = run.at.isoformat()
    added = {"successes": 0, "failures": 0, "workflow": [], **data, "skill_name": run.skill_name}
    workflow = list(run.workflow)
    if run.error is None:
        added["successes"] += 1
        if at >= added.get("last_succeeded_at", ""):
            added |= {"workflow": workflow, "last_succeeded_at": at}
        return added
    added["failures"] += 1
    if at >= added.get("last_failed_at", ""):
        added |= {"last_error": run.error[:MOST_ERROR_CHARACTERS], "last_failed_at": at}
        if not added["successes"]:
            added["workflow"] = workflow
    return added
