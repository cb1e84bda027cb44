"""The question for a user's next profile: the current text, and everything to include. No I/O."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain

from palimpsest.events.envelope import derive_event_id
from palimpsest.events.extractor_requests import ProfileFact, ProfileRequested, ReplacedStatement
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory, Status
from palimpsest.model.profile import BASIC, Profile
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo, TodoState
from palimpsest.model.user import Language, UserState
from palimpsest_language.attributes.attribute_names import canonical_attribute, canonical_subject
from palimpsest_server.domain.context.format_phrases import OVERDUE_MARKS
from palimpsest_server.domain.memory_dates import write_memory_dates, write_todo_dates
from palimpsest_server.domain.todos.due_time import is_overdue
from palimpsest_server.stores.profiles import ProfileNeed

FACTS, SUMMARIES, CHANGES, TODOS = 60, 20, 5, 10
RECENTLY_DONE_PERIOD = timedelta(days=14)

_NEVER = datetime.fromtimestamp(0, tz=UTC)


def build_profile_request(
    need: ProfileNeed,
    standing: Profile | None,
    *,
    summaries: Sequence[SessionSummary],
    memories: Sequence[Memory],
    todos: Sequence[Todo],
    state: UserState,
    now: datetime,
) -> ProfileRequested:
    """Build the question for the next profile: the current text, and everything to include."""
    holds = [
        memory for memory in memories if memory.status is Status.ACTIVE and memory.valid_at(now)
    ]
    facts = sorted(
        (memory for memory in holds if memory.kind.properties.profile_part is not None),
        key=lambda memory: (-memory.importance, memory.id),
    )[:FACTS]
    version = standing.version if standing else 0
    told = standing if standing is not None and standing.isolated else None
    place = () if need.agent_id is None else (need.agent_id,)
    question_id = derive_id(
        "profile_request", need.user_id, *place, str(state.epoch), str(version), str(need.revision)
    )
    contents = [*(fact.content for fact in facts), *(todo.content for todo in todos)]
    zone = state.settings.time_zone
    return ProfileRequested(
        event_id=derive_event_id("ProfileRequested", need.user_id, question_id),
        occurred_at=now,
        received_at=now,
        epoch=state.epoch,
        user_id=need.user_id,
        agent_id=need.agent_id,
        question_id=question_id,
        isolated=True,
        version=version,
        revision=need.revision,
        narrative=told.narrative if told else "",
        basic_info=_basic(holds),
        summaries=tuple(summaries),
        facts=tuple(
            ProfileFact(kind=fact.kind, content=write_memory_dates(fact, zone)) for fact in facts
        ),
        changes=tuple(_changes(memories, zone)),
        open_todos=tuple(
            _write_open_todo(todo, zone, now) for todo in todos if todo.state is TodoState.OPEN
        )[:TODOS],
        done_todos=tuple(
            write_todo_dates(todo, zone) for todo in todos if _is_done_lately(todo, now)
        )[:TODOS],
        known_names=tuple(dict.fromkeys(chain.from_iterable(memory.entities for memory in holds))),
        unchecked=need.unchecked_revision > (told.revision if told else 0),
        last_summary_id=summaries[-1].id if summaries else _last(standing),
        summaries_through=max(
            (summary.made_at for summary in summaries), default=find_included_summary_time(standing)
        ),
        language=_language(state, standing, contents, summaries),
    )


def find_included_summary_time(standing: Profile | None) -> datetime:
    """Return the time of the last summary that the profile includes."""
    return _NEVER if standing is None else standing.summaries_through


def _last(standing: Profile | None) -> str | None:
    return None if standing is None else standing.last_summary_id


def _basic(memories: Iterable[Memory]) -> dict[str, str]:
    """Return the user's single-valued attributes that hold now, by name."""
    found = {
        canonical_attribute(memory.attribute): memory.value
        for memory in sorted(memories, key=lambda one: one.valid_from)
        if memory.attribute
        and memory.value
        and canonical_subject(memory.subject) == canonical_subject(None)
    }
    return {name: found[name] for name in BASIC if name in found}


def _write_open_todo(todo: Todo, time_zone: str, now: datetime) -> str:
    content = write_todo_dates(todo, time_zone)
    if not is_overdue(todo, time_zone=time_zone, now=now):
        return content
    return content.rstrip("。.") + OVERDUE_MARKS[detect_language(content)]


def _changes(memories: Sequence[Memory], time_zone: str) -> Iterator[ReplacedStatement]:
    """Yield the latest replaced statements, each with its replacement, latest first."""
    by_id = {memory.id: memory for memory in memories}
    over = sorted(
        (
            memory
            for memory in memories
            if memory.status is Status.SUPERSEDED and memory.valid_until
        ),
        key=lambda memory: memory.valid_until or _NEVER,
        reverse=True,
    )
    for one in over[:CHANGES]:
        now = by_id.get(one.superseded_by or "")
        if now is not None and now.status is Status.ACTIVE:
            yield ReplacedStatement(
                before=write_memory_dates(one, time_zone), after=write_memory_dates(now, time_zone)
            )


def _is_done_lately(todo: Todo, now: datetime) -> bool:
    at = todo.completed_at
    return todo.state is TodoState.DONE and at is not None and now - at <= RECENTLY_DONE_PERIOD


def _language(
    state: UserState,
    standing: Profile | None,
    contents: Sequence[str],
    summaries: Sequence[SessionSummary],
) -> Language:
    if state.settings.language is not None:
        return state.settings.language
    said = "\n".join([*contents, *(summary.text for summary in summaries)])
    if not said and standing is not None:
        return standing.language
    return detect_language(said)
