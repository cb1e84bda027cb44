"""A message in its own words, instead of a memory that says no more than it."""

from collections.abc import Mapping, Sequence

from palimpsest.api.recall import RecallResult, RecordType
from palimpsest.model.memory import Status
from services.recall.contradictions import find_conflicting_results

_Said = tuple[str | None, str | None]
"""A message, by its session and its id."""

_UNCHANGED = 1


def prefer_messages(results: Sequence[RecallResult]) -> list[RecallResult]:
    """The results, in their order, with each memory that a message says as well left to that message.

    The message stands in a prompt under its day, says "yesterday" of that day,
    and tells the rest of what was meant. A memory stays that was changed since
    it was made, rests on several messages, no longer holds or contradicts
    another: those say what no message says.
    """
    said = {_key(one): one for one in results if one.record is RecordType.TURN}
    differing = find_conflicting_results(results)
    shown = (each if each.id in differing else _message_of(each, said) for each in results)
    return list({one.id: one for one in shown}.values())


def _message_of(result: RecallResult, said: Mapping[_Said, RecallResult]) -> RecallResult:
    repeats = (
        result.record is RecordType.MEMORY
        and result.version == _UNCHANGED
        and result.status is Status.ACTIVE
        and len({(one.session_id, one.message_id) for one in result.evidence}) == 1
        and not result.related
    )
    return said.get(_key(result), result) if repeats else result


def _key(result: RecallResult) -> _Said:
    evidence = result.evidence[0]
    return (evidence.session_id, evidence.message_id)
