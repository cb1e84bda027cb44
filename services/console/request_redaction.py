"""Redact secrets in what people wrote, before it is stored or sent anywhere."""

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from palimpsest.model.errors import NotStorable
from palimpsest.model.memory import WORD_RULES
from palimpsest_language.redaction.policy import PrivacyPolicy, SecretKind
from palimpsest_language.redaction.redactor import redact

RequestT = TypeVar("RequestT", bound=BaseModel)

_SAYING = frozenset({*WORD_RULES, "quote", "status_reason", "data"})
"""Fields of a memory, of its evidence and of its todo that hold words."""

_NO_TEXT = frozenset({"memory_ids", "kind", "source", "data", "record_key"})
"""Fields without free text: ids and fixed words. `data` has rules of its own."""


def redact_records(records: Sequence[RequestT], privacy: PrivacyPolicy) -> tuple[RequestT, ...]:
    """Return records of an export without secrets in their words; ids and dates stay.

    Raises:
        NotStorable: one says what the policy has it refused for.
    """
    kinds: list[SecretKind] = []

    def clean(part: Any, *, says: bool) -> Any:
        match part:
            case str() if says:
                redacted = redact(part, privacy)
                kinds.extend(finding.kind for finding in redacted.findings)
                return redacted.text
            case list():
                return [clean(each, says=says) for each in part]
            case dict():
                return {
                    name: clean(each, says=says or name in _SAYING) for name, each in part.items()
                }
            case _:
                return part

    found = tuple(
        type(record).model_validate(clean(record.model_dump(mode="json"), says=False))
        for record in records
    )
    if refused := sorted(privacy.blocked.intersection(kinds)):
        raise NotStorable(f"holds what may not be stored: {', '.join(refused)}")
    return found


def redact_request(request: RequestT, privacy: PrivacyPolicy) -> RequestT:
    """Return the request without secrets; fields that were not set stay unset.

    Raises:
        NotStorable: names the kinds of secrets that the policy refuses.
    """
    kinds: list[SecretKind] = []

    def clean(part: Any) -> Any:
        match part:
            case str():
                redacted = redact(part, privacy)
                kinds.extend(finding.kind for finding in redacted.findings)
                return redacted.text
            case tuple() | list():
                return type(part)(clean(each) for each in part)
            case dict():
                return {clean(name): clean(each) for name, each in part.items()}
            case _:
                return part

    said = {name: getattr(request, name) for name in request.model_fields_set}
    texts = {name: clean(value) for name, value in said.items() if name not in _NO_TEXT}
    if "data" in said:
        texts["data"] = clean(said["data"])
    if refused := sorted(privacy.blocked.intersection(kinds)):
        raise NotStorable(f"holds what may not be stored: {', '.join(refused)}")
    return request.model_copy(update=texts)
