"""The bundled conversation: its messages, the expected memories, and the questions."""

from importlib.resources import files
from typing import Literal

from palimpsest.client import Message
from palimpsest.events.conversations import SessionEnded, SessionStarted
from palimpsest.events.envelope import Event
from palimpsest.model.memory import Status
from palimpsest.model.turn import Role
from palimpsest.model.value_types import Identifier, Instant, Value


class DemoLine(Value):
    at: Instant
    agent: Identifier | None = None
    """The agent that speaks; None if the user speaks."""
    text: str


class DemoSession(Value):
    session_id: Identifier
    topic: str
    project_id: Identifier | None = None
    agents: tuple[Identifier, ...]
    messages: tuple[DemoLine, ...]


class DemoExpectedMemory(Value):
    """A memory that must exist: with these words, in this status."""

    words: str
    status: Literal[Status.ACTIVE, Status.SUPERSEDED]


class DemoQuestion(Value):
    agent_id: Identifier
    project_id: Identifier | None = None
    query: str
    answer: str
    """Words that one of the first results must hold."""
    outdated: str | None = None
    """Words of a memory that no longer holds; no returned memory may hold them."""


class DemoConversation(Value):
    user_id: Identifier
    speaker: str
    sessions: tuple[DemoSession, ...]
    memories: tuple[DemoExpectedMemory, ...]
    questions: tuple[DemoQuestion, ...]


def load_bundled_conversation() -> DemoConversation:
    file = files("services.host.demo") / "conversation.json"
    return DemoConversation.model_validate_json(file.read_bytes())


def build_session_started(conversation: DemoConversation, session: DemoSession) -> Event:
    return SessionStarted(
        occurred_at=session.messages[0].at,
        user_id=conversation.user_id,
        agent_id=session.agents[0],
        project_id=session.project_id,
        session_id=session.session_id,
        topic=session.topic,
        participants=(conversation.speaker, *session.agents),
    )


def build_session_ended(conversation: DemoConversation, session: DemoSession) -> Event:
    return SessionEnded(
        occurred_at=session.messages[-1].at,
        user_id=conversation.user_id,
        agent_id=session.agents[0],
        project_id=session.project_id,
        session_id=session.session_id,
    )


def build_demo_message(
    conversation: DemoConversation, session: DemoSession, number: int
) -> Message:
    line = session.messages[number]
    return Message(
        message_id=f"{session.session_id}-{number + 1}",
        role=Role.AGENT if line.agent else Role.USER,
        text=line.text,
        speaker=None if line.agent else conversation.speaker,
        agent_id=line.agent or session.agents[0],
        occurred_at=line.at,
    )
