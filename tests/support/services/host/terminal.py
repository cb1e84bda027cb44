"""Commands as they are typed, of user ann, and what they answer."""

import json
from datetime import UTC, datetime

from typer.testing import CliRunner, Result

from palimpsest.api.recall import RecallTrace, RecordType, TracedResult
from palimpsest.model.profile import Profile, build_empty_profile
from palimpsest.model.usage import ModelCall
from palimpsest.model.user import Language
from services.host.cli import build_command_line

CALL = ModelCall(
    id="call",
    user_id="ann",
    request_id="window",
    task="extraction",
    model="openai/m-1",
    begun_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
    input_tokens=100,
    cached_input_tokens=40,
    output_tokens=7,
    cost_millionths=250,
)
"""That a language model took something for her."""

TRACE = RecallTrace(
    recall_id="r1",
    asked="what does she drink?",
    asked_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
    results=(
        TracedResult(id="tea", record=RecordType.MEMORY, score=0.5),
        TracedResult(id="turn", record=RecordType.TURN, score=0.25),
    ),
    used=("tea",),
)
"""That something was recalled for Lin, of whom nothing is ever forgotten here."""


def _account(version: int, city: str) -> Profile:
    made_at = datetime(2026, 3, version, 9, 30, tzinfo=UTC)
    fields = {
        "id": f"v{version}",
        "version": version,
        "narrative": f"用户住在{city}。",
        "basic_info": {"city": city},
    }
    return build_empty_profile("ann", Language.CHINESE, epoch=0, now=made_at).model_copy(
        update=fields
    )


PROFILES = (_account(1, "上海"), _account(2, "杭州"))
"""What is known of her, and what was."""


def ask(url: str, *arguments: str, words: str | None = None, user: str = "ann") -> Result:
    given = [*arguments, "--user", user, "--url", url]
    return CliRunner().invoke(build_command_line(arguments), given, input=words)


def unwrapped(result: Result) -> str:
    """What was said in a box, without the box and its lines."""
    return " ".join(result.output.replace("│", " ").split())


def answered(url: str, *arguments: str) -> dict[str, object]:
    result = ask(url, *arguments, "--json")
    assert result.exit_code == 0, result.output
    answer: dict[str, object] = json.loads(result.stdout)
    return answer


def added(url: str, content: str) -> str:
    memory = answered(url, "memories", "add", content)["memory"]
    assert isinstance(memory, dict)
    return str(memory["id"])


KEY = "a key of these very tests"
