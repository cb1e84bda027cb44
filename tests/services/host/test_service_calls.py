"""Commands to memories from a terminal, against the console with the one writer behind it."""

import json
import socket
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from palimpsest.api.recall import TraceList
from palimpsest.client import PalimpsestClient
from palimpsest.model.usage import usage_of_call
from services.host import service_calls
from services.host.cli import build_command_line
from tests.support.services.host.terminal import CALL, KEY, TRACE, added, answered, ask, unwrapped


def test_what_is_added_is_listed_edited_pinned_and_taken_back(url: str) -> None:
    memory_id = added(url, "drinks tea")
    assert "drinks tea" in ask(url, "memories", "list").output
    edited = ask(url, "memories", "edit", memory_id, "drinks green tea")
    assert edited.output.startswith("changed 1; undo by ")
    change = edited.output.splitlines()[0].rpartition(" ")[2]
    assert "pinned" in ask(url, "memories", "pin", memory_id).output
    history = ask(url, "memories", "show", memory_id).output
    assert change in history
    assert "drinks green tea" in history
    assert "drinks tea" in ask(url, "changes", "undo", change).output
    assert change in ask(url, "changes", "list").output


def test_what_is_forgotten_is_restored(url: str) -> None:
    memory_id = added(url, "likes rain")
    assert "forgotten" in ask(url, "memories", "forget", memory_id, "--reason", "old").output
    assert "active" in ask(url, "memories", "restore", memory_id).output


def test_what_goes_for_good_is_shown_and_asked_about_before(url: str) -> None:
    memory_id = added(url, "is called Nobody")
    shown = ask(url, "memories", "purge", memory_id, "--dry-run")
    assert shown.exception is None
    assert shown.output == "would go: memories: 1\n"
    refused = ask(url, "memories", "purge", memory_id, words="n\n")
    assert refused.exit_code == 1
    assert "is called Nobody" in refused.output
    assert answered(url, "memories", "show", memory_id)
    purged = ask(url, "memories", "purge", memory_id, "--yes")
    assert purged.output.startswith("gone for good\n")
    assert "is called Nobody" not in ask(url, "memories", "list").output


def test_everything_goes_only_for_who_says_twice_whom_they_mean(url: str) -> None:
    assert ask(url, "forget-everything", "--dry-run").output == "would go: nothing\n"
    wrong = ask(url, "forget-everything", "--confirm-user", "bob")
    assert "not the id of the user" in str(wrong.exception)
    assert ask(url, "forget-everything", words="n\n").exit_code == 1
    memory_id = added(url, "has a canary")
    assert ask(url, "forget-everything", "--confirm-user", "ann").exit_code == 0
    assert ask(url, "memories", "show", memory_id).exit_code == 1


def test_all_there_is_goes_into_a_file_that_only_its_owner_reads(url: str, tmp_path: Path) -> None:
    memory_id = added(url, "plays the viola")
    out = tmp_path / "ann.ndjson"
    told = ask(url, "export", "--out", str(out))
    assert told.exit_code == 0, told.output
    assert "memory: " in told.stderr
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [lines[0]["record"], lines[-1]["record"]] == ["export", "end"]
    assert memory_id in {line["memory"]["id"] for line in lines if line["record"] == "memory"}
    assert out.stat().st_mode & 0o077 == 0
    assert [file.name for file in tmp_path.iterdir()] == [out.name]
    assert ask(url, "export").stdout.count("\n") == len(lines)


def test_an_export_that_fails_leaves_no_file_behind(tmp_path: Path) -> None:
    (tmp_path / "ann.ndjson").write_text("an earlier one")
    failed = ask("http://127.0.0.1:9", "export", "--out", str(tmp_path / "ann.ndjson"))
    assert failed.exit_code == 1
    assert [file.read_text() for file in tmp_path.iterdir()] == ["an earlier one"]


def test_who_knows_a_user_is_told(url: str) -> None:
    ask(url, "memories", "add", "rhymes", "--agent", "poet")
    assert "poet  1" in ask(url, "agents").output
    assert ask(url, "agents", user="bo").output == "Nothing is remembered.\n"


def test_a_tier_and_projects(url: str) -> None:
    settled = ask(url, "set-tier", "growth").output
    assert settled.startswith("changed the settings; undo by ")
    assert ask(url, "set-tier", "growth").output == "changed nothing\n"
    change = settled.rpartition(" ")[2].strip()
    assert ask(url, "changes", "undo", change).output.startswith("changed the settings; undo by ")
    assert "tier" in str(ask(url, "set-tier", "gold").exception)
    assert ask(url, "projects", "close", "ship").output == "changed nothing\n"
    assert ask(url, "projects", "delete", "ship", "--dry-run").output.startswith("would go: ")
    deleted = ask(url, "projects", "delete", "ship", "--yes")
    assert deleted.output == "gone for good\n"


