"""A golden dialogue on its way through the service: what goes in, what comes out. Pure.

What may not be stored is taken out, the session is cut into windows, chit-chat
is left out: all by the code that the services run.
"""

from collections.abc import Iterable, Iterator

from palimpsest.bench.extraction_dialogues import Dialogue
from palimpsest.bench.extraction_found import Found
from palimpsest.contracts.answers import CandidatesProposed
from palimpsest.contracts.questions import ExtractionRequested
from palimpsest.contracts.windows import extraction_requested
from palimpsest.domain.change_set import MemoryChange
from palimpsest.domain.chit_chat import is_chit_chat
from palimpsest.domain.evolution.deciding import statement
from palimpsest.domain.memory import Memory
from palimpsest.domain.privacy.redaction import redact
from palimpsest.domain.todos.book import TodoBook
from palimpsest.domain.todos.following import todo_after
from palimpsest.domain.todos.settling import said_done
from palimpsest.domain.turn import Turn, turn_id
from palimpsest.domain.user import SharingPolicy, UserSettings
from palimpsest.domain.windows import context_before, cut
from palimpsest.model.window import Trigger

SESSION = "dialogue"


def windows_of(
    dialogue: Dialogue, *, rounds: int, context_messages: int
) -> Iterator[ExtractionRequested]:
    """The windows that its session is cut into, as they are sent to the extractor.

    So many rounds make one, and so many earlier messages go along with it.
    """
    turns = _turns(dialogue)
    settings = UserSettings(
        time_zone=dialogue.time_zone, sharing_policy=SharingPolicy(dialogue.sharing_policy)
    )
    for window, fresh in cut(turns, rounds=rounds, closing=Trigger.SESSION_END):
        if is_chit_chat(fresh):
            continue
        earlier = [turn for turn in turns if (turn.sequence or 0) < window.first_sequence]
        yield extraction_requested(
            window,
            fresh=fresh,
            context=context_before(earlier, messages=context_messages),
            participants=dialogue.participants,
            project_id=dialogue.project_id,
            settings=settings,
        )


def found_in(dialogue: Dialogue, proposed: Iterable[CandidatesProposed]) -> list[Found]:
    """What was proposed, in plain terms; what is to be done with its times, and struck off."""
    todos = TodoBook()
    done: set[str] = set()
    memories: dict[str, Memory] = {}
    for event in proposed:
        now = event.received_at or event.occurred_at
        coming = [
            MemoryChange(after=statement(each, received_at=now, epoch=event.epoch or 0))
            for each in event.candidates
        ]
        memories |= {change.after.id: change.after for change in coming}
        todos.hear(said_done(event.completions, event.scope, epoch=event.epoch or 0, now=now))
        settled = todos.settled(
            event.user_id, coming=coming, memory_of=memories.get, time_zone=dialogue.time_zone
        )
        done.update(settled.done)
        todos.following(coming, time_zone=dialogue.time_zone, now=now)
    return [_found(memory, dialogue, completed=memory.id in done) for memory in memories.values()]


def _turns(dialogue: Dialogue) -> list[Turn]:
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


def _found(memory: Memory, dialogue: Dialogue, *, completed: bool) -> Found:
    todo = todo_after(
        MemoryChange(after=memory), None, time_zone=dialogue.time_zone, now=memory.recorded_at
    )
    return Found(
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
        message_ids=tuple(each.message_id for each in memory.evidence if each.message_id),
        due_at=todo.due_at if todo else None,
        remind_at=todo.remind_at if todo else None,
        completed=completed,
    )
