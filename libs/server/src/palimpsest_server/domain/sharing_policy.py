"""Sharing policies: the layer of a memory, as a table by kind."""

from palimpsest.model.kind_properties import SharingLevel
from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Scope
from palimpsest.model.user import SharingPolicy


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
    sharing = kind.properties.sharing
    if about_user and sharing is SharingLevel.USER:
        return Scope(user_id=conversation.user_id)
    return Scope(
        user_id=conversation.user_id,
        agent_id=conversation.agent_id if policy is SharingPolicy.LAYERED else None,
        project_id=conversation.project_id if sharing is SharingLevel.PROJECT else None,
    )
