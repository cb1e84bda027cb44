"""The promises of every store of summaries, and of the need for them."""

from datetime import timedelta
from typing import Any

from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.summaries import SummaryStore
from palimpsest_server.stores.summary_needs import SummaryNeed, SummaryNeeds
from tests.support.stores.summaries import ANN, BEN, NOW, summary


def names(summaries: list[SessionSummary]) -> list[str]:
    return [session_summary.text for session_summary in summaries]


def need(session: str, *, through: int = 3, in_minutes: int = 0, **fields: Any) -> SummaryNeed:
    return SummaryNeed.model_validate(
        {
            "id": SessionKey("ann", session).id,
            "user_id": "ann",
            "session_id": session,
            "scope": ANN,
            "through": through,
            "epoch": 0,
            "due_at": NOW + timedelta(minutes=in_minutes),
            **fields,
        }
    )


class SummaryContract:
    async def test_the_latest_come_first_and_only_those_that_count(
        self, summaries: SummaryStore
    ) -> None:
        await summaries.write(
            [
                summary("old", hours_ago=9),
                summary("new", hours_ago=1),
                summary("failed", failed=True),
                summary("over", expires_at=NOW),
                summary("another's", scope=BEN),
                summary("the agent's", scope=Scope(user_id="ann", agent_id="coder")),
            ]
        )
        assert names(await summaries.latest([ANN], now=NOW)) == ["new", "old"]
        before = NOW - timedelta(hours=1)
        assert names(await summaries.latest([ANN], now=NOW, before=before)) == ["old"]
        since = NOW - timedelta(hours=2)
        assert names(await summaries.made_since("ann", since, now=NOW)) == ["new", "the agent's"]

    async def test_they_are_read_by_id_of_their_own_user(self, summaries: SummaryStore) -> None:
        mine, other = summary("mine", failed=True), summary("other", scope=BEN)
        await summaries.write([mine, other])
        assert await summaries.of_users({"ann": [mine.id, other.id]}) == [mine]
        assert await summaries.of_users({}) == []
        assert await summaries.by_ids([ANN], [mine.id, other.id]) == [mine]

    async def test_only_a_later_version_is_written(self, summaries: SummaryStore) -> None:
        second = summary("s", version=2, through=8)
        await summaries.write([summary("s"), second])
        await summaries.write([summary("s")])
        await summaries.write([second.model_copy(update={"text": "not this"})])
        assert await summaries.of_users({"ann": [second.id]}) == [second]

    async def test_all_are_walked_through_by_id(self, summaries: SummaryStore) -> None:
        written = [summary(f"s{number}") for number in range(5)]
        await summaries.write(written)
        first = await summaries.page(limit=3, after=None)
        rest = await summaries.page(limit=3, after=first[-1].id)
        assert [*first, *rest] == sorted(written, key=lambda session_summary: session_summary.id)

    async def test_what_is_over_is_found_and_removed(self, summaries: SummaryStore) -> None:
        gone = summary("over", expires_at=NOW - timedelta(hours=1))
        await summaries.write([gone, summary("standing")])
        assert await summaries.over(now=NOW, limit=9) == [gone]
        await summaries.remove({"ben": [gone.id]})
        assert await summaries.over(now=NOW, limit=9) == [gone]
        await summaries.remove({"ann": [gone.id]})
        assert await summaries.over(now=NOW, limit=9) == []

    async def test_what_was_before_an_epoch_is_erased_of_one_user(
        self, summaries: SummaryStore
    ) -> None:
        old = summary("old")
        await summaries.write([old, summary("new", epoch=1), summary("other", scope=BEN)])
        assert await summaries.erase("ann", before_epoch=1) == [old]
        left = names(await summaries.latest([ANN, BEN], now=NOW))
        assert sorted(left) == ["new", "other"]


class SummaryNeedsContract:
    async def test_what_is_due_soonest_comes_first(self, needs: SummaryNeeds) -> None:
        await needs.note([need("later", in_minutes=9), need("now")])
        assert [summary_need.session_id for summary_need in await needs.waiting(limit=9)] == [
            "now",
            "later",
        ]
        assert [summary_need.session_id for summary_need in await needs.waiting(limit=1)] == ["now"]

    async def test_the_last_word_of_a_session_counts(self, needs: SummaryNeeds) -> None:
        await needs.note([need("s"), need("s", through=6, in_minutes=30)])
        assert await needs.waiting(limit=9) == [need("s", through=6, in_minutes=30)]

    async def test_an_older_word_of_a_session_does_not_count(self, needs: SummaryNeeds) -> None:
        last = need("s", through=6)
        await needs.note([last, need("s", in_minutes=30)])
        await needs.note([need("s", in_minutes=30)])
        assert await needs.waiting(limit=9) == [last]

        await needs.note([need("s", through=2, epoch=1)])
        assert await needs.waiting(limit=9) == [need("s", through=2, epoch=1)]

    async def test_what_is_tried_again_is_so_though_its_window_comes_once_more(
        self, needs: SummaryNeeds
    ) -> None:
        again = need("s", attempt=1, in_minutes=10)
        await needs.note([need("s")])
        await needs.note([again])
        await needs.note([need("s")])
        assert await needs.waiting(limit=9) == [again]

        await needs.note([need("s", through=6)])
        assert await needs.waiting(limit=9) == [need("s", through=6)]

    async def test_met_is_only_what_did_not_change_meanwhile(self, needs: SummaryNeeds) -> None:
        first, second = need("s"), need("s", through=6, in_minutes=30)
        await needs.note([first])
        await needs.note([second])
        await needs.met(first)
        assert await needs.waiting(limit=9) == [second]
        await needs.met(second)
        assert await needs.waiting(limit=9) == []

    async def test_what_is_asked_anew_waits_for_what_was_noted_before_and_is_not_lost_by_it(
        self, needs: SummaryNeeds
    ) -> None:
        goes_on, over = need("goes on", in_minutes=30), need("over")
        await needs.note([goes_on])
        await needs.note_anew([need("goes on", anew="e"), over.model_copy(update={"anew": "e"})])
        expected = [
            summary_need.model_copy(update={"anew": "e"}) for summary_need in (over, goes_on)
        ]
        assert await needs.waiting(limit=9) == expected

        await needs.note([need("goes on", through=6, in_minutes=60)])
        await needs.met(over)
        assert [summary_need.anew for summary_need in await needs.waiting(limit=9)] == ["e", "e"]
        await needs.met(expected[0])
        assert await needs.waiting(limit=9) == [need("goes on", through=6, in_minutes=60, anew="e")]
