"""A command that is added to one file is taken up everywhere, or the program names what it lacks."""

from pathlib import Path

import pytest
import yaml

from palimpsest.events import commands
from tests.support.altered_program import (
    Alteration,
    AlteredProgram,
    read_source,
    replace_once,
)
from tests.support.paths import ROOT

ACTION = 'MemoryAction(name="snooze", description="Leave it out for a while.")'
COMMAND = f"""

class SnoozeMemory(SingleMemoryCommand):
    \"\"\"Leave one memory out for a while.\"\"\"

    PROPERTIES: ClassVar[CommandProperties] = CommandProperties(
        given_by=CommandGiver.PEOPLE,
        surfaces=({ACTION},),
        free_text=REASON_FIELD,
        needs_barrier=True,
        changes_settings=True,
        reads_stored_state=True,
        reads_timeline=True,
        changes_visibility=True,
        hides_evidence=True,
        erases=True,
        outlives_erasure=True,
        profile_effect=ProfileEffect.FORGETS,
        tells_recall_use=True,
    )

    type: Literal["SnoozeMemory"] = "SnoozeMemory"
    reason: str = "not now"
"""

CLIENT_CALL = """
import types
package = types.ModuleType("palimpsest.client")
package.__path__ = importlib.util.find_spec("palimpsest.client").submodule_search_locations
sys.modules["palimpsest.client"] = package
from palimpsest.client.commands import CommandCalls
CommandCalls.snooze = CommandCalls.pin
del sys.modules["palimpsest.client"]
import palimpsest.client
"""
EXECUTOR = """
from palimpsest.events.commands import SnoozeMemory
from services.consolidator.commands import execute_commands
from palimpsest_server.domain.consolidation.manual_edits import MemoryCommandOutcome
execute_commands.EXECUTORS[SnoozeMemory] = lambda event, grounds: MemoryCommandOutcome.UNCHANGED
"""
TAKEN_UP = (
    EXECUTOR
    + CLIENT_CALL
    + """
from datetime import UTC, datetime
from palimpsest.events import topics
from palimpsest.model.user import UserState
from palimpsest_server.delivery.event_decoder import parse_event
from palimpsest_server.domain.consolidation.withheld_evidence import MANUAL_FORGET_CAUSES
from palimpsest_server.domain.profiles.refresh_schedule import BY_HAND, FORGETTING
from palimpsest_server.stores import cached_user_states, recall_traces
from palimpsest_server.stores.commands import StoredCommand
from palimpsest_server.stores.erasure import console as erasure
from services.console import handlers
from services.console.command_routes import check_command_routes
from services.console.routes import memory_status
from services.consolidator import decide_change_sets, write_batch
from services.consolidator.decision_rounds import split_into_rounds
from services.host.cli import build_command_line

now = datetime(2026, 3, 2, tzinfo=UTC)
fields = {"type": "SnoozeMemory", "event_id": "e", "occurred_at": now, "user_id": "ann", "memory_id": "m"}
event = parse_event(topics.USER_COMMANDS, fields)
other = event.model_copy(update={"event_id": "f"})
stored = StoredCommand(id="c", user_id="ann", event=event, accepted_at=now, since=now)
found["topics"] = [one.name for one in topics.TOPICS if one.model_named("SnoozeMemory")]
found["stored"] = StoredCommand.model_validate(stored.model_dump(mode="json")) == stored
found["decided"] = isinstance(event, decide_change_sets.DECIDED_EVENTS)
found["barrier"] = write_batch._settles(event)
found["rounds"] = len(split_into_rounds([other, event]))
found["erasure"] = "SnoozeMemory" in erasure._SAYING_NOTHING
found["hides"] = "SnoozeMemory" in MANUAL_FORGET_CAUSES
found["shown_or_hidden"] = "SnoozeMemory" in cached_user_states._SEEN_OR_UNSEEN
found["profile"] = "SnoozeMemory" in FORGETTING and "SnoozeMemory" in BY_HAND
found["traces"] = "SnoozeMemory" in recall_traces._TELLING
router = memory_status.build_router(None, None)
found["routes"] = [route.path for route in router.routes if "snooze" in route.path]
app = build_command_line(["memories"])
group = app.registered_groups[0].typer_instance
found["terminal"] = [one.help for one in group.registered_commands if one.name == "snooze"]
"""
)


