"""Settles answers: stores them, then publishes them, many at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import structlog

from palimpsest.model.clock import Clock
from palimpsest_language.local_extraction import LOCAL_PROVIDER_NAME as LOCAL_RULES
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.error_classification import (
    describe_failure,
    is_transient,
)
from palimpsest_server.stores.ledger import LeasedAnswer, Ledger, ModelRequestLease
from services.extractor.metrics import ExtractorMetrics
from services.extractor.publish_answers import AnswerPublisher

ANSWERS_AT_ONCE = 64

BATCH_WAIT_SECONDS = 0.03
"""How long an answer of the rules waits for others of the same look. The rules take some
milliseconds for each, and the later stages handle many for the price of one. A model's answer is
stored at once, because a lost one costs another request.
"""

ResultT = TypeVar("ResultT")

OnAnswerSettled = Callable[[LeasedAnswer], None]
OnSettlementFailed = Callable[[ModelRequestLease, Exception], Awaitable[None]]

_log = structlog.get_logger("palimpsest.extractor")


class AnswerSettlement:
    """Takes answers as they come, and holds them until the ledger and Kafka have them."""

    def __init__(
        self,
        ledger: Ledger,
        proposals: AnswerPublisher,
        *,
        metrics: ExtractorMetrics,
        clock: Clock,
        backoff: Backoff | None = None,
        wait_seconds: float = BATCH_WAIT_SECONDS,
    ) -> None:
        self._wait_seconds = wait_seconds
        self._ledger = ledger
        self._proposals = proposals
        self._metrics = metrics
        self._clock = clock
        self._backoff = backoff or Backoff()
        self._answers: asyncio.Queue[LeasedAnswer] = asyncio.Queue()

    def hand_in(self, answer: LeasedAnswer) -> None:
        self._answers.put_nowait(answer)

    async def run(self, *, settled: OnAnswerSettled, failed: OnSettlementFailed) -> None:
        """Settle answers until cancelled.

        Args:
            settled: called with each answer that needs nothing more from its worker.
            failed: called with each lease whose answer cannot be stored.
        """
        while True:
            answers = [await self._answers.get()]
            await self._wait_for_others(answers)
            while not self._answers.empty() and len(answers) < ANSWERS_AT_ONCE:
                answers.append(self._answers.get_nowait())
            await self._settle(answers, failed)
            for answer in answers:
                settled(answer)

    async def _wait_for_others(self, answers: list[LeasedAnswer]) -> None:
        """Add answers that arrive meanwhile; a model's answer ends the wait."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._wait_seconds):
                while answers[-1].event.provider == LOCAL_RULES and len(answers) < ANSWERS_AT_ONCE:
                    answers.append(await self._answers.get())

    async def _settle(self, answers: Sequence[LeasedAnswer], failed: OnSettlementFailed) -> None:
        accepted = await self._stored(answers, failed)
        self._metrics.refused.inc(len(answers) - len(accepted))
        for answer in accepted:
            self._metrics.answers.labels(answer.event.provider).inc()
        try:
            await self._insist(
                lambda: self._proposals.send([leased_answer.event for leased_answer in accepted])
            )
        except Exception as error:  # noqa: BLE001 - stored they are: the reconciler sends them
            _log.error("answers could not be published", **describe_failure(error))

    async def _stored(
        self, answers: Sequence[LeasedAnswer], failed: OnSettlementFailed
    ) -> list[LeasedAnswer]:
        try:
            stored = await self._insist(lambda: self._ledger.answer(answers, now=self._clock()))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is one answer's fault
            if len(answers) > 1:
                alone = [await self._stored([answer], failed) for answer in answers]
                return [answer for each in alone for answer in each]
            _log.warning("an answer could not be stored", **describe_failure(error))
            await failed(answers[0].lease, error)
            return []
        return [answer for answer in answers if answer.lease.request_id in stored]

    async def _insist(self, step: Callable[[], Awaitable[ResultT]]) -> ResultT:
        """Repeat a step with growing waits while its error is transient; other errors are raised."""
        failures = 0
        while True:
            try:
                return await step()
            except Exception as error:
                if not is_transient(error):
                    raise
                failures += 1
                delay = self._backoff.delay(failures)
                _log.warning(
                    "answers wait", **describe_failure(error), trying_again_in_seconds=delay
                )
                await asyncio.sleep(delay)
