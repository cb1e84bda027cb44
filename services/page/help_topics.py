"""Topics of the help: every kind, status and score, taken from the tables that the views show.

A kind, a status or a part of a score that comes to be is a topic by itself; a test names those that lack
words.
"""

from palimpsest.api.recall import ScoreParts
from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language
from services.page.translations import load_words

FIGURES = ("importance", "confidence", "accesses")
"""Figures of a memory, beside the parts of the score of a recall."""

SCORES = (*FIGURES, *(name for name in ScoreParts.model_fields if name not in FIGURES))

OTHER_WORDS = (
    "bar",
    "forget",
    "erase",
    "take_back",
    "policy",
    "gate",
    "questions",
    "extraction",
    "ledger",
)
"""Words of the views that are neither kinds, statuses nor scores."""

_EXAMPLE_ADDRESS = "http://127.0.0.1:8000"

_CONNECTIONS: tuple[tuple[str, str], ...] = (
    (
        "python",
        """from palimpsest.client import PalimpsestClient

async with PalimpsestClient(http_url="http://127.0.0.1:8000") as client:
    await client.save_conversation(messages, user_id="kim", session_id="monday")
    known = await client.context("What can she eat?", user_id="kim")
    prompt = known.system_prompt
""",
    ),
    (
        "proxy",
        """client = OpenAI(
    base_url="http://127.0.0.1:8000/v1",
    api_key="…",
    default_headers={"X-Palimpsest-User": "kim"},
)
""",
    ),
    ("mcp", "palimpsest mcp --user kim --print-config claude-desktop\n"),
    (
        "mem0",
        """from palimpsest.integrations.mem0 import Memory

memory = Memory(http_url="http://127.0.0.1:8000")
""",
    ),
    (
        "http",
        """curl http://127.0.0.1:8000/v1/recall -H 'content-type: application/json' \\
  -d '{"user_id": "kim", "query": "What can she eat?"}'
""",
    ),
)
"""Ways to connect a chat service: the words of each, and what is written for it."""


def list_connections(address: str) -> list[tuple[str, str]]:
    """Return the ways to connect a chat service to the Palimpsest at this address."""
    return [(name, written.replace(_EXAMPLE_ADDRESS, address)) for name, written in _CONNECTIONS]


def explain_kind(kind: Kind, language: Language) -> str:
    """Return what belongs to a kind: in the words by which models are told of it, where they are."""
    hint = kind.properties.hint
    if hint is None:
        return load_words(language)[f"help.kind_{kind}"]
    return hint.chinese if language is Language.CHINESE else hint.english
