"""Feedback on an agent's work: good, or bad."""

from palimpsest.model.kinds import Kind
from palimpsest_language.statements.kind_cue import compile_any
from palimpsest_language.statements.statement_builder import ClauseStatement

_PRAISES = compile_any(
    (
        r"\b(?:good|great|nice|lovely|excellent|brilliant|amazing|helpful|useful|perfect|spot on"
        r"|thanks|exactly)\b"
    ),
    r"不错|很(?:好|棒|快|清楚|有用|到位)|挺好|得(?:很|真)(?:好|快|清楚)|喜欢",
)
_COMPLAINS = compile_any(
    r"\b(?:not|\w+n't|too|stop|never|but)\b|太|不要|别(?!的|处|家|人)|没|不(?!错)"
)
_ORDERS = compile_any(
    r"^(?:please |pls )?(?:stop|quit) \w+ing\b", r"^(?:请)?(?:别|不要)(?:再|老|总)"
)
"""How the speaker wants it: nothing is said of one answer."""
_FROM_NOW_ON = compile_any(r"\bnext time\b|\bfrom now on\b|下次|以后|今后")


def is_feedback_on_past(statement: ClauseStatement) -> bool:
    """Tell whether feedback is on the past, and not on how it is to be from now on."""
    kinds = {part.kind for part in statement.parts if part.kind is not None}
    return kinds == {Kind.FEEDBACK} and not _FROM_NOW_ON.search(statement.first.core)


def build_feedback_fields(statement: ClauseStatement) -> dict[str, str]:
    """Return what is liked or disliked of what the agent does, as fields of a proposal."""
    words = statement.first.core
    if _ORDERS.search(words):
        return {}
    likes = _PRAISES.search(words) and not _COMPLAINS.search(words)
    return {"subject": "agent", "attribute": "likes" if likes else "dislikes", "value": words}
