"""Sharing policies: the layer of a memory, as a table by kind."""

from palimpsest.model.kind_properties import SharingLevel
from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Scope
from palimpsest.model.user import SharingPolicy
from palimpsest_language.attributes.attribute_names import is_personal_attribute


def resolve_shared_scope(
    policy: SharingPolicy,
    kind: Kind,
    *,
    about_user: bool,
    conversation: Scope,
    attribute: str | None = None,
    of_person: bool = False,
) -> Scope:
    """Return the scope of a memory from a conversation.

    Args:
        policy: the user's sharing policy.
        kind: of the memory.
        about_user: whether it is about the user themself, not about the work or others.
        conversation: the user, the agent the memory concerns (None: no agent took
            part), and the project the conversation belongs to.
        attribute: the attribute of its subject.
        of_person: whether its words are plainly of the person, whatever they work on.

    | policy | plainly about the person | about the user, in no project | said in a project | the rest |
    | --- | --- | --- | --- | --- |
    | layered | user | user | the agent's project | agent |
    | user_level | user | user | project without agent | user |

    Plainly about the person are preferences, attributes that a person keeps in any work, and what is
    told of the body or as an aside. Skills and feedback are about an agent's work in any project, and stay with the agent.
    """
    sharing = kind.properties.sharing
    personal = of_person or (attribute is not None and is_personal_attribute(attribute))
    if about_user and _reaches_user_layer(sharing, conversation, personal=personal):
        return Scope.model_construct(user_id=conversation.user_id)
    return Scope.model_construct(
        user_id=conversation.user_id,
        agent_id=conversation.agent_id if policy is SharingPolicy.LAYERED else None,
        project_id=None if sharing is SharingLevel.AGENT else conversation.project_id,
    )


def _reaches_user_layer(sharing: SharingLevel, conversation: Scope, *, personal: bool) -> bool:
    if sharing is SharingLevel.PERSON:
        return True
    return sharing is SharingLevel.USER and (personal or conversation.project_id is None)
