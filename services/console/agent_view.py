"""Change sets as one agent sees them: the memories of the user layer and its own, and nothing else."""

from palimpsest.model.change_set import ChangeSet


def is_seen(owner: str | None, agent_id: str | None) -> bool:
    """Return whether an agent sees what belongs to this agent or to none; no agent sees all."""
    return agent_id is None or owner in (None, agent_id)


def is_seen_by_agent(change_set: ChangeSet, agent_id: str | None) -> bool:
    """Return whether an agent sees any memory of a change set; without an agent all are seen."""
    return agent_id is None or any(
        change.after.scope.agent_id in (None, agent_id) for change in change_set.memory_changes
    )


def restrict_to_agent(change_set: ChangeSet, agent_id: str | None) -> ChangeSet:
    """Return the change set with the memories that an agent sees and nothing else."""
    if agent_id is None:
        return change_set
    seen = tuple(
        change
        for change in change_set.memory_changes
        if change.after.scope.agent_id in (None, agent_id)
    )
    return change_set.model_copy(update={"changes": seen})


def is_whole_for_agent(change_set: ChangeSet, agent_id: str | None) -> bool:
    """Return whether a change set changed nothing but memories that an agent sees."""
    return agent_id is None or (
        is_seen_by_agent(change_set, agent_id)
        and len(restrict_to_agent(change_set, agent_id).changes) == len(change_set.memory_changes)
    )
