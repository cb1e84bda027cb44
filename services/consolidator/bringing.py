"""What an event brings for its change set: what it proposes, and the vectors of its texts."""

from collections.abc import Mapping

from palimpsest.contracts.answers import (
    CandidatesProposed,
    JudgementProposed,
    ReflectionsProposed,
    SummaryProposed,
)
from palimpsest.contracts.conversations import RememberRequested, SummaryPublished
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.maintenance import MemoryDistilled
from palimpsest.contracts.skills import SkillRun
from palimpsest.contracts.texts import VectorCarrier
from palimpsest.contracts.vectors import TextVectors
from palimpsest.domain.change_set import ChangeSet
from palimpsest.domain.errors import EmbeddingModelMismatch, InvalidEvent
from palimpsest.domain.memory import Candidate
from palimpsest.domain.user import UserSettings
from palimpsest.providers.embedded_texts import texts_of
from services.consolidator.commands.carrying_out import vectors_of
from services.consolidator.remembering import remembered
from services.consolidator.skills import skill_candidate
from services.consolidator.summaries import summary_of


def candidates_of(event: Event, settings: UserSettings) -> tuple[Candidate, ...]:
    """What the event proposes, so that what it may repeat or replace can be read before."""
    match event:
        case RememberRequested():
            return (remembered(event, settings.sharing_policy),)
        case SkillRun():
            return (skill_candidate(event, settings.sharing_policy),)
        case CandidatesProposed() | SummaryProposed():
            return event.candidates
        case MemoryDistilled():
            return (event.made.candidate,)
        case _:
            return ()


def vectors_by_text(
    event: Event, settings: UserSettings, model: str | None
) -> Mapping[str, TextVectors]:
    """The vectors that an event brings, by the text that they are of.

    Raises:
        InvalidEvent: it speaks of another user, or came without its vectors.
        EmbeddingModelMismatch: its vectors are of another model.
    """
    if isinstance(event, JudgementProposed | ReflectionsProposed | SkillRun):
        return vectors_of_texts(event)
    if not isinstance(
        event,
        RememberRequested
        | CandidatesProposed
        | SummaryProposed
        | SummaryPublished
        | MemoryDistilled,
    ):
        return vectors_of(event)
    return vectors_of_candidates(event, candidates_of(event, settings), model)


def vectors_of_texts(event: VectorCarrier) -> dict[str, TextVectors]:
    texts = (text.dense for text in texts_of(event))
    return dict(zip(texts, event.vectors, strict=False))


def vectors_for(
    change_set: ChangeSet, vectors: Mapping[str, TextVectors]
) -> Mapping[str, TextVectors]:
    """By memory id, those of what is new in the change set or says something new."""
    texts = {
        change.after.id: change.after.embedded_text
        for change in change_set.memory_changes
        if change.before is None or change.reworded
    }
    texts |= {change.after.id: change.after.embedded_text for change in change_set.summary_changes}
    return {identity: vectors[text] for identity, text in texts.items() if text in vectors}


def check_vectors(event: VectorCarrier, count: int, model: str | None) -> None:
    """Return when the event brings a vector for each of its texts; any model where None is asked.

    Raises:
        InvalidEvent: it brings more or fewer.
        EmbeddingModelMismatch: they are of another model.
    """
    if len(event.vectors) != count:
        raise InvalidEvent(f"{len(event.vectors)} vectors came for {count} texts")
    for vectors in event.vectors:
        if model is not None and vectors.model != model:
            raise EmbeddingModelMismatch(f"vectors of {vectors.model} came where {model} is used")


def vectors_of_candidates(
    event: VectorCarrier, candidates: tuple[Candidate, ...], model: str | None
) -> dict[str, TextVectors]:
    summary = summary_of(event)
    own = [] if summary is None or summary.failed else [summary.embedded_text]
    check_vectors(event, len(own) + len(candidates), model)
    for candidate in candidates:
        if candidate.scope.user_id != event.user_id:
            raise InvalidEvent("a candidate belongs to another user than its event")
    texts = [*own, *(candidate.embedded_text for candidate in candidates)]
    return dict(zip(texts, event.vectors, strict=True))
