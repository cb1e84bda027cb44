"""Two hundred users with agents whose ids were chosen to be mistaken for one another."""

from itertools import product

from palimpsest.model.scope import Layer, Scope

COUNT = 200

CHOSEN = (
    ("a_b", "c"),
    ("a", "b_c"),
    ("a_b_c", None),
    ("a", "b"),
    ("a", None),
    ("a", "shared"),
    ("a", "none"),
    ("a", "null"),
    ("a", "None"),
    ("a", "user"),
    ("user_a", None),
    ("user", "a"),
    ("shared", None),
    ("none", None),
    ("null", "null"),
    ("a/b", "c"),
    ("a", "b/c"),
    ("a.b", "c"),
    ("a", "b.c"),
    ("a b", "c"),
    ("a", "b c"),
    ("A", "B"),
    ("é", None),
    ("e\u0301", None),
    ("1:a;", None),
    ("1", "a;"),
    ("x" * 200, None),
    ("x" * 199 + "y", None),
    ("x" * 100, "x" * 100),
    ("x" * 200, "x" * 200),
)

HOSTILE = (
    "a",
    "shared",
    "null",
    "a b",
    " a",
    "a ",
    "a/b",
    "../a",
    "a%2Fb",
    "a.b",
    "$where",
    "*",
    "小明",
    "明小",
    "小 明",
    "🦊",
    "🦊🦊",
    "\U0001f469\u200d\U0001f467",
    "h_a",
    "ꙮ" * 200,
)

PAIRS = tuple(dict.fromkeys([*CHOSEN, *product(HOSTILE, (None, *HOSTILE))]))[:COUNT]


class Canary:
    """What one pair was told, in a memory and in a message, and nobody else ever was."""

    def __init__(self, number: int, user_id: str, agent_id: str | None) -> None:
        self.user_id = user_id
        self.agent_id = agent_id
        self.scope = Scope(user_id=user_id, agent_id=agent_id)
        self.memory = f"The canary of this pair is called songbird{number:03}"
        self.turn = f"Remind me: what does the canary with the ring {number:03}-{number:03} eat?"

    @property
    def layers(self) -> list[Layer]:
        """Where its own canaries live, and nothing of the user's that all agents may see."""
        return [self.scope.layer]

    def __repr__(self) -> str:
        return f"{self.user_id[:20]!r} with {self.agent_id and self.agent_id[:20]!r}"


CANARIES = tuple(Canary(number, *pair) for number, pair in enumerate(PAIRS))
