"""`palimpsest demo`."""

import tempfile
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from palimpsest.client import PalimpsestClient
from palimpsest.model.errors import PalimpsestError, TransientError
from palimpsest_server.runtime.log_configuration import configure_logging
from palimpsest_server.runtime.settings import Mode, Settings
from services.host.demo import conversation, playback, recall_questions, result_tables
from services.host.demo.conversation import DemoConversation
from services.host.embedded_mode import EMBEDDED_OVERRIDES, EmbeddedApplication, start_embedded
from services.host.narration import Narrator
from services.host.signals import run_until_signalled


class DemoFailed(PalimpsestError):
    """Something was not remembered, or a recall did not return the expected result."""


_OF_THE_DEMO = frozenset({"mode", "data_directory", "http_port", "log_level"})
_ADDRESSES = frozenset({"kafka_bootstrap_servers", "mongodb_url"})
"""Settings that embedded mode decides, in addition to its overrides."""


def demo() -> None:
    """A bundled conversation through everything, in a temporary folder; nothing of it stays."""
    with tempfile.TemporaryDirectory(prefix="palimpsest-demo-") as folder:
        settings = Settings(
            mode=Mode.EMBEDDED, data_directory=Path(folder), http_port=0, log_level="ERROR"
        )
        configure_logging(settings)
        run_until_signalled(_demo(settings, Narrator()))


async def _demo(settings: Settings, narrator: Narrator) -> None:
    script = conversation.load_bundled_conversation()
    async with start_embedded(settings, say=narrator.say) as everything:
        narrator.say("ready")
        await _perform(everything, script, narrator)
    narrator.say(f"all {len(script.questions)} answers are right, and nothing is left behind")


async def _perform(
    everything: EmbeddedApplication, script: DemoConversation, narrator: Narrator
) -> None:
    console = narrator.console
    key = everything.settings.api_key
    client = PalimpsestClient(
        http_url=everything.http_url,
        kafka_bootstrap_servers=everything.settings.kafka_bootstrap_servers,
        kafka_topic_prefix=everything.settings.kafka_topic_prefix,
        api_key=key.get_secret_value() if key else None,
    )
    async with client:
        await _play(client, script, narrator)
        narrator.say("waiting until all of it can be recalled")
        try:
            memories = await playback.wait_until_remembered(client, script)
        except TransientError as error:
            raise DemoFailed(f"{error} {advise_after_failure(everything.settings)}") from error
        narrator.say(f"{len(memories)} memories")
        result_tables.show_memories(console, memories)
        answers = await recall_questions.ask_questions(client, script)
    for answered in answers:
        result_tables.show_answer(console, answered)
    wrong = [f"{answer.question.query!r}: {answer.problem}" for answer in answers if answer.problem]
    if wrong:
        raise DemoFailed(
            f"{len(wrong)} of {len(answers)} answers are not right ({'; '.join(wrong)})."
            f" {advise_after_failure(everything.settings)}"
        )


def advise_after_failure(settings: Settings) -> str:
    """Advise on a demo that failed."""
    prefix = Settings.model_config["env_prefix"]
    own = settings.model_fields_set - _OF_THE_DEMO - EMBEDDED_OVERRIDES.keys() - _ADDRESSES
    if own:
        names = ", ".join(sorted(f"{prefix}{name}".upper() for name in own))
        return f"What it expects holds for the settings as they come: try again without {names}."
    return (
        "A machine that is very busy may need longer: try again. If it fails once more,"
        " `palimpsest doctor` says what is wrong here."
    )


async def _play(client: PalimpsestClient, script: DemoConversation, narrator: Narrator) -> None:
    total = sum(len(session.messages) for session in script.sessions)
    agents = {agent for session in script.sessions for agent in session.agents}
    narrator.say(
        f"publishing {total} messages of {len(script.sessions)} days with {len(agents)} agents"
    )
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=narrator.console) as progress:
        task = progress.add_task("conversations → Kafka", total=total)
        await playback.play_conversation(
            client, script, lambda count: progress.advance(task, count)
        )
