"""What a run has left behind: to be compared with another's, told in a digest, and checked."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palimpsest.model.memory import Memory
from palimpsest.model.profile import Profile
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest_server.domain.summaries.eligibility import is_worth_a_summary
from palimpsest_server.stores.collections import DEAD_LETTERS, MEMORIES, PROFILES, SUMMARIES, TURNS
from palimpsest_server.stores.mongo.database import from_document
from tests.faults.feed import Feed, Known
from tests.faults.lying_model import LIES, TALK
from tests.faults.system import DATABASE, System

Canonical = Mapping[str, Any]
"""A memory without what depends on when something came in, and in which order."""


@dataclass(frozen=True)
class EndState:
    memories: Sequence[Memory]
    turns: Sequence[Turn]
    letters: Counter[tuple[str, str, str]]
    """Stage, topic, digest of the record."""
    summaries: Sequence[SessionSummary]
    profiles: Sequence[Profile]

    @property
    def canonical(self) -> list[str]:
        return sorted(json.dumps(canonical(memory), ensure_ascii=False) for memory in self.memories)

    @property
    def whole(self) -> list[str]:
        """All that each memory says of itself and of others, but when it came and in which order.

        What was counted twice shows here: in a confidence, an importance, or a supersession.
        """
        content = {memory.id: memory.content for memory in self.memories}
        return sorted(
            json.dumps(_whole(memory, content), ensure_ascii=False) for memory in self.memories
        )

    @property
    def digest(self) -> str:
        """Of memories, turns and dead letters: two runs of a seed have the same."""
        told = [
            *self.canonical,
            *sorted(f"{turn.user_id} {turn.session_id} {_place(turn)}" for turn in self.turns),
            *sorted(map(str, self.letters)),
        ]
        return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


def canonical(memory: Memory) -> Canonical:
    return {
        "user": memory.scope.user_id,
        "agent": memory.scope.agent_id,
        "kind": memory.kind.value,
        "content": memory.content,
        "attribute": memory.attribute,
        "value": memory.value,
        "status": memory.status.value,
        "valid": [_moment(memory.valid_from), _moment(memory.valid_until)],
        "evidence": sorted(
            [evidence.session_id, evidence.message_id, evidence.quote]
            for evidence in memory.evidence
        ),
    }


def _whole(memory: Memory, content: Mapping[str, str]) -> Canonical:
    related = [
        [relation.type.value, content.get(relation.memory_id)] for relation in memory.relations
    ]
    return {
        **canonical(memory),
        **{name: getattr(memory, name) for name in _AS_THEY_ARE},
        **{name: round(getattr(memory, name), 6) for name in ("importance", "confidence")},
        **{name: sorted(getattr(memory, name)) for name in ("tags", "entities")},
        "statements": len(memory.statements),
        "supersedes": sorted(
            content.get(superseded, "nothing") for superseded in memory.supersedes
        ),
        "superseded_by": content.get(memory.superseded_by or ""),
        "relations": sorted(related),
    }


_AS_THEY_ARE = (
    *("summary", "subject", "ended", "data", "source", "said_by", "language", "status_reason"),
    *("lifetime", "pinned"),
)


async def end_state(system: System) -> EndState:
    database = system.mongodb[DATABASE]
    return EndState(
        memories=[from_document(Memory, one) async for one in database[MEMORIES.name].find({})],
        turns=[from_document(Turn, one) async for one in database[TURNS.name].find({})],
        letters=Counter(
            [
                (one["stage"], one["topic"], one["body_sha256"])
                async for one in database[DEAD_LETTERS.name].find({})
            ]
        ),
        summaries=[
            from_document(SessionSummary, one) async for one in database[SUMMARIES.name].find({})
        ],
        profiles=[from_document(Profile, one) async for one in database[PROFILES.name].find({})],
    )


def wrong_with(state: EndState, feed: Feed) -> list[str]:
    """What the feed alone says must be otherwise; nothing, where all is well."""
    return [
        *_turns(state, feed),
        *_memories(state, feed),
        *_summaries(state, feed),
        *_letters(state, feed),
    ]


def _turns(state: EndState, feed: Feed) -> Iterable[str]:
    """Every acknowledged turn once, in the order it was said in."""
    by_session = _by_session(state.turns)
    for key in sorted(by_session.keys() | feed.turns.keys()):
        turns = by_session.get(key, [])
        if [turn.message_id for turn in turns] != list(feed.turns.get(key, ())):
            yield f"the turns of {key} are not what was said"
        elif [turn.sequence for turn in turns] != list(range(1, len(turns) + 1)):
            yield f"the turns of {key} are numbered otherwise than from 1 on"


def _memories(state: EndState, feed: Feed) -> Iterable[str]:
    by_content: dict[tuple[str, str], list[Memory]] = {}
    for memory in state.memories:
        by_content.setdefault((memory.scope.user_id, memory.content), []).append(memory)
        if any(lie in memory.content for lie in LIES.values()):
            yield f"a lie of the model is remembered of {memory.scope.user_id}"
    for known in feed.known:
        memories = by_content.get((known.user_id, known.content), [])
        if len(memories) != 1:
            yield f"{len(memories)} memories of {known.user_id} say {known.content!r}"
        elif differing := _differing(memories[0], known):
            yield f"{known.user_id}, {known.content!r}: {differing}"


def _summaries(state: EndState, feed: Feed) -> Iterable[str]:
    """One of each session that is worth it, to its end; a profile of each; in the model's words."""
    talks = set(TALK.values())
    through = {
        (summary.scope.user_id, summary.session_id): summary.through
        for summary in state.summaries
        if summary.text in talks and not summary.key_facts
    }
    for key, turns in _by_session(state.turns).items():
        wanted = len(turns) if is_worth_a_summary(turns) else None
        if (found := through.get(key)) != wanted:
            yield f"{key} is summed up to {found} and not to {wanted}"
    described = {profile.user_id for profile in state.profiles if profile.narrative in talks}
    yield from (f"{user} has no profile" for user in {key[0] for key in feed.turns} - described)


def _differing(memory: Memory, known: Known) -> str:
    """In words, in what a memory is another one than must stand."""
    sides = {
        "status": (memory.status.value, known.status.value),
        "valid from": (_moment(memory.valid_from), _moment(known.valid_from)),
        "valid until": (_moment(memory.valid_until), _moment(known.valid_until)),
        "evidence": (
            sorted(evidence.message_id or "" for evidence in memory.evidence),
            sorted(known.message_ids),
        ),
    }
    return "; ".join(
        f"{what} is {found} and not {wanted}"
        for what, (found, wanted) in sides.items()
        if found != wanted
    )


def _letters(state: EndState, feed: Feed) -> Iterable[str]:
    wanted = Counter(poison.letter for poison in feed.poison)
    for stage, topic, digest in wanted - state.letters:
        yield f"a poison of {topic} was not set aside by {stage}: {digest[:12]}"
    for stage, topic, digest in state.letters - wanted:
        yield f"{stage} set aside of {topic} what was no poison: {digest[:12]}"


def _by_session(turns: Iterable[Turn]) -> Mapping[tuple[str, str], Sequence[Turn]]:
    """By user and session, in order."""
    found: dict[tuple[str, str], list[Turn]] = {}
    for turn in sorted(turns, key=lambda one: one.sequence or 0):
        found.setdefault((turn.user_id, turn.session_id), []).append(turn)
    return found


def _moment(moment: Any) -> str | None:
    return None if moment is None else moment.isoformat()


def _place(turn: Turn) -> str:
    return f"{turn.sequence} {turn.message_id}"
