"""What a prompt or its block says already, and need not be said again."""

from collections.abc import Iterable, Mapping, Sequence

from palimpsest.api.recall import RecallResult, RecordType
from palimpsest.model.memory import Status
from palimpsest.model.turn import Turn
from palimpsest_language.wording.normalization import extract_gist, normalize_wording


def drop_messages_in_prompt(
    results: Sequence[RecallResult], messages: Iterable[Turn], asked: Iterable[str]
) -> list[RecallResult]:
    """The results without messages that the prompt has anyway.

    These are the last ones of the conversation that goes on, which come along
    in full, and the question and those before it: stored a moment ago, they
    are nearest to themselves and tell nothing. What a memory says stays.
    """
    come_along = {turn.id for turn in messages}
    words = {normalize_wording(text) for text in asked}
    return [
        one
        for one in results
        if one.record is not RecordType.TURN
        or not (one.id in come_along or normalize_wording(one.content) in words)
    ]


def drop_quoted_messages(results: Sequence[RecallResult]) -> list[RecallResult]:
    """The results without messages of which a memory that quotes them leaves no word unsaid."""
    told: dict[tuple[str | None, str | None], set[str]] = {}
    for one in results:
        if one.record is RecordType.MEMORY and one.status is Status.ACTIVE:
            for evidence in one.evidence:
                place = (evidence.session_id, evidence.message_id)
                told.setdefault(place, set()).update(_words(one.content))
    return [one for one in results if one.record is not RecordType.TURN or not _is_told(one, told)]


def _is_told(turn: RecallResult, told: Mapping[tuple[str | None, str | None], set[str]]) -> bool:
    evidence = turn.evidence[0]
    by_memories = told.get((evidence.session_id, evidence.message_id))
    return by_memories is not None and _words(turn.content) <= by_memories


def _words(text: str) -> set[str]:
    """Those with a weight, a verb of `I` and one of `the user` as the same."""
    return {word.removesuffix("s") for word in extract_gist(text).split()}
