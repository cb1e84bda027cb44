"""Decisions on a model's answers: a proposal is accepted if the memories it names are unchanged."""

from palimpsest.events.extractor_answers import (
    JudgementProposed,
    ProfileProposed,
    ReflectionsProposed,
)
from palimpsest_language.local_extraction import LOCAL_PROVIDER_NAME
from palimpsest_server.domain.compression.acceptance import accept_distillate
from palimpsest_server.domain.consolidation.model_judgements import apply_judgement
from palimpsest_server.domain.reflection.model_reflections import accept_reflection
from services.consolidator.event_contents import check_vectors, pair_texts_with_vectors
from services.consolidator.event_decisions.event_decision import DecisionContext, EventDecision
from services.consolidator.refresh_profiles import decide_profile_change


def decide_judgement(event: JudgementProposed, grounds: DecisionContext) -> EventDecision:
    check_vectors(event, len(event.texts()), grounds.model)
    by_model = event.provider != LOCAL_PROVIDER_NAME
    outcome = apply_judgement(grounds.known, event.judgement, is_understood=by_model)
    return EventDecision(
        actor="extractor",
        reason=outcome.value,
        outcomes=(outcome,),
        vectors=pair_texts_with_vectors(event),
    )


def decide_reflections(event: ReflectionsProposed, grounds: DecisionContext) -> EventDecision:
    check_vectors(event, len(event.texts()), grounds.model)
    outcomes = [
        accept_reflection(
            grounds.known,
            found,
            scope=event.scope,
            received_at=event.received_at or event.occurred_at,
            epoch=event.epoch or 0,
        )
        for found in event.reflections
    ]
    if event.distillate is not None:
        outcomes.append(
            accept_distillate(
                grounds.known,
                event.distillate,
                received_at=event.received_at or event.occurred_at,
                epoch=event.epoch or 0,
            )
        )
    words = ", ".join(dict.fromkeys(outcome.value for outcome in outcomes))
    return EventDecision(
        actor="extractor",
        reason=f"reflection: {words or 'nothing found'}",
        outcomes=outcomes,
        vectors=pair_texts_with_vectors(event),
    )


def decide_profile(event: ProfileProposed, grounds: DecisionContext) -> EventDecision:
    changes = decide_profile_change(grounds.known.profiles, event)
    for change in changes:
        grounds.known.profiles[event.user_id, change.after.agent_id] = change.after
    reason = "a profile was written" if changes else "the profile has changed since"
    return EventDecision(actor="extractor", reason=reason, others=changes)
