"""The fields of documents and events that hold content, which are encrypted if content is encrypted."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from palimpsest.model.memory import WORD_RULES

CONTENT_FIELDS = frozenset(
    {
        *WORD_RULES,
        *(
            "text",
            "quote",
            "status_reason",
            "reason",
            "speaker",
            "caption",
            "alt",
            "images",
            "url",
            "topic",
            "participants",
        ),
        *("topics", "key_facts", "user_intent", "emotional_tone", "unresolved", "narrative"),
        *("open_todos", "done_todos", "known_names", "before", "after", "about", "answering"),
        *("written", "query", "context", "workflow", "error", "body", "event", "personality"),
        *("system_prompt", "running_summary", "block", "words", "entity"),
        # A webhook's secret: whoever has it could send in our name.
        "secret",
    }
)
"""Fields with words of people. In fields of mixed types only the texts are encrypted. The fields of a
memory are read from its model."""

WHOLLY_ENCRYPTED_FIELDS = frozenset({"data", "basic_info", "entity_kinds"})
"""Fields whose keys are people's words too."""

PLACEHOLDER_VALUES = frozenset({"", "erased", "[erased]"})

_NOT_LOOKED_INTO = frozenset({"vectors", "_id"})


class ContentOwner(NamedTuple):
    """The user whose content it is, and the epoch; None if unknown."""

    user_id: str | None = None
    epoch: int | None = None


NO_OWNER = ContentOwner()

EncryptValue = Callable[[ContentOwner, Any], Any]


def encrypt_fields(
    value: Any, seal: EncryptValue, owner: ContentOwner = NO_OWNER, *, plain: frozenset[str]
) -> Any:
    """Return the value with all content replaced by `seal`, with its nearest owner.

    `plain` names fields that hold no content here, although they do elsewhere.
    """
    if not isinstance(value, Mapping):
        return value
    own = find_content_owner(value, owner)
    return {
        name: _sealed_field(name.rpartition(".")[2], each, seal, own, plain)
        for name, each in value.items()
    }


def _sealed_field(
    name: str, value: Any, seal: EncryptValue, owner: ContentOwner, plain: frozenset[str]
) -> Any:
    if name in _NOT_LOOKED_INTO:
        return value
    if name in WHOLLY_ENCRYPTED_FIELDS and value:
        return seal(owner, value)
    if isinstance(value, Mapping):
        return encrypt_fields(value, seal, owner, plain=plain)
    if isinstance(value, list | tuple):
        return [_sealed_field(name, each, seal, owner, plain) for each in value]
    says = isinstance(value, str) and name in CONTENT_FIELDS and name not in plain
    return seal(owner, value) if says and value not in PLACEHOLDER_VALUES else value


def find_content_owner(document: Mapping[str, Any], owner: ContentOwner = NO_OWNER) -> ContentOwner:
    """Return the owner of a document's content; missing parts are taken from what contains it."""
    places = (document, document.get("scope"), document.get("namespace"))
    user_id = next(
        (
            place["user_id"]
            for place in places
            if isinstance(place, Mapping) and isinstance(place.get("user_id"), str)
        ),
        None,
    )
    epoch = document.get("epoch")
    if not isinstance(epoch, int):
        epoch = owner.epoch if user_id in (None, owner.user_id) else None
    return ContentOwner(user_id or owner.user_id, epoch)


def decrypt_fields(
    value: Any, is_sealed: Callable[[Any], bool], open_: Callable[[Any], Any]
) -> Any:
    """Return the value with everything sealed replaced by `open_`."""
    if is_sealed(value):
        return open_(value)
    if isinstance(value, Mapping):
        return {name: decrypt_fields(each, is_sealed, open_) for name, each in value.items()}
    if isinstance(value, list):
        return [decrypt_fields(each, is_sealed, open_) for each in value]
    return value
