"""Ids, records and events of memories in the shapes of mem0."""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import md5
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, urlencode

from palimpsest.api.resources import MemoryDetail, MemoryRevision
from palimpsest.model.change_set import ChangeSet, MemoryChange
from palimpsest.model.memory import Memory, Status

OWN_SESSION = "mem0-"
"""The prefix of sessions that belong to no run of the program."""

_OWNERS = ("user_id", "agent_id", "run_id")


class Mem0Owner(NamedTuple):
    """The user and agent that memories belong to, and the run that they came from."""

    user_id: str
    agent_id: str | None
    run_id: str | None

    @classmethod
    def find(cls, ids: Mapping[str, Any]) -> Self:
        """Return the named owner; an agent or a run without a user is a user of its own.

        Raises:
            ValueError: none of the three is given.
        """
        user, agent, run = (ids.get(name) for name in _OWNERS)
        if not (user or agent or run):
            raise ValueError("at least one of user_id, agent_id and run_id is needed")
        return cls(user or (f"agent:{agent}" if agent else f"run:{run}"), agent, run)

    @property
    def scope(self) -> dict[str, Any]:
        return {"user_id": self.user_id, "agent_id": self.agent_id}


def split_filters(
    filters: Mapping[str, Any] | None, ids: Mapping[str, Any]
) -> tuple[Mem0Owner, dict[str, Any]]:
    """Return the owner, named in `filters` or beside them, and the values required of metadata.

    Raises:
        ValueError: a filter is not a plain value; operators are not supported.
    """
    named = {**(filters or {}), **{name: value for name, value in ids.items() if value}}
    wanted = {name: value for name, value in named.items() if name not in _OWNERS}
    for name, value in wanted.items():
        if isinstance(value, (dict, list)):
            raise ValueError(  # noqa: TRY004 - as mem0 does
                f"the filter {name!r} is no plain value: metadata is compared as it is"
            )
    return Mem0Owner.find(named), wanted


def write_id(memory: Memory) -> str:
    """Build an id that includes the memory's owner, because mem0's calls name no other."""
    scope = memory.scope
    whose = {"user_id": scope.user_id, "agent_id": scope.agent_id, "id": memory.id}
    return urlencode({name: value for name, value in whose.items() if value is not None})


def read_id(written: str) -> tuple[str, dict[str, Any]]:
    """Return the memory's own id and the scope that it is looked for in.

    Raises:
        ValueError: the id is none of those that `write_id` made.
    """
    fields = {name: values[0] for name, values in parse_qs(written).items()}
    if not {"id", "user_id"} <= fields.keys():
        raise ValueError(f"{written!r} is no id of a memory")
    return fields.pop("id"), fields


def read_messages(
    messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return messages as dicts, without instructions to the model."""
    if isinstance(messages, str):
        messages = {"role": "user", "content": messages}
    listed = [messages] if isinstance(messages, Mapping) else messages
    return [dict(each) for each in listed if each.get("role") != "system"]


def belongs(memory: Memory, owner: Mem0Owner, wanted: Mapping[str, Any]) -> bool:
    """Tell whether a memory is of the named run and has the required metadata."""
    if owner.run_id and owner.run_id not in _runs(memory):
        return False
    return all(
        name in memory.data and value in (memory.data[name], "*") for name, value in wanted.items()
    )


def _runs(memory: Memory) -> list[str]:
    sessions = [memory.data.get("run_id"), *(evidence.session_id for evidence in memory.evidence)]
    return [session for session in sessions if session and not session.startswith(OWN_SESSION)]


def write_item(
    memory: Memory, *, score: float | None = None, updated_at: str | None = None
) -> dict[str, Any]:
    """Return a memory as `get`, `get_all` and `search` give it."""
    item: dict[str, Any] = {
        "id": write_id(memory),
        "memory": memory.content,
        "hash": md5(memory.content.encode(), usedforsecurity=False).hexdigest(),
        "metadata": {name: value for name, value in memory.data.items() if name != "run_id"}
        or None,
        "created_at": memory.recorded_at.isoformat(),
        "updated_at": updated_at,
        "user_id": memory.scope.user_id,
    }
    if memory.scope.agent_id:
        item["agent_id"] = memory.scope.agent_id
    if runs := _runs(memory):
        item["run_id"] = runs[0]
    return item if score is None else {**item, "score": score}


def write_detail(detail: MemoryDetail, score: float | None = None) -> dict[str, Any]:
    """Return a memory with the time of its latest change, if there were several."""
    changed = detail.history[0].decided_at.isoformat() if len(detail.history) > 1 else None
    return write_item(detail.memory, score=score, updated_at=changed)


def write_events(changes: Iterable[ChangeSet]) -> list[tuple[Memory, dict[str, Any]]]:
    """Return each memory that was added, reworded or removed, with its event."""
    told = []
    for change in (
        memory_change for change_set in changes for memory_change in change_set.memory_changes
    ):
        if event := _name_event(change):
            result = {"id": write_id(change.after), "memory": change.after.content, "event": event}
            if event == "UPDATE" and change.before:
                result["previous_memory"] = change.before.content
            told.append((change.after, result))
    return told


def _name_event(change: MemoryChange | MemoryRevision) -> str | None:
    held = change.before is not None and change.before.status is Status.ACTIVE
    if change.after.status is not Status.ACTIVE:
        return "DELETE" if held else None
    if not held:
        return "ADD"
    return "UPDATE" if change.before and change.before.content != change.after.content else None


def write_history(written: str, detail: MemoryDetail) -> list[dict[str, Any]]:
    """Return the events of one memory, oldest first."""
    return [
        {
            "id": revision.change_set_id,
            "memory_id": written,
            "old_memory": revision.before.content if revision.before else None,
            "new_memory": None if event == "DELETE" else revision.after.content,
            "event": event,
            "created_at": detail.memory.recorded_at.isoformat(),
            "updated_at": revision.decided_at.isoformat(),
            "is_deleted": event == "DELETE",
        }
        for revision in reversed(detail.history)
        if (event := _name_event(revision))
    ]
