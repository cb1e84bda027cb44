"""A golden dialogue on its way through the service: what goes in, what comes out. Pure.

What may not be stored is taken out, the session is cut into windows, chit-chat
is left out: all by the code that the services run.
"""

from collections.abc import Iterable, Iterator

from palimpsest.events.extraction_requests import build_extraction_requested
from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.change_set import MemoryChange
from palimpsest.model.memory import Memory
from palimpsest.model.turn import Turn, turn_id
from palimpsest.model.user import SharingPolicy, UserSettings
from palimpsest.model.window import WindowTrigger
from palimpsest_lab.extraction.extracted_items import ExtractedItem
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue
from palimpsest_language.redaction.redactor import redact
from palimpsest_language.vocabulary.chit_chat import is_chit_chat
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.extraction_windows import cut_windows, take_context_before
from palimpsest_server.domain.todos.settlement import report_completions
from palimpsest_server.domain.todos.todo_overlay import TodoOverlay
from palimpsest_server.domain.todos.todo_projection import project_todo

SESSION = "dialogue"


def cut_dialogue_windows(
    dialogue: GoldenDialogue, *, rounds: int, context_messages: int
) -> Iterator[ExtractionRequested]:
    """The windows that its session is cut into, as they are sent to the extractor.

    So many rounds make one, and so many earlier messages go along with it.
    """
    turns = _turns(dialogue)
    settings = UserSettings(
        time_zone=dialogue.time_zone, sharing_policy=SharingPolicy(dialogue.sharing_policy)
    )
    for window, fresh in cut_windows(turns, rounds=rounds, closing=WindowTrigger.SESSION_END):
        if is_chit_chat(fresh):
            continue
        earlier = [turn for turn in turns if (turn.sequence or 0) < window.first_sequence]
        yield build_extraction_requested(
            window,
            fresh=fresh,
            context=take_context_before(earlier, messages=context_messages, fresh=fresh),
            participants=dialogue.participants,
            project_id=dialogue.project_id,
            settings=settings,
        )


def collect_extracted_items(
    dialogue: GoldenDialogue, proposed: Iterable[CandidatesProposed]
) -> list[ExtractedItem]:
    """Collect proposals in plain terms, with the times of todos, and completions."""
    todos = TodoOverlay()
    done: set[str] = set()
    memories: dict[str, Memory] = {}
    for event in proposed:
        now = event.received_at or event.occurred_at
        coming = [
            MemoryChange(after=build_memory(candidate, received_at=now, epoch=event.epoch or 0))
            for candidate in event.candidates
        ]
        memories |= {change.after.id: change.after for change in coming}
        todos.hear(
            report_completions(event.completions, event.scope, epoch=event.epoch or 0, now=now)
        )
        settled = todos.settled(
            event.user_id, coming=coming, memory_of=memories.get, time_zone=dialogue.time_zone
        )
        done.update(settled.done)
        todos.following(coming, time_zone=dialogue.time_zone, now=now)
    return [_found(memory, dialogue, completed=memory.id in done) for memory in memories.values()]


def _turns(dialogue: GoldenDialogue) -> list[Turn]:
    return [
        Turn(
            id=turn_id(dialogue.id, SESSION, message.message_id),
            event_id=message.message_id,
            user_id=dialogue.id,
            agent_id=message.agent_id,
            project_id=dialogue.project_id,
            session_id=SESSION,
            message_id=message.message_id,
            role=message.role,
            speaker=message.speaker,
            text=redact(message.text).text,
            occurred_at=message.at,
            received_at=message.at,
            epoch=0,
            sequence=sequence,
        )
        for sequence, message in enumerate(dialogue.messages, start=1)
    ]


def _found(memory: Memory, dialogue: GoldenDialogue, *, completed: bool) -> ExtractedItem:
    todo = project_todo(
        MemoryChange(after=memory), None, time_zone=dialogue.time_zone, now=memory.recorded_at
    )
    return ExtractedItem(
        kind=memory.kind,
        content=memory.content,
        subject=memory.subject,
        attribute=memory.attribute,
        value=memory.value,
        ended=memory.ended,
        data=memory.data,
        occurred_at=memory.occurred_at,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        agent_id=memory.scope.agent_id,
        project_id=memory.scope.project_id,
        message_ids=tuple(
            evidence.message_id for evidence in memory.evidence if evidence.message_id
        ),
        due_at=todo.due_at if todo else None,
        remind_at=todo.remind_at if todo else None,
        completed=completed,
    )
