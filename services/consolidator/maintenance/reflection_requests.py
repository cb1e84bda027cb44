"""Build the questions of a maintenance run for a model: what memories show, and how to say them."""

from collections.abc import Sequence
from typing import Any

from palimpsest.events.embeddable_event import MemoryText
from palimpsest.events.envelope import derive_event_id
from palimpsest.events.extractor_requests import ReflectionMemory, ReflectionRequested
from palimpsest.events.maintenance import RunMaintenance
from palimpsest.model.distillate import Distillate
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.compression.distillation import common_language
from palimpsest_server.domain.reflection.model_input import ReflectionInput, shorten_content


def build_reflection_request(
    run: RunMaintenance, shown: ReflectionInput, settings: UserSettings
) -> ReflectionRequested:
    """Build the question. Its id is derived from the memories, so the same question is answered once."""
    named = (f"{memory.id} {memory.version}" for memory in shown.memories)
    return _build_request(
        run,
        settings,
        shown.scope,
        derive_id("reflection_request", shown.scope.user_id, *named),
        shown.memories,
        standing=tuple(_text(memory) for memory in shown.standing),
        through=shown.through,
    )


def build_wording_request(
    run: RunMaintenance, made: Distillate, memories: Sequence[Memory], settings: UserSettings
) -> ReflectionRequested:
    """Ask for the words of a memory that takes the place of these; the same for the same memories."""
    return _build_request(
        run,
        settings,
        made.candidate.scope,
        derive_id("wording_request", made.candidate.id),
        memories,
        through=max(memory.recorded_at for memory in memories),
        distillate=made,
    )


def _build_request(
    run: RunMaintenance,
    settings: UserSettings,
    scope: Scope,
    question_id: str,
    memories: Sequence[Memory],
    **asked: Any,
) -> ReflectionRequested:
    return ReflectionRequested(
        event_id=derive_event_id("ReflectionRequested", scope.user_id, question_id),
        occurred_at=run.occurred_at,
        received_at=run.received_at,
        epoch=run.epoch,
        user_id=scope.user_id,
        agent_id=scope.agent_id,
        project_id=scope.project_id,
        trace=run.trace,
        question_id=question_id,
        memories=tuple(map(_reflection_memory, memories)),
        language=settings.language or common_language(memories),
        time_zone=settings.time_zone,
        **asked,
    )


def _reflection_memory(memory: Memory) -> ReflectionMemory:
    return ReflectionMemory(
        memory_id=memory.id,
        version=memory.version,
        text=shorten_content(memory),
        kind=memory.kind,
        occurred_at=memory.occurred_at,
    )


def _text(memory: Memory) -> MemoryText:
    return MemoryText(memory_id=memory.id, version=memory.version, text=shorten_content(memory))
