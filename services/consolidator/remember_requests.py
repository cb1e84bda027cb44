"""Builds candidates of requests to remember; their author has confirmed them."""

import re
from typing import Any

from palimpsest.events.conversations import RememberRequested
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import KINDS
from palimpsest.model.memory import Candidate, Evidence, MemorySource
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from palimpsest.model.user import Language, SharingPolicy
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_first_time

SUMMARY_CHARACTERS = {Language.CHINESE: 50, Language.ENGLISH: 100}

_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SAID_BY = {
    MemorySource.USER_INPUT: Role.USER,
    MemorySource.FEEDBACK: Role.USER,
    MemorySource.SKILL: Role.AGENT,
}
_CONFIDENCE = 1.0
"""A request states a memory; nothing is guessed."""


def build_requested_candidate(
    event: RememberRequested, policy: SharingPolicy, *, time_zone: str
) -> Candidate:
    """Return the candidate of a request. Times in its words are resolved by the day of the request.

    Args:
        event: the request.
        policy: the sharing policy, which decides the scope; under a key of its own it stays as named.
        time_zone: the user's time zone; days begin by it.
    """
    language = detect_content_language(event.content)
    said_by = _SAID_BY.get(event.source)
    defaults, stands_alone = KINDS[event.kind], event.record_key is not None
    return Candidate(
        id=event.candidate_id,
        scope=event.scope if stands_alone else resolve_candidate_scope(event.scope, policy),
        kind=event.kind,
        content=event.content,
        summary=event.summary or shorten_to_line(event.content, SUMMARY_CHARACTERS[language]),
        subject=event.subject,
        attribute=event.attribute,
        value=event.value,
        ended=event.ended,
        data=_data(event, time_zone),
        importance=defaults.importance if event.importance is None else event.importance,
        confidence=_CONFIDENCE,
        lifetime=Lifetime.CORE if stands_alone else defaults.lifetime,
        standalone=stands_alone,
        source=event.source,
        said_by=said_by,
        tags=event.tags,
        entities=event.entities,
        language=language,
        occurred_at=event.occurred_at,
        valid_from=event.occurred_at,
        expires_at=event.expires_at,
        evidence=(
            Evidence(
                quote=event.content,
                said_by=said_by,
                session_id=event.session_id,
                message_id=event.message_id,
                origin="command",
                said_at=event.occurred_at,
            ),
        ),
        confirmed=True,
    )


def _data(event: RememberRequested, time_zone: str) -> dict[str, Any]:
    data: dict[str, Any] = dict(event.data)
    for name in ("due_at", "remind_at"):
        if (moment := getattr(event, name)) is not None:
            data[name] = moment.isoformat()
    times = event.kind.times
    if "time" in data or not (times.is_occurrence or event.kind.properties.is_todo):
        return data
    said = UtteranceTime(event.occurred_at, time_zone)
    if (time := find_first_time(event.content, said)) is not None:
        data["time"] = time.model_dump(mode="json", exclude={"start"}, exclude_none=True)
    return data


def resolve_candidate_scope(scope: Scope, policy: SharingPolicy) -> Scope:
    """Resolve the scope of a candidate: under `user_level` all agents of the user share it."""
    if policy is SharingPolicy.USER_LEVEL:
        return scope.model_copy(update={"agent_id": None})
    return scope


def detect_content_language(text: str) -> Language:
    return Language.CHINESE if _CHINESE.search(text) else Language.ENGLISH


def shorten_to_line(text: str, characters: int) -> str:
    """Return the text in one line of at most this many characters."""
    line = " ".join(text.split())
    return line if len(line) <= characters else line[: characters - 1].rstrip() + "…"
