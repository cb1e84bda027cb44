"""Statements told again with another value, in whatever later session. No I/O."""

import re
from collections.abc import Iterable
from functools import lru_cache

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory
from palimpsest.model.turn import Role
from palimpsest_language.attributes.attribute_names import canonical_subject
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.value_changes.value_frames import (
    LONGEST_STATEMENT,
    ValueFrame,
    list_frames,
)

_TABLE = "value_changes/value_changes"
_NOW = ("holds_now", "changes_to", "has_become", "is_one_measure")
_NO_STATE = ("is_of_a_day", "may_be_several")
_CLAUSE = re.compile(
    r"[，,](?!\d)|[；;。！!]| (?:but|and|because|since|so|which) |"
    r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)\. "
)

_STATES = frozenset(
    {Kind.FACT, Kind.PERSON, Kind.PREFERENCE, Kind.CONTEXT, Kind.EVENT, Kind.PATTERN}
)


def has_changed_value(later: Memory | Candidate, earlier: Memory | Candidate) -> bool:
    """Tell whether a statement gives another value to what the earlier one states.

    Both have the same words but for one value. Two such statements may both hold: two meetings,
    two cats, two runs. So the later one must be told as the present state: with "now", "actually",
    "went up to", 现在, 其实, 涨到, or a 了 behind the value. Without such words only measures
    change of which nobody has two ("my rent is", 我的体重). Nothing changes

    - where a statement tells of one day or of what is over ("ran 5 km today", 昨天跑了);
    - where it tells of one of several ("I have a meeting at 9", 我养了一只猫叫…), or names one of
      those of whom people have several (friends, cats, sons);
    - where the earlier statement says more than this, since that would be lost, but for a mere
      comment ("and it's killing me", 太贵了);
    - where the two speak of two people, or one is said by an agent and the other is not.

    A change may leave out what it is about if it counts the same: “现在五个组员了” follows
    “我有四个组员”.
    """
    if later.attribute is not None or earlier.attribute is not None:
        return False
    changes, held = _list_changes(later), _list_held(earlier)
    if not changes or not held or _are_of_two(later, earlier):
        return False
    of_one = canonical_subject(later.subject) == canonical_subject(earlier.subject)
    return any(
        change.value != before.value
        and (change.words == before.words or (of_one and change.words == before.tail))
        for change in changes
        for before in held
    )


def list_held_words(memory: Memory | Candidate) -> tuple[str, ...]:
    """List the words under which a statement is found that may be given another value."""
    frames = () if memory.attribute is not None else _list_held(memory)
    words = [words for frame in frames for words in (frame.words, frame.tail) if words]
    return tuple(dict.fromkeys(words))


def list_changing_words(memory: Memory | Candidate) -> tuple[str, ...]:
    """List the words under which those statements are found to which it may give another value."""
    frames = () if memory.attribute is not None else _list_changes(memory)
    return tuple(dict.fromkeys(frame.words for frame in frames))


def have_one_value(told: Iterable[Memory], later: Memory) -> bool:
    """Tell whether all statements that a later one may change give the same value.

    With several values it is not known which of them is meant.
    """
    wanted = frozenset(list_changing_words(later))
    values = {
        frame.value
        for memory in told
        for frame in _list_held(memory)
        if wanted & {frame.words, frame.tail}
    }
    return len(values) == 1


def _are_of_two(one: Memory | Candidate, other: Memory | Candidate) -> bool:
    if (one.said_by is Role.AGENT) != (other.said_by is Role.AGENT):
        return True
    subjects = {canonical_subject(memory.subject) for memory in (one, other) if memory.subject}
    return len(subjects - {"user"}) > 1


def _list_held(memory: Memory | Candidate) -> tuple[ValueFrame, ...]:
    """List the values that may change: of a statement that says no more, or of a change itself."""
    if memory.kind not in _STATES:
        return ()
    return _held_in(memory.content) or _changed_in(memory.content, "", signs=("changes_to",))


def _list_changes(memory: Memory | Candidate) -> tuple[ValueFrame, ...]:
    if memory.kind not in _STATES or not memory.evidence:
        return ()
    return _changed_in(memory.content, memory.evidence[-1].quote)


@lru_cache(maxsize=4096)
def _held_in(content: str) -> tuple[ValueFrame, ...]:
    said, *beside = (part.strip() for part in _CLAUSE.split(content.strip().rstrip("。.!！ ")))
    if not _is_state(said) or any(_search("comments", part) is None for part in beside):
        return ()
    names_one = _search("has_several_names", said) is None
    return tuple(frame for frame in list_frames(said) if names_one or not frame.is_name)


@lru_cache(maxsize=4096)
def _changed_in(
    content: str, quote: str, *, signs: tuple[str, ...] = _NOW
) -> tuple[ValueFrame, ...]:
    if len(quote) > LONGEST_STATEMENT:
        quote = ""
    corrects = _search("corrects", quote) is not None
    return tuple(
        dict.fromkeys(
            frame
            for clause in _CLAUSE.split(content)
            if corrects or any(_search(sign, clause) for sign in signs)
            for frame in _held_in(clause.strip())
        )
    )


def _is_state(statement: str) -> bool:
    return not any(_search(sign, statement) for sign in _NO_STATE)


def _search(sign: str, text: str) -> re.Match[str] | None:
    return read_phrases(_TABLE)[sign].search(text)