def test_what_models_took_is_told_by_days(url: str) -> None:
    days = ("--since", "2026-03-01", "--until", "2026-03-31")
    told = ask(url, "usage", *days).output.splitlines()
    assert told[0] == (
        "2026-03-02  extraction  openai/m-1  1 call; 100 tokens in (40 cached), 7 out;"
        " cost 0.000250"
    )
    assert told[1] == (
        "2026-03-01 to 2026-03-31: 1 call; 100 tokens in (40 cached), 7 out;"
        " cost 0.000250, in the currency of PALIMPSEST_MODEL_PRICES"
    )
    nothing = ask(url, "usage", "--since", "2026-02-01", "--until", "2026-02-02").output
    assert nothing == "2026-02-01 to 2026-02-02: no calls of a language model\n"
    assert answered(url, "usage", *days)["total"] == usage_of_call(CALL).model_dump()


def test_what_was_recalled_for_somebody_is_told(url: str) -> None:
    def told(user: str, *options: str) -> str:
        arguments = ["traces", user, "--url", url, *options]
        return CliRunner().invoke(build_command_line(arguments), arguments).stdout

    assert told("lin") == "2026-03-02 09:00  r1  what does she drink? (2 results, 1 used)\n"
    assert TraceList.model_validate_json(told("lin", "--json")).traces == (TRACE,)
    assert told("nobody") == "Nothing was recalled for nobody.\n"


def test_a_day_that_is_none_is_refused_with_one_that_is(url: str) -> None:
    for written in ("yesterday", "昨天", "2026-13-01", "01/02/2026"):
        refused = ask(url, "usage", "--since", written)
        assert refused.exit_code == 2
        assert f"{written} is no day, such as 2026-03-31" in unwrapped(refused)
    backwards = ask(url, "usage", "--since", "2026-02-02", "--until", "2026-02-01")
    assert "until: must not be before `since`, which is 2026-02-02" in str(backwards.exception)


def test_an_edit_that_changes_nothing_says_what_could_be_changed(url: str) -> None:
    memory_id = added(url, "paints")
    refused = ask(url, "memories", "edit", memory_id)
    assert "what it says, after its id" in str(refused.exception)


def test_nobody_at_an_address_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        service_calls, "PalimpsestClient", partial(PalimpsestClient, timeout_seconds=0.1)
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    refused = ask(address, "memories", "list")
    words = str(refused.exception)
    assert f"Nobody answers at {address}" in words
    assert "`palimpsest run`" in words


@pytest.mark.parametrize("address", ["127.0.0.1:8000", "ftp://127.0.0.1", "localhost", "http://"])
def test_an_address_that_is_none_of_http_is_refused_before_anybody_is_asked(address: str) -> None:
    refused = ask(address, "memories", "list")
    assert refused.exit_code == 2
    assert f"{address} is no address of HTTP, such as http://127" in unwrapped(refused)


def test_a_key_that_is_missing_or_wrong_is_said_with_what_to_do(
    locked_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PALIMPSEST_API_KEY", raising=False)
    assert "Set PALIMPSEST_API_KEY to the key" in str(ask(locked_url, "memories", "list").exception)
    monkeypatch.setenv("PALIMPSEST_API_KEY", "another key altogether")
    words = str(ask(locked_url, "profile").exception)
    assert "PALIMPSEST_API_KEY is set here, to another key" in words
    assert "another key altogether" not in words
    monkeypatch.setenv("PALIMPSEST_API_KEY", KEY)
    assert ask(locked_url, "memories", "list").exit_code == 0


def test_that_there_is_nothing_is_said_with_where_there_may_be_more(url: str) -> None:
    told = ask(url, "memories", "list", user="bo").output
    assert (
        told == "Nothing is remembered here. What an agent has of its own is seen with --agent.\n"
    )
    told = ask(url, "memories", "list", "--agent", "poet", user="bo").output
    assert told == "Nothing is remembered here.\n"
    assert ask(url, "changes", "list", user="bo").output == "Nothing was changed for bo.\n"


def test_an_undo_names_what_is_in_the_way(url: str) -> None:
    memory_id = added(url, "walks")
    first = answered(url, "memories", "edit", memory_id, "runs")["change_set_id"]
    later = answered(url, "memories", "edit", memory_id, "swims")["change_set_id"]
    refused = ask(url, "changes", "undo", str(first))
    assert refused.exit_code == 1
    assert f"the later change is {later}" in str(refused.exception)
