"""The promises of every store of profiles, and of the need for them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.model.profile import Profile, build_empty_profile, profile_id
from palimpsest.model.user import Language
from palimpsest_server.stores.profiles import (
    MAX_PROFILE_VERSIONS,
    ProfileNeed,
    ProfileNeeds,
    ProfileStore,
    profile_need_id,
)

NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)


def profile(
    version: int,
    *,
    user: str = "ann",
    agent: str | None = None,
    epoch: int = 0,
    words: str = "",
) -> Profile:
    cold = build_empty_profile(user, Language.ENGLISH, epoch=epoch, now=NOW, agent_id=agent)
    return cold.model_copy(
        update={
            "id": profile_id(user, epoch, version, agent),
            "version": version,
            "narrative": words or f"version {version}",
        }
    )


def need(revision: int, *, user: str = "ann", at: int = 0, **fields: Any) -> ProfileNeed:
    moment = NOW + timedelta(minutes=at)
    return ProfileNeed.model_validate(
        {
            "id": user,
            "revision": revision,
            "epoch": 0,
            "first_noted": moment,
            "look_at": moment,
            **fields,
        }
    )


class ProfileContract:
    async def test_the_latest_version_stands_and_all_are_kept(self, profiles: ProfileStore) -> None:
        await profiles.write([profile(1), profile(2), profile(1, user="ben")])
        assert await profiles.latest(["ann", "cai"]) == {"ann": profile(2)}
        assert await profiles.versions("ann", limit=9) == [profile(2), profile(1)]
        assert await profiles.versions("ann", limit=1) == [profile(2)]

    async def test_each_agent_has_versions_of_its_own(self, profiles: ProfileStore) -> None:
        own, coach, cook = profile(1), profile(1, agent="coach"), profile(2, agent="cook")
        await profiles.write([own, coach, cook])
        assert await profiles.latest(["ann"]) == {"ann": own}
        assert await profiles.latest(["ann", "ben"], agent_id="coach") == {"ann": coach}
        assert await profiles.versions("ann", limit=9, agent_id="cook") == [cook]
        assert await profiles.versions("ann", limit=9, agent_id="nobody") == []
        last = MAX_PROFILE_VERSIONS + 4
        await profiles.write([profile(last, agent="coach")])
        assert await profiles.versions("ann", limit=9, agent_id="coach") == [
            profile(last, agent="coach")
        ]
        assert await profiles.versions("ann", limit=9, agent_id="cook") == [cook]
        assert await profiles.erase("ann", before_epoch=1) == 3

    async def test_a_version_is_written_once(self, profiles: ProfileStore) -> None:
        await profiles.write([profile(1)])
        await profiles.write([profile(1, words="not this"), profile(2)])
        assert await profiles.versions("ann", limit=9) == [profile(2), profile(1)]
        await profiles.write([])

    async def test_the_latest_are_kept_of_each_user(self, profiles: ProfileStore) -> None:
        await profiles.write([profile(1, user="ben"), profile(1, epoch=1)])
        last = MAX_PROFILE_VERSIONS + 3
        for version in range(1, last + 1):
            await profiles.write([profile(version)])
        # A redelivery of what has gone is gone again with the next one.
        await profiles.write([profile(2)])
        await profiles.write([profile(last + 1)])
        kept = await profiles.versions("ann", limit=2 * last)
        assert [one.version for one in kept if one.epoch == 0] == list(range(last + 1, 4, -1))
        assert [one.version for one in kept if one.epoch == 1] == [1]
        assert await profiles.versions("ben", limit=9) == [profile(1, user="ben")]

    async def test_what_was_before_an_epoch_is_erased(self, profiles: ProfileStore) -> None:
        await profiles.write([profile(1), profile(2), profile(1, epoch=1), profile(1, user="ben")])
        assert await profiles.erase("ann", before_epoch=1) == 2
        assert await profiles.versions("ann", limit=9) == [profile(1, epoch=1)]
        assert await profiles.versions("ben", limit=9) == [profile(1, user="ben")]


class ProfileNeedsContract:
    async def test_what_comes_is_joined_with_what_came(self, needs: ProfileNeeds) -> None:
        await needs.note([need(3, news_revision=3)])
        await needs.note([need(5, at=1, unchecked_revision=5, told_revision=4)])
        await needs.note([need(4, at=2)])
        later = NOW + timedelta(minutes=2)
        assert await needs.due(now=later - timedelta(minutes=1), limit=9) == []
        assert await needs.due(now=later, limit=9) == [
            need(5, news_revision=3, unchecked_revision=5, told_revision=4, look_at=later)
        ]

    async def test_an_agents_need_is_its_own(self, needs: ProfileNeeds) -> None:
        own = need(2, id=profile_need_id("ann", "coach"), owner_id="ann", agent_id="coach")
        await needs.note([need(1), own])
        await needs.note([own.model_copy(update={"revision": 3})])
        found = {
            profile_need.agent_id: profile_need
            for profile_need in await needs.due(now=NOW, limit=9)
        }
        assert {agent: profile_need.revision for agent, profile_need in found.items()} == {
            None: 1,
            "coach": 3,
        }
        assert {profile_need.user_id for profile_need in found.values()} == {"ann"}
        await needs.met(profile_need_id("ann", None), revision=9)
        assert await needs.due(now=NOW, limit=9) == [found["coach"]]

    async def test_the_longest_waiting_comes_first(self, needs: ProfileNeeds) -> None:
        await needs.note([need(1, user="b", at=1), need(1, user="a", at=2)])
        found = await needs.due(now=NOW + timedelta(hours=1), limit=9)
        assert [profile_need.user_id for profile_need in found] == ["b", "a"]
        assert len(await needs.due(now=NOW + timedelta(hours=1), limit=1)) == 1

    async def test_it_is_put_off_unless_something_came_meanwhile(self, needs: ProfileNeeds) -> None:
        seen, later = need(1), NOW + timedelta(minutes=10)
        await needs.note([seen])
        await needs.later(seen, look_at=later, asked=1)
        assert await needs.due(now=NOW, limit=9) == []
        await needs.note([need(2)])
        await needs.later(seen, look_at=later, asked=2)
        (found,) = await needs.due(now=NOW, limit=9)
        assert (found.revision, found.asked) == (2, 0)

    async def test_when_it_was_asked_for_stays_whatever_came(self, needs: ProfileNeeds) -> None:
        seen = need(1)
        await needs.note([seen])
        await needs.note([need(2)])
        await needs.later(seen, look_at=NOW + timedelta(days=1), asked=1, asked_at=NOW)
        await needs.note([need(3)])
        assert await needs.due(now=NOW, limit=9) == [need(3, asked_at=NOW)]

    async def test_met_is_what_the_profile_takes_account_of(self, needs: ProfileNeeds) -> None:
        await needs.note([need(3)])
        await needs.met("ann", revision=2)
        assert len(await needs.due(now=NOW, limit=9)) == 1
        await needs.met("ann", revision=3)
        assert await needs.due(now=NOW, limit=9) == []
