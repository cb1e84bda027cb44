"""Asks the demo's questions, and checks the answers."""

import time
from dataclasses import dataclass

from palimpsest.api.recall import RecallResponse, RecordType
from palimpsest.client import PalimpsestClient
from services.host.demo.conversation import DemoConversation, DemoQuestion

RESULTS = 5


@dataclass(frozen=True)
class DemoAnswer:
    question: DemoQuestion
    response: RecallResponse
    milliseconds: float
    """Time as the asker measured it, Kafka included."""

    @property
    def problem(self) -> str | None:
        """The problem of the answer; None if it is right."""
        results = self.response.results
        if not any(self.question.answer in result.content for result in results):
            return f"none of the first {RESULTS} results says {self.question.answer!r}"
        outdated = self.question.outdated
        if outdated and any(
            outdated in result.content for result in results if result.record is RecordType.MEMORY
        ):
            return f"a memory that no longer holds was returned: {outdated!r}"
        return None


async def ask_questions(
    client: PalimpsestClient, conversation: DemoConversation
) -> list[DemoAnswer]:
    """Ask the questions one after another and time each."""
    answers = []
    for question in conversation.questions:
        began = time.perf_counter()
        response = await client.recall(
            question.query,
            user_id=conversation.user_id,
            agent_id=question.agent_id,
            project_id=question.project_id,
            limit=RESULTS,
        )
        answers.append(DemoAnswer(question, response, 1000 * (time.perf_counter() - began)))
    return answers
