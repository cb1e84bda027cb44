"""What waits for a yes: which candidates do, and that nothing follows from them meanwhile."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import Candidate, Memory, Status, memory_id
from palimpsest.model.user import ReviewPolicy, SensitiveTopic, UserSettings
from palimpsest_server.domain.consolidation import manual_edits, reactivation
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
)
from palimpsest_server.domain.consolidation.manual_edits import MemoryCommandOutcome
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.review import (
    is_review_needed,
    is_withheld,
    propose_for_review,
)
from tests.support.server.domain.consolidation.samples import candidate, day, lives_in


def home(on: int, **fields: Any) -> Candidate:
    """What `lives_in("Lisbon")` says, in other words."""
    value: dict[str, Any] = {"subject": "user", "attribute": "city", "value": "Lisbon"}
    return candidate("My home is Lisbon", on=on, **value, **fields)


PLAIN = candidate("I like tea")
WEIGHTY = candidate("I am allergic to nuts", importance=0.95)
DOUBTFUL = candidate("I may move", confidence=0.59)
FROM_AN_AGENT = candidate("The build needs a proxy", confidence=0.6)
LIGHT = candidate("I had soup", importance=0.2)
ALLERGY = candidate("用户对青霉素过敏")
RESIGNED = candidate("has resigned from the bank")
ILL = candidate("has depression")
STATED = candidate("Remember: I am Ann", importance=1.0, confidence=0.1, confirmed=True)


@pytest.mark.parametrize(
    ("said", "none", "key", "every"),
    [
        (PLAIN, False, False, True),
        (WEIGHTY, False, True, True),
        (DOUBTFUL, False, True, True),
        (FROM_AN_AGENT, False, False, True),
        (LIGHT, False, False, True),
        (ALLERGY, False, True, True),
        (RESIGNED, False, True, True),
        (ILL, False, True, True),
        (STATED, False, False, False),
    ],
)
def test_what_waits_is_the_users_setting(
    said: Candidate, none: bool, key: bool, every: bool
) -> None:
    found = [
        is_review_needed(said, UserSettings(review=review))
        for review in (ReviewPolicy.NONE, ReviewPolicy.KEY, ReviewPolicy.ALL)
    ]
    assert found == [none, key, every]


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("review", list(ReviewPolicy))
def test_without_automatic_extraction_everything_waits_but_what_is_stated(
    kind: Kind, review: ReviewPolicy
) -> None:
    settings = UserSettings(review=review, automatic_extraction=False)
    assert is_review_needed(candidate("x", kind=kind), settings)
    assert not is_review_needed(candidate("x", kind=kind, confirmed=True), settings)


@given(
    st.sampled_from(Kind),
    st.floats(min_value=0, max_value=1),
    st.floats(min_value=0, max_value=1),
)
def test_what_waits_as_key_waits_where_everything_does(
    kind: Kind, importance: float, confidence: float
) -> None:
    said = candidate("x", kind=kind, importance=importance, confidence=confidence)
    is_key = importance > KINDS[kind].importance or confidence < 0.6
    assert is_review_needed(said, UserSettings(review=ReviewPolicy.KEY)) is is_key
    assert is_review_needed(said, UserSettings(review=ReviewPolicy.ALL))


class Known:
    def __init__(self, *decided: Candidate) -> None:
        self.overlay = Overlay()
        for each in decided:
            decide_candidate(self.overlay, each, received_at=day(50), epoch=0)
        self.overlay.take_changes()

    def propose(self, said: Candidate) -> ConsolidationOutcome:
        return propose_for_review(self.overlay, said, received_at=day(60), epoch=0)

    def of(self, said: Candidate) -> Memory:
        memory = self.overlay.get(memory_id("alice", said.id))
        assert memory is not None
        return memory

    def statuses(self, *said: Candidate) -> list[str]:
        return [self.of(each).status.value for each in said]


def test_what_waits_changes_nothing_that_stands() -> None:
    lisbon, porto = lives_in("Lisbon", on=1), lives_in("Porto", on=9)
    known = Known(lisbon)
    before = known.of(lisbon)
    assert known.propose(porto) is ConsolidationOutcome.WAITING
    assert known.statuses(lisbon, porto) == ["active", "pending"]
    assert known.of(lisbon) == before
    assert known.of(porto).status_reason == "waits for a yes"


def test_what_holds_already_needs_no_yes() -> None:
    lisbon = lives_in("Lisbon", on=1)
    known = Known(lisbon, candidate("I like tea", on=1))
    assert known.propose(lives_in("Lisbon", on=5)) is ConsolidationOutcome.REINFORCED
    assert known.propose(candidate("I like tea!", on=6)) is ConsolidationOutcome.REINFORCED
    assert len(known.of(lisbon).evidence) == 2
    assert all(change.after.status is Status.ACTIVE for change in known.overlay.take_changes())


@pytest.mark.parametrize(
    "said",
    [
        home(5),
        lives_in("Lisbon", on=0),
        lives_in("Lisbon", on=5, ended=True),
        lives_in("Lisbon", on=5, kind=Kind.PERSON),
        lives_in("Lisbon", on=5, valid_until=day(9)),
    ],
    ids=["in other words", "earlier", "over", "of another kind", "for a while"],
)
def test_the_same_value_waits_where_it_says_more_than_is_known(said: Candidate) -> None:
    assert Known(lives_in("Lisbon", on=1)).propose(said) is ConsolidationOutcome.WAITING


def test_the_same_again_while_it_waits_adds_to_it() -> None:
    known = Known()
    first, again = candidate("I like tea", on=1), candidate("I like tea", on=2)
    assert known.propose(first) is ConsolidationOutcome.WAITING
    assert known.propose(again) is ConsolidationOutcome.REINFORCED
    assert known.propose(again) is ConsolidationOutcome.DUPLICATE
    (change,) = known.overlay.take_changes()
    assert (change.after.status, len(change.after.evidence)) == (Status.PENDING, 2)


def test_what_was_rejected_is_not_proposed_again() -> None:
    known = Known()
    said = candidate("I like tea", on=1)
    known.propose(said)
    manual_edits.reject_memory(known.overlay, known.of(said).id, reason="no")
    known.overlay.take_changes()
    assert known.propose(candidate("I like tea", on=2)) is ConsolidationOutcome.REJECTED_BEFORE
    assert known.overlay.take_changes() == ()


def test_without_evidence_nothing_waits() -> None:
    bare = candidate("I like tea").model_copy(update={"evidence": ()})
    assert Known().propose(bare) is ConsolidationOutcome.NO_EVIDENCE


def test_a_yes_puts_it_where_it_belongs_in_time() -> None:
    lisbon, porto = lives_in("Lisbon", on=1), lives_in("Porto", on=9)
    known = Known(lisbon)
    known.propose(porto)
    assert (
        reactivation.confirm_memory(known.overlay, known.of(porto).id)
        is MemoryCommandOutcome.CONFIRMED
    )
    assert known.statuses(lisbon, porto) == ["superseded", "active"]
    assert known.of(lisbon).valid_until == day(9)
    assert known.of(porto).supersedes == (known.of(lisbon).id,)


def test_a_yes_to_what_is_past_by_now_keeps_it_as_past() -> None:
    lisbon, porto = lives_in("Lisbon", on=9), lives_in("Porto", on=1)
    known = Known(lisbon)
    known.propose(porto)
    reactivation.confirm_memory(known.overlay, known.of(porto).id)
    assert known.statuses(lisbon, porto) == ["active", "superseded"]


@pytest.mark.parametrize(
    ("waiting", "said_since"),
    [
        (lives_in("Lisbon", on=3), home(2)),
        (candidate("I like tea", on=3), candidate("I like tea", on=2)),
    ],
    ids=["in a line", "in the same words"],
)
def test_a_yes_to_what_is_known_by_now_becomes_part_of_that(
    waiting: Candidate, said_since: Candidate
) -> None:
    known = Known()
    known.propose(waiting)
    decide_candidate(known.overlay, said_since, received_at=day(70), epoch=0)
    known.overlay.take_changes()
    assert (
        reactivation.confirm_memory(known.overlay, known.of(waiting).id)
        is MemoryCommandOutcome.CONFIRMED
    )
    assert known.statuses(waiting, said_since) == ["archived", "active"]
    assert len(known.of(said_since).evidence) == 2


@pytest.mark.parametrize(
    ("said", "waits"), [(ALLERGY, True), (ILL, True), (RESIGNED, False), (PLAIN, False)]
)
def test_what_is_sensitive_waits_alone_where_that_is_asked_for(
    said: Candidate, waits: bool
) -> None:
    settings = UserSettings(review=ReviewPolicy.SENSITIVE)
    assert is_review_needed(said, settings) is waits


IN_DEBT = candidate("用户欠了信用卡八万")
PRAYS = candidate("prays five times a day")


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        (ILL, SensitiveTopic.HEALTH),
        (candidate("earns 85,000 a year"), SensitiveTopic.FINANCE),
        (IN_DEBT, SensitiveTopic.FINANCE),
        (PRAYS, SensitiveTopic.BELIEFS),
        (candidate("用户向父母出柜了"), SensitiveTopic.INTIMACY),
        (candidate("has a court date in May"), SensitiveTopic.LAW),
        # No rule knows it: a model told so.
        (candidate("counts every cent since May", sensitive="finance"), SensitiveTopic.FINANCE),
    ],
)
def test_a_sensitive_topic_waits_or_is_withheld_where_the_user_says_so(
    said: Candidate, topic: SensitiveTopic
) -> None:
    others = tuple(
        sensitive_topic for sensitive_topic in SensitiveTopic if sensitive_topic is not topic
    )
    asks = UserSettings(review=ReviewPolicy.SENSITIVE, sensitive_topics=(topic,))
    assert is_review_needed(said, asks)
    assert not is_review_needed(said, asks.model_copy(update={"sensitive_topics": others}))
    assert is_withheld(said, UserSettings(withheld_topics=(topic,)))
    assert not is_withheld(said, UserSettings(withheld_topics=others))
    assert not is_withheld(said, UserSettings())


def test_a_statement_of_ones_own_is_kept_on_any_topic() -> None:
    stated = IN_DEBT.model_copy(update={"confirmed": True})
    assert not is_withheld(stated, UserSettings(withheld_topics=tuple(SensitiveTopic)))
