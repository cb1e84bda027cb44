"""`bench cost`: what models take for a thousand conversations, by provider and task.

Conversations go through a whole Palimpsest whose model is a server that counts
what it is sent; what it counted is read where a chat service reads it, from
`GET /v1/usage`. Beside it stands what sending everything that was ever said
along with each message would take.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from palimpsest.client import PalimpsestClient
from palimpsest.model.errors import TransientError
from palimpsest.model.turn import Role
from palimpsest.model.usage import UsageSum
from palimpsest_lab.cost.conversation_users import ConversationUser
from palimpsest_lab.cost.figures import THOUSAND, ChatTokens, compute_cost_figures
from palimpsest_lab.extraction.dialogue_readers import ReaderName
from palimpsest_lab.instances import scripted_model
from palimpsest_lab.instances.measured_instance import MeasuredInstance, run_embedded_instance
from palimpsest_lab.instances.model_server import ScriptedModelServer, run_model_server
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_server.models.prices import ModelPrices
from palimpsest_server.models.token_counter import get_token_counter

LAST_MESSAGES = 10
"""What a chat service sends along of the conversation itself, whatever it remembers."""

QUIET_SECONDS = 8.0
"""Nothing was asked of the model for so long: what was to be understood is."""
BETWEEN_SECONDS = 2.5
"""The same between two conversations; a session that is over is summed up within two."""
PATIENCE_SECONDS = 600.0

DEFINITION = (
    "each file's dialogues are conversations of one user, one after another; tokens as counted by "
    "o200k_base in requests really sent (instructions, messages, shape of the answer) and in the "
    "answers of a server that notes every statement in the user's words; nothing counted as "
    "cached; with_memory: what extraction, summaries, profiles and judgements take, and for each "
    "message of a user the block of /v1/context and the last 10 messages; full_context: for each "
    "message of a user all that was said in this and all earlier conversations; a chat model of "
    "the same price; answers of the chat model are the same both ways and not counted. What memory "
    "takes does not grow with the history, and the full context does: break_even_history_tokens is "
    "where both cost the same for each message, saving_at_reference what is saved at the 16,667 tokens "
    "of the history of reference"
)


async def run_benchmark(
    talkers: Sequence[ConversationUser],
    providers: Sequence[ReaderName],
    *,
    model: str,
    prices: Mapping[str, ModelPrices],
    embedder: str | None,
) -> BenchmarkReport:
    """Run all conversations once for each provider, each time on a Palimpsest of its own."""
    conversations = sum(len(talker.talks) for talker in talkers)
    found: dict[str, dict[str, Any]] = {}
    for provider in providers:
        name = f"{provider}/{model}"
        async with (
            run_model_server(scripted_model.answer_model_request) as server,
            run_embedded_instance(
                embedder,
                settings=build_instance_settings(provider, model, server, prices.get(name)),
            ) as subject,
        ):
            tasks, chat = await _measured(subject, server, talkers)
        found[name] = compute_cost_figures(
            tasks, chat, conversations=conversations, prices=prices.get(name)
        )
    return BenchmarkReport(
        title=f"What models take for {THOUSAND:,} conversations",
        rows=[
            {"model": name, "task": task, **{key: row[key] for key in _COLUMNS}}
            for name, one in found.items()
            for task, row in one["per_thousand"].items()
        ],
        figures={
            "models": found,
            "conversations": conversations,
            "users": len(talkers),
            "definition": DEFINITION,
        },
        remark=" ".join(_words(name, one) for name, one in found.items()),
    )


_COLUMNS = ("calls", "input_tokens", "output_tokens", "cost")


def build_instance_settings(
    provider: ReaderName, model: str, server: ScriptedModelServer, prices: ModelPrices | None
) -> dict[str, str]:
    """The environment of an instance that asks the server as if it were this vendor's."""
    vendor, url = provider.value.upper(), server.url
    address = url if provider is ReaderName.ANTHROPIC else f"{url}/v1"
    named = {} if prices is None else {f"{provider}/{model}": prices.model_dump(exclude_none=True)}
    return {
        "PALIMPSEST_EXTRACTION_MODEL": f"{provider}/{model}",
        f"PALIMPSEST_{vendor}_BASE_URL": address,
        f"PALIMPSEST_{vendor}_API_KEY": "counted-and-not-read",
        "PALIMPSEST_MODEL_PRICES": json.dumps(named),
    }


def _words(name: str, one: Mapping[str, Any]) -> str:
    against = one["against_full_context"]
    saving = against["saving_cost"]
    what = "cost" if saving is not None else "tokens"
    saving = against["saving_tokens"] if saving is None else saving
    words = f"{name}: {format_saving(saving, what)} than the full context of these conversations"
    at_reference = against["saving_at_reference"]
    return (
        f"{words}."
        if at_reference is None
        else f"{words}, {format_saving(at_reference, what)} at the history of reference."
    )


def format_saving(saving: float, what: str) -> str:
    """Return "80% less cost", or "3.1 times more cost" for a saving below zero."""
    return f"{saving:.0%} less {what}" if saving >= 0 else f"{-saving:.1f} times more {what}"


async def _measured(
    subject: MeasuredInstance, server: ScriptedModelServer, talkers: Sequence[ConversationUser]
) -> tuple[dict[str, UsageSum], ChatTokens]:
    chat = ChatTokens()
    async with subject.over_http() as client:
        rounds = max(len(talker.talks) for talker in talkers)
        with show_progress("talking", rounds) as progress:
            for number in range(rounds):
                for talker in talkers:
                    await _talk_over(client, talker, number)
                # As conversations are apart in time, so is what is understood of them.
                await _quiet(server, seconds=BETWEEN_SECONDS)
                progress(1)
        await _quiet(server, seconds=QUIET_SECONDS)
        tasks = await _taken(client, talkers)
        for talker in talkers:
            await _chatted(client, talker, chat)
    return tasks, chat


async def _talk_over(client: PalimpsestClient, talker: ConversationUser, number: int) -> None:
    for talk in talker.talks[number : number + 1]:
        await client.save_conversation(
            talk.messages, user_id=talker.user_id, session_id=talk.session_id, ended=True
        )


async def _quiet(server: ScriptedModelServer, *, seconds: float) -> None:
    """Return when the model was not asked for so long.

    Raises:
        TransientError: it is asked all the time.
    """
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            known = -1
            while known != server.asked or server.at_once:
                known = server.asked
                await asyncio.sleep(seconds)
    except TimeoutError:
        raise TransientError("the model is asked without end") from None


async def _taken(
    client: PalimpsestClient, talkers: Sequence[ConversationUser]
) -> dict[str, UsageSum]:
    tasks: dict[str, UsageSum] = {}
    for talker in talkers:
        for row in (await client.usage(talker.user_id)).rows:
            tasks[row.task] = tasks.get(row.task, UsageSum()) + row.sum
    return tasks


async def _chatted(client: PalimpsestClient, talker: ConversationUser, chat: ChatTokens) -> None:
    """Count what a chat model would be sent with each message of this user, either way."""
    count = get_token_counter()
    history = 0
    for talk in talker.talks:
        sizes: list[int] = []
        for message in talk.messages:
            sizes.append(count(f"{message.speaker or message.role.value}: {message.text}"))
            history += sizes[-1]
            if message.role is Role.USER:
                block = (await client.context(message.text, user_id=talker.user_id)).block
                chat.messages += 1
                chat.full_context += history
                chat.recent += sum(sizes[-LAST_MESSAGES:])
                chat.blocks.append(count(block))
