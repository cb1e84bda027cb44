"""The local rules in a process of their own, so that the event loop stays free."""

from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.local_extraction import LOCAL_PROVIDER_NAME
from palimpsest_language.proposals import ExtractionAnswer
from palimpsest_server.embedders.child_process import DEFAULT_TIMES, ChildProcess, ChildTimes

_UNSEEN = {"messages": {"__all__": {"images"}}}
"""Rules do not read pictures, and a picture may be as long as everything else together."""


class LocalExtractorProcess:
    """The rules in a child process: a message takes milliseconds, and many windows come due at once."""

    name = LOCAL_PROVIDER_NAME

    def __init__(self, *, times: ChildTimes = DEFAULT_TIMES) -> None:
        self._process = ChildProcess(
            "rules process", "palimpsest_server.extraction.local_extractor_child", times=times
        )

    @property
    def child_pid(self) -> int | None:
        return self._process.pid

    async def start(self) -> None:
        """Return when the child has loaded its rules.

        Raises:
            TransientError: the child did not load them in time.
        """
        await self._process.start()

    async def stop(self) -> None:
        await self._process.stop()

    async def check(self) -> None:
        """Check that windows can be extracted.

        Raises:
            TransientError: the child is being started.
        """
        self._process.check()

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        answer, _ = await self.extract_measured(request, seconds_for_each_message=None)
        return answer

    async def extract_measured(
        self, request: ExtractionRequest, *, seconds_for_each_message: float | None
    ) -> tuple[ExtractionAnswer, float]:
        """Return the answer and the processor time that it took, in seconds.

        A message that takes longer than the limit is cut there.
        """
        told = await self._process.ask(
            {
                "request": request.model_dump(mode="json", exclude=_UNSEEN),
                "seconds_for_each_message": seconds_for_each_message,
            }
        )
        return ExtractionAnswer.model_validate(told["answer"]), told["processor_seconds"]
