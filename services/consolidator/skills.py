"""What an agent's run of a skill says, as a candidate: the agent's own, in no project."""

from palimpsest.contracts.skills import SkillRun
from palimpsest.domain.identifiers import derive
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Candidate
from palimpsest.domain.sharing import shared_scope
from palimpsest.domain.skills.learning import candidate_of
from palimpsest.domain.user import SharingPolicy
from palimpsest.model.skill_run import Run
from palimpsest.providers.extraction.rights import states_rights_or_instructions

WITHHELD = "its message is withheld, for it states rights or instructions"


def run_of(event: SkillRun) -> Run:
    """What is believed of it: an error may quote a page, and a page may want to be obeyed."""
    run = event.run()
    if run.error is None or not states_rights_or_instructions(run.error):
        return run
    return run.model_copy(update={"error": WITHHELD})


def skill_candidate(event: SkillRun, policy: SharingPolicy) -> Candidate:
    run = run_of(event)
    return candidate_of(
        run,
        candidate_id=derive("candidate", event.event_id, "0"),
        scope=shared_scope(policy, Kind.SKILL, about_user=False, conversation=event.scope),
    )
