"""What was asked to be remembered, or proposed to be: candidates are taken in one by one."""

from palimpsest.contracts.answers import CandidatesProposed, QuestionAnswered, SummaryProposed
from palimpsest.contracts.conversations import RememberRequested, SummaryPublished
from palimpsest.contracts.maintenance import MemoryDistilled
from palimpsest.contracts.texts import VectorCarrier
from palimpsest.domain.change_set import Change
from palimpsest.domain.compression.accepting import accepted
from palimpsest.domain.evolution.deciding import decide
from palimpsest.domain.evolution.reviewing import propose, waits
from palimpsest.domain.memory import Candidate
from palimpsest.domain.todos.doing import settle
from services.consolidator.bringing import vectors_of_candidates
from services.consolidator.completions import said_in
from services.consolidator.remembering import remembered
from services.consolidator.rulings.ruling import Grounds, Ruling
from services.consolidator.summaries import summary_of, summed_up


def on_request(event: RememberRequested, grounds: Grounds) -> Ruling:
    actor = "agent" if event.source.value == "skill" else "user"
    candidate = remembered(event, grounds.settings.sharing_policy)
    return _taken_in(event, (candidate,), grounds, actor=actor)


def on_candidates(event: CandidatesProposed, grounds: Grounds) -> Ruling:
    return _taken_in(event, event.candidates, grounds, actor="extractor")


def on_summary(event: SummaryProposed | SummaryPublished, grounds: Grounds) -> Ruling:
    changes = summed_up(grounds.known.summaries, summary_of(event), epoch=event.epoch or 0)
    facts = () if isinstance(event, SummaryPublished) else event.candidates
    what = "a session was summed up" if changes else "its summary stays as it is"
    actor = "extractor" if isinstance(event, SummaryProposed) else "chat service"
    return _taken_in(event, facts, grounds, actor=actor, what=what, others=changes)


def on_distillate(event: MemoryDistilled, grounds: Grounds) -> Ruling:
    vectors = vectors_of_candidates(event, (event.made.candidate,), grounds.model)
    outcome = accepted(
        grounds.known,
        event.made,
        received_at=event.received_at or event.occurred_at,
        epoch=event.epoch or 0,
    )
    return Ruling(
        actor=event.actor,
        reason=f"maintenance: {outcome.value}",
        outcomes=(outcome,),
        vectors=vectors,
    )


def _taken_in(
    event: VectorCarrier,
    candidates: tuple[Candidate, ...],
    grounds: Grounds,
    *,
    actor: str,
    what: str = "",
    others: tuple[Change, ...] = (),
) -> Ruling:
    vectors = vectors_of_candidates(event, candidates, grounds.model)
    extracted = isinstance(event, QuestionAnswered)
    outcomes = [
        (propose if extracted and waits(candidate, grounds.settings) else decide)(
            grounds.known,
            candidate,
            received_at=event.received_at or event.occurred_at,
            epoch=event.epoch or 0,
            position=position,
        )
        for position, candidate in enumerate(candidates)
    ]
    grounds.known.todos.hear(said_in(event, grounds.now))
    outcomes += settle(grounds.known, event.user_id, time_zone=grounds.settings.time_zone)
    words = [what] if what else []
    reason = ", ".join(dict.fromkeys([*words, *(outcome.value for outcome in outcomes)]))
    return Ruling(
        actor=actor,
        reason=reason or "nothing proposed",
        outcomes=outcomes,
        vectors=vectors,
        others=others,
    )
