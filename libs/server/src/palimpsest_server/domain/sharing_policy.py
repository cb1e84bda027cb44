"""Sharing policies: the layer of a memory, as a table by kind."""

from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Scope
from palimpsest.model.user import SharingPolicy

GENERAL_KINDS = frozenset({Kind.PREFERENCE, Kind.FACT, Kind.PERSON})
"""Where these speak of the user they hold whichever agent is asked."""

PROJECT_KINDS = frozenset({Kind.DECISION, Kind.CONCLUSION, Kind.LESSON, Kind.ACTION_ITEM})
"""These hold where they were made: in the project, when the conversation has one."""


def resolve_shared_scope(
    policy: SharingPolicy, kind: Kind, *, about_user: bool, conversation: Scope
) -> Scope:
    """Return the scope of a memory that came out of a conversation.

    Args:
        policy: what the user has settled.
        kind: of the memory.
        about_user: whether it speaks of the user themself, not of the work or of others.
        conversation: the user, the agent the memory concerns (None: no agent took
            part), and the project the conversation belongs to.

    | policy | general and about the user | bound to a project | the rest |
    | --- | --- | --- | --- |
    | layered | user | project, else agent | agent |
    | user_level | user | project without agent, else user | user |
    """
    if about_user and kind in GENERAL_KINDS:
        return Scope(user_id=conversation.user_id)
    return Scope(
        user_id=conversation.user_id,
        agent_id=conversation.agent_id if policy is SharingPolicy.LAYERED else None,
        project_id=conversation.project_id if kind in PROJECT_KINDS else None,
    )
