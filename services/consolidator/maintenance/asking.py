"""The question that a run of maintenance has for a model: what do these memories show?"""

from palimpsest.contracts.envelope import derived_event_id
from palimpsest.contracts.maintenance import RunMaintenance
from palimpsest.contracts.questions import MemoryShown, ReflectionRequested
from palimpsest.contracts.texts import MemoryText
from palimpsest.domain.compression.distillate import common_language
from palimpsest.domain.identifiers import derive
from palimpsest.domain.memory import Memory
from palimpsest.domain.reflection.asking import Shown, words_shown
from palimpsest.domain.user import UserSettings


def reflection_requested(
    run: RunMaintenance, shown: Shown, settings: UserSettings
) -> ReflectionRequested:
    """The same question whenever the same is shown, so that it is answered once."""
    scope = shown.scope
    named = (f"{memory.id} {memory.version}" for memory in shown.memories)
    question_id = derive("reflection_request", scope.user_id, *named)
    return ReflectionRequested(
        event_id=derived_event_id("ReflectionRequested", scope.user_id, question_id),
        occurred_at=run.occurred_at,
        received_at=run.received_at,
        epoch=run.epoch,
        user_id=scope.user_id,
        agent_id=scope.agent_id,
        project_id=scope.project_id,
        trace=run.trace,
        question_id=question_id,
        memories=tuple(
            MemoryShown(
                memory_id=memory.id,
                version=memory.version,
                text=words_shown(memory),
                kind=memory.kind,
                occurred_at=memory.occurred_at,
            )
            for memory in shown.memories
        ),
        standing=tuple(_text(memory) for memory in shown.standing),
        through=shown.through,
        language=settings.language or common_language(shown.memories),
        time_zone=settings.time_zone,
    )


def _text(memory: Memory) -> MemoryText:
    return MemoryText(memory_id=memory.id, version=memory.version, text=words_shown(memory))
