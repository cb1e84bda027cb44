"""What a model says of memories that stand: proposals, taken up where what they speak of stands."""

from palimpsest.contracts.answers import JudgementProposed, ProfileProposed, ReflectionsProposed
from palimpsest.domain.evolution.judging import resolve
from palimpsest.domain.reflection.proposed import taken_up
from services.consolidator.bringing import check_vectors, vectors_of_texts
from services.consolidator.profiles import described
from services.consolidator.rulings.ruling import Grounds, Ruling


def on_judgement(event: JudgementProposed, grounds: Grounds) -> Ruling:
    check_vectors(event, len(event.texts()), grounds.model)
    outcome = resolve(grounds.known, event.judgement)
    return Ruling(
        actor="extractor",
        reason=outcome.value,
        outcomes=(outcome,),
        vectors=vectors_of_texts(event),
    )


def on_reflections(event: ReflectionsProposed, grounds: Grounds) -> Ruling:
    check_vectors(event, len(event.texts()), grounds.model)
    outcomes = [
        taken_up(
            grounds.known,
            found,
            scope=event.scope,
            received_at=event.received_at or event.occurred_at,
            epoch=event.epoch or 0,
        )
        for found in event.reflections
    ]
    words = ", ".join(dict.fromkeys(outcome.value for outcome in outcomes))
    return Ruling(
        actor="extractor",
        reason=f"reflection: {words or 'nothing found'}",
        outcomes=outcomes,
        vectors=vectors_of_texts(event),
    )


def on_profile(event: ProfileProposed, grounds: Grounds) -> Ruling:
    changes = described(grounds.known.profiles, event)
    for change in changes:
        grounds.known.profiles[event.user_id] = change.after
    reason = "a profile was written" if changes else "the profile has changed since"
    return Ruling(actor="extractor", reason=reason, others=changes)
