"""Contents of an event for its change set: its candidates and the vectors of its texts."""

from collections.abc import Mapping

from palimpsest.events.commands import ImportMemories
from palimpsest.events.conversations import RememberRequested, SummaryPublished
from palimpsest.events.embeddable_event import VectorCarrier
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import (
    CandidatesProposed,
    JudgementProposed,
    ReflectionsProposed,
    SummaryProposed,
)
from palimpsest.events.maintenance import MemoryDistilled
from palimpsest.events.skills import SkillRun
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.errors import EmbeddingModelMismatch, InvalidEvent
from palimpsest.model.memory import Candidate
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation.imported_memories import build_import_candidate
from palimpsest_server.embedders.embedded_texts import texts_of
from services.consolidator.commands.execute_commands import collect_command_vectors
from services.consolidator.remember_requests import build_requested_candidate
from services.consolidator.skill_candidates import build_skill_run_candidate
from services.consolidator.summary_changes import build_event_summary


def collect_candidates(event: Event, settings: UserSettings) -> tuple[Candidate, ...]:
    """Return the candidates of an event, so that the memories they concern can be read first."""
    match event:
        case RememberRequested():
            policy, zone = settings.sharing_policy, settings.time_zone
            return (build_requested_candidate(event, policy, time_zone=zone),)
        case SkillRun():
            return (build_skill_run_candidate(event, settings.sharing_policy),)
        case CandidatesProposed() | SummaryProposed():
            return event.candidates
        case MemoryDistilled():
            return (event.made.candidate,)
        case ImportMemories():
            return tuple(
                build_import_candidate(imported.memory, event.user_id)
                for imported in event.memories
            )
        case _:
            return ()


def collect_event_vectors(
    event: Event, settings: UserSettings, model: str | None
) -> Mapping[str, TextVectors]:
    """Return the vectors that an event brings, by embedded text.

    Raises:
        InvalidEvent: it speaks of another user, or came without its vectors.
        EmbeddingModelMismatch: its vectors are of another model.
    """
    if isinstance(event, JudgementProposed | ReflectionsProposed | SkillRun):
        return pair_texts_with_vectors(event)
    if not isinstance(
        event,
        RememberRequested
        | CandidatesProposed
        | SummaryProposed
        | SummaryPublished
        | MemoryDistilled,
    ):
        return collect_command_vectors(event)
    return pair_candidates_with_vectors(event, collect_candidates(event, settings), model)


def pair_texts_with_vectors(event: VectorCarrier) -> dict[str, TextVectors]:
    texts = (text.dense for text in texts_of(event))
    return dict(zip(texts, event.vectors, strict=False))


def select_change_set_vectors(
    change_set: ChangeSet, vectors: Mapping[str, TextVectors]
) -> Mapping[str, TextVectors]:
    """Return vectors by record id, for the records that are new or reworded in the change set."""
    texts = {
        change.after.id: change.after.embedded_text
        for change in change_set.memory_changes
        if change.before is None or change.reworded
    }
    texts |= {change.after.id: change.after.embedded_text for change in change_set.summary_changes}
    return {identity: vectors[text] for identity, text in texts.items() if text in vectors}


def check_vectors(event: VectorCarrier, count: int, model: str | None) -> None:
    """Check that the event brings one vector for each text; with `model` None, of any model.

    Raises:
        InvalidEvent: it brings more or fewer vectors.
        EmbeddingModelMismatch: the vectors are of another model.
    """
    if len(event.vectors) != count:
        raise InvalidEvent(f"{len(event.vectors)} vectors came for {count} texts")
    for vectors in event.vectors:
        if model is not None and vectors.model != model:
            raise EmbeddingModelMismatch(f"vectors of {vectors.model} came where {model} is used")


def pair_candidates_with_vectors(
    event: VectorCarrier, candidates: tuple[Candidate, ...], model: str | None
) -> dict[str, TextVectors]:
    summary = build_event_summary(event)
    own = [] if summary is None or summary.failed else [summary.embedded_text]
    check_vectors(event, len(own) + len(candidates), model)
    for candidate in candidates:
        if candidate.scope.user_id != event.user_id:
            raise InvalidEvent("a candidate belongs to another user than its event")
    texts = [*own, *(candidate.embedded_text for candidate in candidates)]
    return dict(zip(texts, event.vectors, strict=True))
