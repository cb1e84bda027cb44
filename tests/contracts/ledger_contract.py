"""The promises of every store of the ledger of extractions."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

import pytest

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest_language.proposals import ExtractionAnswer
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.stores.ledger import (
    LeasedAnswer,
    Ledger,
    ModelRequestLease,
    ModelRequestState,
)
from tests.support.windows import window

LEASE = timedelta(minutes=2)


class Clock(Protocol):
    def __call__(self) -> datetime: ...
    def advance(self, by: timedelta) -> None: ...


def nothing_found(lease: ModelRequestLease) -> LeasedAnswer:
    assert isinstance(lease.request, ExtractionRequested)
    return LeasedAnswer(
        lease=lease,
        event=propose_candidates(lease.request, ExtractionAnswer(), provider="test").event,
    )


def ids(leases: Sequence[ModelRequestLease]) -> list[str]:
    return [lease.request_id for lease in leases]


class LedgerContract:
    @pytest.fixture(autouse=True)
    def _at(self, clock: Clock) -> None:
        self.clock = clock

    async def take(self, ledger: Ledger, limit: int = 10) -> list[ModelRequestLease]:
        now = self.clock()
        return await ledger.lease(limit=limit, until=now + LEASE, now=now)

    async def write(self, ledger: Ledger, *requests: ExtractionRequested) -> int:
        return await ledger.write_down(requests, now=self.clock())

    async def answered(self, ledger: Ledger, *requests: ExtractionRequested) -> list[str]:
        await self.write(ledger, *requests)
        answers = [nothing_found(lease) for lease in await self.take(ledger, len(requests))]
        await ledger.answer(answers, now=self.clock())
        return [answer.lease.request_id for answer in answers]

    async def test_a_request_is_written_down_once(self, ledger: Ledger) -> None:
        request = window()
        assert await self.write(ledger, request, request) == 1
        assert await self.write(ledger, request) == 0
        assert len(await self.take(ledger)) == 1
        assert await self.write(ledger, request) == 0
        assert await self.take(ledger) == []

    async def test_what_was_written_down_is_known(self, ledger: Ledger) -> None:
        request = window()
        assert await ledger.known([request.window_id]) == set()
        await self.write(ledger, request)
        assert await ledger.known([request.window_id, "another"]) == {request.window_id}

    async def test_a_lease_brings_the_request_as_it_was(self, ledger: Ledger) -> None:
        request = window("我叫王小明。", context=["你好"])
        await self.write(ledger, request)
        [lease] = await self.take(ledger)
        assert lease.request == request
        assert lease.attempt == 1

    async def test_a_session_is_leased_once_at_a_time(self, ledger: Ledger) -> None:
        first, second = window(name="1"), window(name="2")
        await self.write(ledger, first, second)
        [lease] = await self.take(ledger)
        assert lease.request_id == first.window_id
        assert await self.take(ledger) == []
        await ledger.answer([nothing_found(lease)], now=self.clock())
        assert ids(await self.take(ledger)) == [second.window_id]

    async def test_sessions_of_two_users_may_have_one_name(self, ledger: Ledger) -> None:
        await self.write(ledger, window(user="ana"), window(user="ben"))
        assert len(await self.take(ledger)) == 2

    async def test_no_more_are_leased_than_asked_for(self, ledger: Ledger) -> None:
        await self.write(ledger, *(window(session=f"s{number}") for number in range(5)))
        assert len(await self.take(ledger, 2)) == 2
        assert len(await self.take(ledger, 10)) == 3

    async def test_users_take_turns_whoever_brought_more(self, ledger: Ledger) -> None:
        much = [window(user="ana", session=f"s{number}") for number in range(6)]
        little = [window(user="ben", session=f"s{number}") for number in range(2)]
        await self.write(ledger, *much)
        await self.write(ledger, *little)
        turns = [lease.request.user_id for lease in await self.take(ledger, 4)]
        assert sorted(turns) == ["ana", "ana", "ben", "ben"]

    async def test_turns_are_as_long_as_what_they_cost(self, ledger: Ledger) -> None:
        long = "The report was read again. " * 2_000
        heavy = [window(long, user="ana", session=f"s{number}") for number in range(3)]
        light = [window(user="ben", session=f"s{number}") for number in range(6)]
        await self.write(ledger, *heavy)
        await self.write(ledger, *light)
        turns = [lease.request.user_id for lease in await self.take(ledger, 7)]
        assert sorted(turns) == ["ana", *["ben"] * 6]

    async def test_who_comes_late_need_not_wait_for_what_came_before(self, ledger: Ledger) -> None:
        much = [window(user="ana", session=f"s{number}") for number in range(8)]
        await self.write(ledger, *much)
        await self.take(ledger, 3)
        self.clock.advance(timedelta(seconds=1))
        await self.write(ledger, window(user="ben"))
        assert "ben" in [lease.request.user_id for lease in await self.take(ledger, 2)]

    async def test_one_user_is_served_oldest_first(self, ledger: Ledger) -> None:
        requests = [window(session=f"s{number}") for number in range(4)]
        for request in requests:
            await self.write(ledger, request)
            self.clock.advance(timedelta(seconds=1))
        taken = [*await self.take(ledger, 2), *await self.take(ledger, 2)]
        assert ids(taken) == [request.window_id for request in requests]

    async def test_a_long_session_does_not_block_the_others(self, ledger: Ledger) -> None:
        await self.write(ledger, *(window(name=str(number)) for number in range(30)))
        await self.write(ledger, window(session="s2"))
        taken: list[str | None] = []
        while leases := await self.take(ledger, 2):
            taken += [lease.request.session_id for lease in leases]
        assert sorted(map(str, taken)) == ["s1", "s2"]

    async def test_an_answer_counts_only_under_the_lease_that_holds(self, ledger: Ledger) -> None:
        await self.write(ledger, window())
        [lost] = await self.take(ledger)
        self.clock.advance(LEASE)
        assert await ledger.release(now=self.clock()) == 1
        [held] = await self.take(ledger)
        assert held.attempt == 2
        assert await ledger.answer([nothing_found(lost)], now=self.clock()) == set()
        assert await ledger.answer([nothing_found(held)], now=self.clock()) == {held.request_id}

    async def test_the_same_answer_is_accepted_again(self, ledger: Ledger) -> None:
        await self.write(ledger, window())
        [lease] = await self.take(ledger)
        for _ in range(2):
            accepted = await ledger.answer([nothing_found(lease)], now=self.clock())
            assert accepted == {lease.request_id}

    async def test_a_lease_that_has_not_ended_is_left_alone(self, ledger: Ledger) -> None:
        await self.write(ledger, window())
        await self.take(ledger)
        self.clock.advance(LEASE - timedelta(seconds=1))
        assert await ledger.release(now=self.clock()) == 0
        assert await self.take(ledger) == []

    async def test_leases_of_a_process_that_is_gone_end_at_once(self, ledger: Ledger) -> None:
        await self.write(ledger, window(session="s1"), window(session="s2"))
        await self.take(ledger, 1)
        self.clock.advance(timedelta(seconds=1))
        restarted_at = self.clock()
        self.clock.advance(timedelta(seconds=1))
        [mine] = await self.take(ledger, 1)
        assert await ledger.release(now=self.clock(), leased_before=restarted_at) == 1
        assert mine.request_id not in ids(await self.take(ledger))

    async def test_what_is_postponed_waits(self, ledger: Ledger) -> None:
        await self.write(ledger, window())
        [lease] = await self.take(ledger)
        later = self.clock() + timedelta(seconds=30)
        await ledger.postpone(lease, until=later, now=self.clock())
        assert await self.take(ledger) == []
        self.clock.advance(timedelta(seconds=30))
        [again] = await self.take(ledger)
        assert again.attempt == 2

    async def test_what_was_not_even_tried_is_no_attempt(self, ledger: Ledger) -> None:
        await self.write(ledger, window())
        for _ in range(3):
            [lease] = await self.take(ledger)
            assert lease.attempt == 1
            await ledger.postpone(lease, until=self.clock(), now=self.clock(), tried=False)

    async def test_what_is_postponed_holds_up_nobody(self, ledger: Ledger) -> None:
        await self.write(ledger, window(name="1"), window(name="2"))
        [lease] = await self.take(ledger)
        later = self.clock() + timedelta(hours=1)
        await ledger.postpone(lease, until=later, now=self.clock())
        [other] = await self.take(ledger)
        assert other.request_id != lease.request_id

    async def test_a_lost_lease_postpones_and_fails_nothing(self, ledger: Ledger) -> None:
        await self.write(ledger, window())
        [lost] = await self.take(ledger)
        self.clock.advance(LEASE)
        await ledger.release(now=self.clock())
        now = self.clock()
        await ledger.fail(lost, reason="late", now=now)
        await ledger.postpone(lost, until=now + timedelta(hours=1), now=now)
        assert len(await self.take(ledger)) == 1

    async def test_what_failed_is_tried_anew_when_it_comes_again(self, ledger: Ledger) -> None:
        request = window()
        await self.write(ledger, request)
        [lease] = await self.take(ledger)
        await ledger.fail(lease, reason="no_use", now=self.clock())
        assert await ledger.known([request.window_id]) == {request.window_id}
        assert await self.take(ledger) == []
        assert await self.write(ledger, request) == 1
        [again] = await self.take(ledger)
        assert (again.attempt, again.request) == (1, request)

    async def test_an_answer_goes_its_way(self, ledger: Ledger) -> None:
        request = window()
        [request_id] = await self.answered(ledger, request)
        [answered] = await ledger.underway(ModelRequestState.ANSWERED, limit=10)
        assert (answered.request_id, answered.user_id) == (request_id, "ana")
        [event] = await ledger.answers([request_id])
        assert event.event_id == answered.event_id
        await ledger.mark_published([request_id], now=self.clock())
        assert await ledger.underway(ModelRequestState.ANSWERED, limit=10) == []
        [published] = await ledger.underway(ModelRequestState.PUBLISHED, limit=10)
        assert published.request_id == request_id
        await ledger.confirm([request_id], now=self.clock())
        assert await ledger.underway(ModelRequestState.PUBLISHED, limit=10) == []
        assert await ledger.answers([request_id]) == [event]
        assert await self.write(ledger, request) == 0
        assert await self.take(ledger) == []

    async def test_the_longest_underway_come_first_and_fall_back_when_sent_again(
        self, ledger: Ledger
    ) -> None:
        first, second = window(session="s1"), window(session="s2")
        for request in (first, second):
            [request_id] = await self.answered(ledger, request)
            await ledger.mark_published([request_id], now=self.clock())
            self.clock.advance(timedelta(seconds=1))
        [oldest] = await ledger.underway(ModelRequestState.PUBLISHED, limit=1)
        assert oldest.request_id == first.window_id
        await ledger.mark_published([first.window_id], now=self.clock())
        [oldest] = await ledger.underway(ModelRequestState.PUBLISHED, limit=1)
        assert oldest.request_id == second.window_id

    async def test_what_had_its_effect_need_not_be_marked_as_published(
        self, ledger: Ledger
    ) -> None:
        [request_id] = await self.answered(ledger, window())
        await ledger.confirm([request_id], now=self.clock())
        await ledger.mark_published([request_id], now=self.clock())
        for state in (ModelRequestState.ANSWERED, ModelRequestState.PUBLISHED):
            assert await ledger.underway(state, limit=10) == []
        assert len(await ledger.answers([request_id])) == 1

    async def test_what_is_not_answered_is_not_published(self, ledger: Ledger) -> None:
        request = window()
        await self.write(ledger, request)
        await ledger.mark_published([request.window_id], now=self.clock())
        await ledger.confirm([request.window_id], now=self.clock())
        assert len(await self.take(ledger)) == 1

    async def test_what_is_dropped_is_known_and_leaves_nothing(self, ledger: Ledger) -> None:
        pending, leased = window(session="s1"), window(session="s2")
        unseen = window(session="s3")
        [answered] = await self.answered(ledger, window(session="s4"))
        await self.write(ledger, leased)
        [lease] = await self.take(ledger)
        await self.write(ledger, pending)
        dropped = [pending.window_id, leased.window_id, unseen.window_id, answered]
        await ledger.drop([(each, "ana") for each in dropped], reason="gone", now=self.clock())
        assert await ledger.known(dropped) == set(dropped)
        assert await self.take(ledger) == []
        assert await ledger.answer([nothing_found(lease)], now=self.clock()) == set()
        assert await ledger.answers(dropped) == []
        assert await self.write(ledger, pending, unseen) == 0

    async def test_the_backlog_tells_how_much_waits_and_since_when(self, ledger: Ledger) -> None:
        written_at = self.clock()
        await self.write(ledger, window(session="s1"), window(session="s2"))
        self.clock.advance(timedelta(seconds=5))
        await self.write(ledger, window(session="s3"))
        await self.take(ledger, 1)
        backlog = await ledger.backlog()
        assert backlog.oldest_pending == written_at
        assert backlog.counts[ModelRequestState.PENDING] == 2
        assert backlog.counts[ModelRequestState.LEASED] == 1
        assert backlog.counts[ModelRequestState.FAILED] == 0

    async def test_an_empty_ledger_has_no_oldest_request(self, ledger: Ledger) -> None:
        assert (await ledger.backlog()).oldest_pending is None

    async def test_many_who_lease_at_once_never_share_a_session(self, ledger: Ledger) -> None:
        requests = [
            window(session=f"s{session}", name=str(name))
            for session in range(6)
            for name in range(3)
        ]
        await self.write(ledger, *requests)
        taken = await asyncio.gather(*(self.take(ledger, 6) for _ in range(4)))
        sessions = [lease.request.session_id for leases in taken for lease in leases]
        assert len(sessions) == len(set(sessions))
        while leases := await self.take(ledger, 6):
            sessions += [lease.request.session_id for lease in leases]
        assert sorted(map(str, sessions)) == [f"s{session}" for session in range(6)]
