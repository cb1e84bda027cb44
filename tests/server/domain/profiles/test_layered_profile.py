"""Profiles of two layers, joined for the agent that reads them, and when one is shown at all."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.profile import Profile, build_empty_profile
from palimpsest.model.user import Language, UserState
from palimpsest_server.domain.profiles.layered_profile import is_profile_visible, join_layers

COLD = build_empty_profile(
    "ann", Language.ENGLISH, epoch=0, now=datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
)
USER = COLD.model_copy(
    update={
        "version": 3,
        "narrative": "Ann sails.",
        "basic_info": {"city": "Oslo", "name": "Ann"},
        "revision": 4,
    }
)
AGENT = COLD.model_copy(
    update={
        "agent_id": "coach",
        "version": 1,
        "narrative": "Ann runs.",
        "basic_info": {"name": "Captain"},
        "revision": 7,
    }
)


def test_an_agent_reads_the_user_layer_and_its_own() -> None:
    joined = join_layers(USER, AGENT)
    assert joined is not None
    assert joined.narrative == "Ann sails.\n\nAnn runs."
    assert joined.basic_info == {"city": "Oslo", "name": "Captain"}
    assert (joined.agent_id, joined.version, joined.revision) == ("coach", 1, 4)


@pytest.mark.parametrize(
    ("of_user", "of_agent", "shown"),
    [
        (USER, None, USER),
        (None, AGENT, AGENT),
        (None, None, None),
        (COLD, AGENT, AGENT),
        (USER, COLD.model_copy(update={"agent_id": "coach"}), USER),
    ],
)
def test_a_layer_of_which_nothing_is_known_adds_nothing(
    of_user: Profile | None, of_agent: Profile | None, shown: Profile | None
) -> None:
    assert join_layers(of_user, of_agent) == shown


@pytest.mark.parametrize(
    ("fields", "state", "shown"),
    [
        ({}, UserState(), True),
        ({"isolated": False}, UserState(), False),
        ({}, UserState(epoch=1), False),
        ({"revision": 4}, UserState(forgotten_at=4), True),
        ({"revision": 3}, UserState(forgotten_at=4), False),
        (
            {"revision": 3},
            UserState(going=(PendingErasure(erasure=Erasure(epoch=0), revision=5),)),
            False,
        ),
    ],
)
def test_what_may_tell_of_what_was_taken_back_is_not_shown(
    fields: dict[str, object], state: UserState, shown: bool
) -> None:
    assert is_profile_visible(USER.model_copy(update=fields), state) is shown
