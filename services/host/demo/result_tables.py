"""The demo's tables."""

from rich.console import Console
from rich.text import Text

from palimpsest.api.recall import RecallResult, RecordType
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from services.host.demo.recall_questions import DemoAnswer
from services.host.wrapped_tables import build_wrapped_table


def show_memories(console: Console, memories: list[Memory]) -> None:
    """Show the memories; those that no longer hold are struck through, with the day they ended."""
    table = build_wrapped_table(
        "said on", "held until", "kind", "what", "whose", title="Remembered"
    )
    for memory in memories:
        holds = memory.status is Status.ACTIVE
        table.add_row(
            f"{memory.valid_from:%d %b}",
            f"{memory.valid_until:%d %b}" if memory.valid_until else "",
            memory.kind,
            Text(memory.content, style="" if holds else "strike dim"),
            _whose(memory.scope),
        )
    console.print(table)


def show_answer(console: Console, answered: DemoAnswer) -> None:
    question = answered.question
    where = (
        f"{question.agent_id} in {question.project_id}"
        if question.project_id
        else question.agent_id
    )
    title = f"{where}: {question.query}   {answered.milliseconds:.0f} ms"
    table = build_wrapped_table("score", "what", "rests on", title=Text(title, "bold"))
    for result in answered.response.results:
        table.add_row(f"{result.score:.2f}", Text(result.content), _evidence(result))
    console.print(table)
    if answered.problem:
        console.print(Text(f"Wrong: {answered.problem}", "bold red"))


def _whose(scope: Scope) -> str:
    agent = scope.agent_id or "all agents"
    return f"{agent}, {scope.project_id}" if scope.project_id else agent


def _evidence(result: RecallResult) -> str:
    source = "memory of" if result.record is RecordType.MEMORY else "said in"
    messages = dict.fromkeys(evidence.message_id or evidence.origin for evidence in result.evidence)
    return f"{source} {', '.join(list(messages)[:2])}"
