"""Removes repetitions from a prompt: messages and the memories made from them."""

from collections.abc import Iterable, Mapping, Sequence

from palimpsest.api.recall import NameLink, RecallResult, RecordType
from palimpsest.model.memory import Status
from palimpsest.model.turn import Turn
from palimpsest_language.wording.normalization import extract_gist, normalize_wording
from services.recall.context.conflicting_results import find_conflicting_results

_MessageKey = tuple[str | None, str | None]
"""A message, by its session and its id."""

_FIRST_VERSION = 1


def prefer_messages(results: Sequence[RecallResult]) -> list[RecallResult]:
    """Return the results without memories that a message among them states as well.

    The message takes the place of such a memory. In a prompt a message stands under its day, so
    "yesterday" is clear, and it tells the rest of the thought. A memory stays if it was changed,
    rests on several messages, no longer holds, or contradicts another memory: no message says that.
    """
    messages = {
        _message_key(result): result for result in results if result.record is RecordType.TURN
    }
    conflicting = find_conflicting_results(results)
    preferred = (
        result if result.id in conflicting else _replace_by_message(result, messages)
        for result in results
    )
    return list({result.id: result for result in preferred}.values())


def drop_messages_in_prompt(
    results: Sequence[RecallResult], messages: Iterable[Turn], queries: Iterable[str]
) -> list[RecallResult]:
    """Return the results without messages that the prompt holds anyway; memories stay.

    Args:
        results: the results, in order.
        messages: the last messages of the current conversation, which the prompt holds in full.
        queries: the question and those before it. A question stored a moment ago is the nearest hit
            to
            itself, and tells nothing.
    """
    ids = {turn.id for turn in messages}
    wordings = {normalize_wording(query) for query in queries}
    return [
        result
        for result in results
        if result.record is not RecordType.TURN
        or not (result.id in ids or normalize_wording(result.content) in wordings)
    ]


def drop_quoted_messages(results: Sequence[RecallResult]) -> list[RecallResult]:
    """Return the results without messages whose every word is in memories that quote them."""
    words: dict[_MessageKey, set[str]] = {}
    for recall_result in results:
        if recall_result.record is RecordType.MEMORY and recall_result.status is Status.ACTIVE:
            for evidence in recall_result.evidence:
                key = (evidence.session_id, evidence.message_id)
                words.setdefault(key, set()).update(_extract_words(recall_result.content))
    return [
        result
        for result in results
        if result.record is not RecordType.TURN
        or not _is_covered(result, words.get(_message_key(result)))
    ]


def _replace_by_message(
    result: RecallResult, messages: Mapping[_MessageKey, RecallResult]
) -> RecallResult:
    repeats = (
        result.record is RecordType.MEMORY
        and result.version == _FIRST_VERSION
        and result.status is Status.ACTIVE
        and len({(evidence.session_id, evidence.message_id) for evidence in result.evidence}) == 1
        and all(memory.type is NameLink.SHARES_ENTITY for memory in result.related)
    )
    return messages.get(_message_key(result), result) if repeats else result


def _message_key(result: RecallResult) -> _MessageKey:
    evidence = result.evidence[0]
    return (evidence.session_id, evidence.message_id)


def _is_covered(message: RecallResult, words: set[str] | None) -> bool:
    return words is not None and _extract_words(message.content) <= words


def _extract_words(text: str) -> set[str]:
    """Return the words that carry meaning; verbs of "I" and of "the user" are made equal."""
    return {word.removesuffix("s") for word in extract_gist(text).split()}
