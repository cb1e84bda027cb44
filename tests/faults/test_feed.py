"""What is said in a run and what is done to it follow from the seed, and are worth a run."""

from collections import Counter

import pytest

from palimpsest.model.errors import InvalidEvent
from palimpsest.model.memory import Status
from palimpsest_server.delivery.event_decoder import decode_event
from tests.faults.feed import feed
from tests.faults.plan import Kind, faults
from tests.faults.sayings import understood
from tests.faults.scale import FULL, SHORT, Scale
from tests.faults.system import BROKER, DATABASE_SERVER, LANGUAGE_MODEL, SERVICES, WRITERS

SCALES = pytest.mark.parametrize("scale", [SHORT, FULL], ids=lambda scale: scale.name)
SEEDS = range(1, 6)


@SCALES
def test_a_seed_says_the_same_each_time_and_another_one_something_else(scale: Scale) -> None:
    assert feed(7, scale) == feed(7, scale)
    assert feed(7, scale) != feed(8, scale)


@SCALES
def test_there_is_enough_to_be_known_of_every_kind(scale: Scale) -> None:
    for seed in SEEDS:
        said = feed(seed, scale)
        statuses = Counter(known.status for known in said.known)
        assert abs(said.events - scale.events) < 0.1 * scale.events
        assert len(said.known) >= 100
        assert min(statuses[status] for status in (Status.ACTIVE, Status.SUPERSEDED)) >= 30
        assert statuses[Status.FORGOTTEN] == scale.users
        assert any(len(known.message_ids) > 1 for known in said.known)
        assert said.poison
        assert said.sent_again


def test_no_two_statements_hold_from_the_same_moment() -> None:
    for seed in SEEDS:
        moments = Counter((known.user_id, known.valid_from) for known in feed(seed, FULL).known)
        assert moments.most_common(1)[0][1] == 1


def test_only_poison_cannot_be_read() -> None:
    said = feed(3, SHORT)
    contradicting = 0
    poison = {one.value for one in said.poison}
    for stage in said.stages:
        for sent in (one for each in stage.values() for one in each):
            try:
                decode_event(sent.topic, sent.value)
            except InvalidEvent:
                assert sent.value in poison
            else:
                contradicting += sent.value in poison
    assert 0 < contradicting < len(said.poison)


@SCALES
def test_every_process_is_killed_and_everything_happens_in_each_seed(scale: Scale) -> None:
    for seed in SEEDS:
        stages = [faults(seed, stage, scale) for stage in range(3)]
        planned = [fault for stage in stages for fault in stage]
        assert stages == [faults(seed, stage, scale) for stage in range(3)]
        for stage in stages:
            moments = [fault.at for fault in stage]
            assert moments == sorted(moments)
            assert 0 <= moments[0] <= moments[-1] < 1
        killed = {fault.target for fault in planned if fault.kind in (Kind.KILL, Kind.GONE)}
        assert killed >= {*SERVICES, BROKER, DATABASE_SERVER, LANGUAGE_MODEL} - {*WRITERS}
        assert killed & {*WRITERS}
        assert {fault.kind for fault in planned} == {*Kind}


def test_the_model_understands_what_is_said_and_nothing_else() -> None:
    said = understood("我现在最喜欢的茶是第12号。")
    assert said is not None
    assert (said.content, said.attribute, said.value) == (
        "用户最喜欢的茶是第12号。",
        "favourite_茶",
        "12",
    )
    assert understood("thanks") is None
    assert understood("My favourite tea is number 12 now, I think.") is None