def altered(directory: Path, command: str = COMMAND) -> AlteredProgram:
    return AlteredProgram(directory, Alteration(commands, read_source(commands) + command))


def test_a_new_command_is_taken_up_by_its_properties(tmp_path: Path) -> None:
    found = altered(tmp_path).run(TAKEN_UP)
    assert found["topics"] == ["commands", "candidates", "writes"]
    assert found["routes"] == ["/v1/memories/{memory_id}/snooze"]
    assert found["terminal"] == ["Leave it out for a while."]
    assert found["rounds"] == 2
    for place in ("stored", "decided", "barrier", "erasure", "hides", "shown_or_hidden"):
        assert found[place], place
    assert found["profile"]
    assert found["traces"]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("import services.consolidator.app", "table of decisions lacks SnoozeMemory"),
        ("import palimpsest.client", "PalimpsestClient lacks the call snooze of SnoozeMemory"),
        ("import services.host.cli as cli; cli.build_command_line([])", "PalimpsestClient lacks"),
    ],
)
def test_a_place_with_its_own_handler_names_the_command_that_it_lacks(
    script: str, words: str, tmp_path: Path
) -> None:
    assert words in altered(tmp_path).refusal(script)


def test_the_intake_over_kafka_refuses_words_that_nothing_frees_of_secrets(tmp_path: Path) -> None:
    program = altered(tmp_path, replace_once(COMMAND, "REASON_FIELD", 'frozenset({"note"})'))
    refusal = program.refusal("import services.console.handlers")
    assert "intake of commands over Kafka lacks SnoozeMemory" in refusal


ROUTES = """
from services.console.command_routes import check_command_routes
from services.console.routes import memory_status
check_command_routes([memory_status.build_router(None, None)])
"""
SURFACE = """CommandSurface(
    route="POST /v1/naps", client_call="pin", terminal="naps begin"
)"""


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            ROUTES,
            "the route POST /v1/naps of SnoozeMemory",
        ),
        (
            EXECUTOR + "from services.host.cli import build_command_line\nbuild_command_line([])",
            "the command line lacks `palimpsest naps begin` of SnoozeMemory",
        ),
    ],
    ids=["console", "command line"],
)
def test_a_surface_of_its_own_is_missed_by_name(script: str, words: str, tmp_path: Path) -> None:
    program = altered(tmp_path, replace_once(COMMAND, ACTION, SURFACE))
    assert words in program.refusal(script)


@pytest.mark.parametrize(
    "name", ["given_by", "free_text", "needs_barrier", "hides_evidence", "erases", "profile_effect"]
)
def test_a_command_without_a_property_stops_the_program(name: str, tmp_path: Path) -> None:
    lines = [line for line in COMMAND.splitlines() if not line.strip().startswith(f"{name}=")]
    refusal = altered(tmp_path, "\n".join(lines) + "\n").refusal("")
    assert f"missing 1 required keyword-only argument: '{name}'" in refusal


def test_a_command_without_properties_is_named(tmp_path: Path) -> None:
    bare = COMMAND[: COMMAND.index("    PROPERTIES")] + COMMAND[COMMAND.index("    type:") :]
    refusal = altered(tmp_path, bare).refusal("import palimpsest.events.command_registry")
    assert "SnoozeMemory states no PROPERTIES" in refusal


def test_the_ingress_leads_to_the_console_whatever_the_route() -> None:
    ingress = yaml.safe_load((ROOT / "deploy/kubernetes/base/ingress.yaml").read_text())
    paths = [
        (path["path"], path["backend"]["service"]["name"])
        for rule in ingress["spec"]["rules"]
        for path in rule["http"]["paths"]
    ]
    prefix = "/v1/memories/m/snooze"
    longest = max((path for path in paths if prefix.startswith(path[0])), key=lambda p: len(p[0]))
    assert longest[1].endswith("console")
