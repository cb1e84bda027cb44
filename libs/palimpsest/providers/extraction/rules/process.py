"""The local rules in a process of their own, for whoever has an event loop to keep free."""

from palimpsest.providers.child_process import ChildProcess
from palimpsest.providers.extraction.dialogue import ExtractionRequest
from palimpsest.providers.extraction.proposals_found import ExtractionAnswer
from palimpsest.providers.extraction.rules import NAME

_UNSEEN = {"messages": {"__all__": {"images"}}}
"""Rules see no pictures, and a picture may be as long as everything else together."""


class LocalRulesProcess:
    """Milliseconds for each message, and many users' windows come due at once: hence the child."""

    name = NAME

    def __init__(self) -> None:
        self._process = ChildProcess("rules process", "palimpsest.providers.extraction.rules.child")

    @property
    def child_pid(self) -> int | None:
        return self._process.pid

    async def start(self) -> None:
        """Return when the child has loaded its rules.

        Raises:
            TransientError: it did not within a minute.
        """
        await self._process.start()

    async def stop(self) -> None:
        await self._process.stop()

    async def check(self) -> None:
        """Return when windows can be understood.

        Raises:
            TransientError: the child is being started.
        """
        self._process.check()

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        answer = await self._process.ask(request.model_dump(mode="json", exclude=_UNSEEN))
        return ExtractionAnswer.model_validate(answer)
