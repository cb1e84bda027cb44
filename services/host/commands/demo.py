"""`palimpsest demo`."""

import tempfile
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from palimpsest.client import PalimpsestClient
from palimpsest.domain.errors import PalimpsestError
from palimpsest.runtime.logging import configure_logging
from palimpsest.runtime.settings import Mode, Settings
from services.host.demo import asking, conversation, playing, showing
from services.host.demo.conversation import Conversation
from services.host.embedded import Embedded, embedded
from services.host.narration import Narrator
from services.host.signals import run_until_signalled


class DemoFailed(PalimpsestError):
    """A recall did not return what it should."""


def demo() -> None:
    """A bundled conversation through everything, in a temporary folder; nothing of it stays."""
    with tempfile.TemporaryDirectory(prefix="palimpsest-demo-") as folder:
        settings = Settings(
            mode=Mode.EMBEDDED, data_directory=Path(folder), http_port=0, log_level="ERROR"
        )
        configure_logging(settings)
        run_until_signalled(_demo(settings, Narrator()))


async def _demo(settings: Settings, narrator: Narrator) -> None:
    script = conversation.bundled()
    async with embedded(settings, say=narrator.say) as everything:
        narrator.say("ready")
        await _perform(everything, script, narrator)
    narrator.say("all four answers are right, and nothing is left behind")


async def _perform(everything: Embedded, script: Conversation, narrator: Narrator) -> None:
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
        memories = await playing.remembered(client, script)
        narrator.say(f"{len(memories)} memories")
        showing.show_memories(console, memories)
        answers = await asking.ask(client, script)
    for answered in answers:
        showing.show_answer(console, answered)
    wrong = [answered.question.query for answered in answers if answered.problem]
    if wrong:
        raise DemoFailed(f"{len(wrong)} of {len(answers)} answers are not right.")


async def _play(client: PalimpsestClient, script: Conversation, narrator: Narrator) -> None:
    total = sum(len(session.messages) for session in script.sessions)
    agents = {agent for session in script.sessions for agent in session.agents}
    narrator.say(
        f"publishing {total} messages of {len(script.sessions)} days with {len(agents)} agents"
    )
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=narrator.console) as progress:
        task = progress.add_task("conversations → Kafka", total=total)
        await playing.play(client, script, lambda count: progress.advance(task, count))
