"""The promises of every store of calls of models."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from palimpsest.model.usage import ModelCall, UsageSum, group_usage, sum_usage
from palimpsest_server.stores.usage import LOST_CALL_FAILURE, CallPageQuery, UsageStore
from tests.support.stores.model_calls import NOON, call

FIRST, LAST = date(2026, 3, 1), date(2026, 3, 31)


async def sums(usage: UsageStore, **asked: Any) -> UsageSum:
    return sum_usage(await usage.rows(**{"since": FIRST, "until": LAST, **asked}))


def ended(begun: ModelCall, **fields: Any) -> ModelCall:
    taken = {"input_tokens": 80, "output_tokens": 5, "cost_millionths": 100, "estimated": False}
    return begun.model_copy(update={**taken, **fields})


class UsageContract:
    async def test_a_call_counts_once_it_has_ended_and_only_once(self, usage: UsageStore) -> None:
        begun = call("one")
        await usage.begin(begun)
        assert await sums(usage) == UsageSum()
        for _ in range(2):
            await usage.begin(begun)
            await usage.end([ended(begun)])
            await usage.end([ended(begun, input_tokens=9_999)])
        assert await sums(usage) == UsageSum(
            calls=1, input_tokens=80, output_tokens=5, cost_millionths=100
        )

    async def test_what_was_never_begun_does_not_end(self, usage: UsageStore) -> None:
        await usage.end([ended(call("ghost"))])
        await usage.end([])
        assert await sums(usage) == UsageSum()

    async def test_it_is_added_up_by_day_task_and_model(self, usage: UsageStore) -> None:
        calls = [
            call("a"),
            call("b", cached_input_tokens=30, failure="cut_short"),
            call("c", task="summary"),
            call("d", model="anthropic/m-2"),
            call("before midnight", begun_at=datetime(2026, 3, 2, 23, 59, 59, tzinfo=UTC)),
            call("after it", begun_at=datetime(2026, 3, 3, 0, 0, tzinfo=UTC)),
            call("another's", user_id="ben"),
            call("an agent's", agent_id="coder"),
            call("long ago", begun_at=NOON - timedelta(days=90)),
        ]
        for model_call in calls:
            await usage.begin(model_call)
        await usage.end(calls)
        here = [each for each in calls if each.id != "long ago"]
        assert await usage.rows(since=FIRST, until=LAST) == group_usage(here)
        anns = [each for each in here if each.user_id == "ann"]
        rows = await usage.rows(since=FIRST, until=LAST, user_id="ann")
        assert rows == group_usage(anns)
        assert [(row.day.day, row.task, row.model, row.sum.calls) for row in rows] == [
            (3, "extraction", "openai/m-1", 1),
            (2, "extraction", "anthropic/m-2", 1),
            (2, "extraction", "openai/m-1", 4),
            (2, "summary", "openai/m-1", 1),
        ]
        assert sum_usage(rows).failed_calls == 1
        assert (await sums(usage, user_id="ann", agent_id="coder")).calls == 1
        assert (await sums(usage, since=date(2026, 3, 3), until=date(2026, 3, 3))).calls == 1

    async def test_what_nobody_ended_counts_as_estimated(self, usage: UsageStore) -> None:
        await usage.begin(call("lost"))
        await usage.begin(call("under way", begun_at=NOON + timedelta(minutes=5)))
        before = NOON + timedelta(minutes=1)
        assert await usage.end_lost(begun_before=before) == 1
        assert await usage.end_lost(begun_before=before) == 0
        found = await sums(usage)
        assert (found.calls, found.estimated_calls, found.failed_calls) == (1, 1, 1)
        assert found.input_tokens == 100
        [lost] = await usage.unannounced(limit=9)
        assert (lost.id, lost.failure) == ("lost", LOST_CALL_FAILURE)
        # Whoever was taken for dead and comes back changes nothing any more.
        await usage.end([ended(call("lost"))])
        assert (await sums(usage)).input_tokens == 100

    async def test_what_took_nothing_was_no_call(self, usage: UsageStore) -> None:
        begun = call("refused")
        await usage.begin(begun)
        await usage.withdraw(begun)
        assert await usage.end_lost(begun_before=NOON + timedelta(days=1)) == 0
        assert await sums(usage) == UsageSum()

    async def test_each_is_announced_until_that_is_marked(self, usage: UsageStore) -> None:
        calls = [call(f"c{n}", begun_at=NOON + timedelta(seconds=n)) for n in range(4)]
        for model_call in reversed(calls):
            await usage.begin(model_call)
        await usage.end([ended(each) for each in calls[:3]])
        assert [each.id for each in await usage.unannounced(limit=2)] == ["c0", "c1"]
        await usage.mark_announced(["c0", "c1", "c3"])
        assert [each.id for each in await usage.unannounced(limit=2)] == ["c2"]
        await usage.end([ended(calls[3])])
        assert [each.id for each in await usage.unannounced(limit=2)] == ["c2", "c3"]
        assert (await sums(usage)).calls == 4

    async def test_of_an_erased_user_the_figures_stay_and_no_name(self, usage: UsageStore) -> None:
        before, under_way = call("before", agent_id="coder"), call("under way")
        after = call("after", epoch=1)
        for model_call in (before, under_way, after):
            await usage.begin(model_call)
        await usage.end([ended(before), ended(after)])
        await usage.make_nameless("ann", before_epoch=1)
        await usage.end([ended(under_way)])
        assert (await sums(usage)).calls == 3
        assert (await sums(usage, user_id="ann")).calls == 1
        names = {
            (each.user_id, each.agent_id, each.request_id)
            for each in await usage.unannounced(limit=9)
        }
        assert names == {(None, None, None), ("ann", None, "asked by after")}

    async def test_calls_of_a_user_come_in_pages_the_latest_first(self, usage: UsageStore) -> None:
        calls = [
            call("c1"),
            call("c2"),
            call("later", begun_at=NOON + timedelta(hours=1), agent_id="coder"),
            call("another's", user_id="ben"),
            call("long ago", begun_at=NOON - timedelta(days=90)),
        ]
        for model_call in (*calls, call("under way")):
            await usage.begin(model_call)
        await usage.end(calls)

        async def page(**asked: Any) -> list[str]:
            query = {"agent_id": None, "epoch": 0, "limit": 2, "behind": None, **asked}
            found = await usage.page(CallPageQuery(user_id="ann", since=FIRST, until=LAST, **query))
            return [model_call.id for model_call in found]

        assert await page() == ["later", "c2"]
        assert await page(behind="c2") == ["c1"]
        assert await page(behind="c1") == []
        assert await page(agent_id="coder") == ["later"]
        assert await page(epoch=1) == []
