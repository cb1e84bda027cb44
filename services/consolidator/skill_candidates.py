"""Runs of skills as candidates: they belong to the agent alone, in no project."""

from palimpsest.events.skills import SkillRun
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate
from palimpsest.model.skill_run import SkillExecution
from palimpsest.model.user import SharingPolicy
from palimpsest_language.memory_injection.rights_claims import states_rights_or_instructions
from palimpsest_server.domain.sharing_policy import resolve_shared_scope
from palimpsest_server.domain.skills.skill_memory import build_skill_candidate

WITHHELD_ERROR = "its message is withheld, for it states rights or instructions"


def build_skill_execution(event: SkillRun) -> SkillExecution:
    """Build the trusted part of a run, without an error that states rights or instructions.

    An error may quote a web page, and the page may hold an injected instruction.
    """
    run = event.run()
    if run.error is None or not states_rights_or_instructions(run.error):
        return run
    return run.model_copy(update={"error": WITHHELD_ERROR})


def build_skill_run_candidate(event: SkillRun, policy: SharingPolicy) -> Candidate:
    run = build_skill_execution(event)
    return build_skill_candidate(
        run,
        candidate_id=derive_id("candidate", event.event_id, "0"),
        scope=resolve_shared_scope(policy, Kind.SKILL, about_user=False, conversation=event.scope),
    )
