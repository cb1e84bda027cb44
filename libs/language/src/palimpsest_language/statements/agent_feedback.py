"""Feedback on an agent's work: good, or bad."""

from palimpsest.model.kinds import Kind
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.statements.statement_builder import ClauseStatement

_PHRASES = read_phrases("statements/agent_feedback")
_PRAISES = _PHRASES["praises"]
_COMPLAINS = _PHRASES["complains"]
_ORDERS = _PHRASES["orders"]
_FROM_NOW_ON = _PHRASES["from_now_on"]


def is_feedback_on_past(statement: ClauseStatement) -> bool:
    """Tell whether feedback is about the past, and not about the future."""
    kinds = {part.kind for part in statement.parts if part.kind is not None}
    return kinds == {Kind.FEEDBACK} and not _FROM_NOW_ON.search(statement.first.core)


def build_feedback_fields(statement: ClauseStatement) -> dict[str, str]:
    """Return the fields of a proposal for what is liked or disliked about the agent."""
    judged = (part.core for part in statement.parts if part.kind is Kind.FEEDBACK)
    words = next(judged, statement.first.core)
    if _ORDERS.search(words):
        return {}
    likes = _PRAISES.search(words) and not _COMPLAINS.search(words)
    return {"subject": "agent", "attribute": "likes" if likes else "dislikes", "value": words}
