"""What the demo expects to be remembered of its bundled conversation."""

from palimpsest.domain.memory import Status
from services.host.demo.conversation import bundled
from tests.libs.providers.extraction.rules.statements.saying import proposed


async def test_local_rules_propose_what_the_demo_expects() -> None:
    conversation = bundled()
    found = [
        proposal.content
        for session in conversation.sessions
        for proposal in await proposed(
            *(
                f"{line.agent}: {line.text}" if line.agent else line.text
                for line in session.messages
            ),
            participants=session.agents,
        )
    ]
    lacking = [
        expected.words
        for expected in conversation.memories
        if not any(expected.words in content for content in found)
    ]
    assert lacking == []
    assert {expected.status for expected in conversation.memories} == {
        Status.ACTIVE,
        Status.SUPERSEDED,
    }
