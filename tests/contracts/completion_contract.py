"""The promises of every store of completed todos."""

from palimpsest.model.scope import Scope
from palimpsest.model.todo import TodoCompletion
from palimpsest.model.turn import turn_id
from palimpsest_server.domain.todos.settlement import CompletionReport, report_completions
from palimpsest_server.stores.completions import CompletionStore
from tests.support.server.domain.consolidation.samples import ALICE, day


def done(message: str, *, on: int, scope: Scope = ALICE, epoch: int = 0) -> CompletionReport:
    said = TodoCompletion(quote=f"{message}!", session_id="s", message_id=message, said_at=day(on))
    (report,) = report_completions([said], scope, epoch=epoch, now=day(on))
    return report


async def kept(completions: CompletionStore, user_id: str = "alice") -> set[str]:
    return {report.completion.quote for report in await completions.since({user_id: day(0)})}


class CompletionContract:
    async def test_it_is_found_by_its_user_from_its_moment_on(
        self, completions: CompletionStore
    ) -> None:
        bobs = done("bob", on=5, scope=Scope(user_id="bob"))
        first, second = done("first", on=1), done("second", on=2)
        await completions.write([first, second, bobs])
        assert await completions.since({"alice": day(2)}) == [second]
        assert await completions.since({"alice": day(3)}) == []
        assert await completions.since({}) == []

    async def test_once_said_it_is_kept_once(self, completions: CompletionStore) -> None:
        report = done("first", on=1)
        await completions.write([report])
        await completions.write(
            [report.model_copy(update={"noted_at": day(9)}), done("more", on=2)]
        )
        assert report in await completions.since({"alice": day(0)})
        assert await kept(completions) == {"first!", "more!"}

    async def test_what_is_withheld_is_kept_no_more(self, completions: CompletionStore) -> None:
        await completions.write([done("first", on=1), done("second", on=2)])
        await completions.withhold([turn_id("alice", "s", "first")])
        assert await kept(completions) == {"second!"}
