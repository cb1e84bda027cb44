"""What agents learn by doing: verdicts on what was recalled, what of it was used, runs of skills."""

from palimpsest.contracts.feedback import FeedbackGiven, RecallUsed
from palimpsest.contracts.skills import SkillRun
from palimpsest.domain.evolution.feedback import feed_back
from palimpsest.domain.skills.learning import learn
from services.consolidator.bringing import check_vectors, vectors_of_texts
from services.consolidator.rulings.ruling import Grounds, Ruling
from services.consolidator.skills import run_of, skill_candidate


def on_feedback(event: FeedbackGiven, grounds: Grounds) -> Ruling:
    about = event.memory_ids or grounds.known.recalled.get(event.recall_id or "", ())
    outcomes = feed_back(grounds.known, about, event.verdict, at=event.occurred_at)
    words = dict.fromkeys(outcome.value for outcome in outcomes)
    reason = ", ".join(words) or "nothing is known of that recall"
    return Ruling(actor=event.actor, reason=f"feedback: {reason}", outcomes=outcomes)


def on_use(event: RecallUsed) -> Ruling:
    return Ruling(actor=event.actor, reason="results of a recall were used")


def on_skill_run(event: SkillRun, grounds: Grounds) -> Ruling:
    check_vectors(event, len(event.texts()), grounds.model)
    outcome = learn(
        grounds.known,
        run_of(event),
        skill_candidate(event, grounds.settings.sharing_policy),
        received_at=event.received_at or event.occurred_at,
        epoch=event.epoch or 0,
    )
    return Ruling(
        actor="agent",
        reason=f"a run of a skill: {outcome.value}",
        outcomes=(outcome,),
        vectors=vectors_of_texts(event),
    )
