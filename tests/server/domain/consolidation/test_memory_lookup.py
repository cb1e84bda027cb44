from collections.abc import Callable, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.memory import Candidate, Memory, Status
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
)
from palimpsest_server.domain.consolidation.memory_keys import (
    attribute_key,
    content_key,
    family_keys,
    stance_keys,
    stored_keys,
)
from palimpsest_server.domain.consolidation.memory_lookup import MemoryLookup
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.extent import EVERY
from tests.support.language.plans.planning import (
    AGAIN,
    NO_FLIGHT,
    TUCSON,
    TUCSON_IS_OFF,
    meant,
    planned,
)
from tests.support.server.domain.consolidation.samples import (
    ALICE,
    about,
    candidate,
    day,
    lives_in,
)

Read = Callable[[Sequence[Memory], Sequence[Candidate]], list[Memory]]


def everything(stored: Sequence[Memory], candidates: Sequence[Candidate]) -> list[Memory]:
    return list(stored)


def narrow(stored: Sequence[Memory], candidates: Sequence[Candidate]) -> list[Memory]:
    """What is asked for, step by step."""
    nearby = MemoryLookup()
    for one in candidates:
        nearby.want(one, whole=False)
    contents = nearby.contents.get(ALICE.namespace, set())
    families = nearby.attributes.get(ALICE.namespace, set())
    memories = [memory for memory in stored if content_key(memory) in contents]
    nearby.take(memories)
    memories += [memory for memory in stored if attribute_key(memory) in families]
    while values := nearby.values().get(ALICE.namespace):
        page = [memory for memory in stored if not values.isdisjoint(stored_keys(memory))]
        nearby.take(page)
        memories += page
    return memories


def histories(
    batches: Sequence[Sequence[Candidate]], read: Read
) -> list[tuple[ConsolidationOutcome | MemoryChange, ...]]:
    """What became of each candidate, one after another in batches that are read for together."""
    stored: dict[str, Memory] = {}
    done: list[tuple[ConsolidationOutcome | MemoryChange, ...]] = []
    for batch in batches:
        known = Overlay(read(list(stored.values()), batch))
        for position, one in enumerate(batch):
            received_at = day(len(done))
            outcome = decide_candidate(
                known, one, received_at=received_at, epoch=0, position=position
            )
            changes = known.take_changes()
            stored |= {change.after.id: change.after for change in changes}
            done.append((outcome, *changes))
    return done


VALUES = ("tea", "Tea", "mate", "cocoa")
CLAIMS = (
    "The budget is 5000 dollars",
    "The budget is 8000 dollars",
    "The user wants children",
    "The user doesn't want children",
)


def valued(attributes: Sequence[str | None]) -> st.SearchStrategy[Candidate]:
    return st.builds(
        lambda on, before, attribute, value, replaces, words, until, ended: candidate(
            words if words is not None else f"{attribute}: {value}",
            on=on,
            since=on - before,
            attribute=attribute,
            value=None if attribute is None else value,
            data={} if replaces is None else {"replaces": replaces},
            valid_until=None if until is None else day(on + until),
            ended=ended and attribute is not None and until is None,
        ),
        st.integers(0, 6),
        st.sampled_from((0, 0, 1, 3)),
        st.sampled_from(attributes),
        st.sampled_from(VALUES),
        st.sampled_from((None, None, *VALUES)),
        st.sampled_from((None, "it is about drinks")),
        st.sampled_from((None, None, None, 3)),
        st.booleans(),
    )


days = st.integers(0, 6)
likes = valued(("likes", "likes", "dislikes", None))
editors = valued(("tools", "preferred_editor", "preferred_editor"))
releases = valued(("release_date", "发布日期", "due_date"))
claims = st.builds(lambda words, on: candidate(words, on=on), st.sampled_from(CLAIMS), days)
trips = st.builds(
    lambda made, words, on: made(words, on=on),
    st.sampled_from((planned, meant, candidate)),
    st.sampled_from((TUCSON, TUCSON, AGAIN, TUCSON_IS_OFF, NO_FLIGHT)),
    days,
)
# Of one kind, so that they meet: of all kinds together hardly two touch each other.
said_of_one_kind = st.sampled_from((likes, likes, editors, releases, claims, trips)).flatmap(
    lambda said: st.lists(st.lists(said, min_size=1, max_size=3), min_size=2, max_size=5)
)
batches = said_of_one_kind.map(
    lambda all_of_them: [
        [
            one.model_copy(update={"id": f"{number}.{position}"})
            for position, one in enumerate(batch)
        ]
        for number, batch in enumerate(all_of_them)
    ]
)


@settings(max_examples=200 // EVERY, deadline=None)
@given(batches)
def test_what_is_near_decides_as_everything_would(batches: list[list[Candidate]]) -> None:
    assert histories(batches, narrow) == histories(batches, everything)


def test_what_was_said_in_the_same_words_brings_what_it_replaced() -> None:
    mate = about("likes", "mate", on=1)
    plain = candidate("it is better", on=3, data={"replaces": "mate"})
    tea = about("likes", "tea", on=4, content="it is better")
    for later in ([[plain], [tea]], [[plain, tea]]):
        found = histories([[mate], *later], narrow)
        assert found == histories([[mate], *later], everything)
        (ended,) = [one.after for one in found[-1][1:] if one.after.value == "mate"]  # type: ignore[union-attr]
        assert ended.status is Status.SUPERSEDED


def stated(*candidates: Candidate) -> list[Memory]:
    return [change.after for done in histories([[*candidates]], everything) for change in done[1:]]  # type: ignore[union-attr]


def test_of_many_likes_only_those_of_the_value_are_asked_for() -> None:
    tea, cocoa, hated = (
        about("likes", "tea", on=1),
        about("likes", "cocoa", on=2),
        about("dislikes", "TEA", on=3),
    )
    memories = narrow(stated(tea, cocoa, hated), [about("likes", "tea", on=4, content="tea!")])
    assert {memory.value for memory in memories} == {"tea", "TEA"}


def test_what_was_replaced_is_asked_for_at_any_remove() -> None:
    tea = about("likes", "tea", on=1)
    mate = about("likes", "mate", on=2, data={"replaces": "tea"})
    cocoa = about("likes", "cocoa", on=3, data={"replaces": "mate"})
    other = about("likes", "milk", on=4)
    memories = narrow(stated(tea, mate, cocoa, other), [about("dislikes", "cocoa", on=5)])
    assert {memory.value for memory in memories} == {"tea", "mate", "cocoa"}


def test_of_one_value_at_a_time_all_is_asked_for() -> None:
    stored = stated(lives_in("Paris", on=1), about("preferred_editor", "vim", on=2))
    assert narrow(stored, [lives_in("Rome", on=3)]) == stored[:1]
    assert narrow(stored, [about("tools", "emacs", on=3)]) == stored[1:]


def test_all_is_asked_for_where_values_may_change() -> None:
    nearby = MemoryLookup()
    tea = about("likes", "tea", on=1)
    nearby.want(tea, whole=True)
    assert nearby.attributes == {ALICE.namespace: set(family_keys(tea))}
    assert nearby.values() == {ALICE.namespace: set(stance_keys(tea))}
