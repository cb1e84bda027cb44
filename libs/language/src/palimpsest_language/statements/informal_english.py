"""English as it is typed in a hurry: “im”, “dont”, “ive got”."""

import re

_WITHOUT_APOSTROPHE = re.compile(
    r"(?<![\w'.@/])(?:i(?=m )|(?:do|does|did|ca|is|are|was|were|have|has|had|would|could|should)n"
    r"(?=t )"
    r"|(?:he|she|there|that|what)(?=s )|(?:they|you)(?=re )|(?:i|they|we)(?=ve )"
    r"|(?:dad|mum|mom|nan|gran)(?=s (?:allergic|an?|in|on|at|been|got|getting|coming|not|away|ill"
    r"|sick|sending|making)\b)"
    r"|it(?=s (?:an?|the|not|been|on|at|my|our|\w+day)\b))",
    re.IGNORECASE,
)
"""“im”, “dont”, “its monday”: as they are typed in a hurry."""
_SMALL_I = re.compile(r"(?<![\w'.])i(?=['\s])")


def restore_apostrophes(text: str) -> str:
    """With the apostrophes and the capital I that were left out."""
    return _SMALL_I.sub("I", _WITHOUT_APOSTROPHE.sub(r"\g<0>'", text))
