"""The command line: what people can put right is said in words."""

import json
import re
from pathlib import Path

import pytest
from aiokafka.errors import KafkaConnectionError
from pydantic import TypeAdapter, ValidationError
from pymongo.errors import ServerSelectionTimeoutError

from palimpsest.model.errors import RecordNotFound
from palimpsest_server.domain.compression.merge_thresholds import (
    THRESHOLDS_FILE,
    get_merge_threshold,
)
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.mongo.database import MongoDatabase
from services.host import cli
from services.host.commands.run import build_example_commands
from services.host.diagnosis import FindingState
from services.host.diagnosis.servers import check_mongodb
from services.host.error_messages import explain_error


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says on stderr when it fails."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["palimpsest", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    assert ended.value.code == 1
    words = capsys.readouterr().err
    assert "Traceback" not in words
    return words


def test_a_wrong_setting_is_named_and_its_value_is_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_HTTP_PORT", "hunter2")
    words = said(capsys, "doctor")
    assert words.startswith("Error: PALIMPSEST_HTTP_PORT: Input should be a valid integer")
    assert "hunter2" not in words


def test_json_that_is_none_is_said_in_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_PRIVACY", "hunter2=block")
    words = said(capsys, "doctor")
    assert words.startswith("Error: PALIMPSEST_PRIVACY: must be JSON")
    assert "hunter2" not in words


def test_an_address_of_another_machine_is_not_taken_for_a_port_of_another_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_HTTP_HOST", "192.0.2.1")
    monkeypatch.setenv("PALIMPSEST_API_KEY", "a key of this very test")
    words = said(capsys, "run")
    assert "PALIMPSEST_HTTP_HOST" in words
    assert "another program" not in words


def test_a_data_directory_that_cannot_be_made_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    taken = tmp_path / "a file"
    taken.touch()
    monkeypatch.setenv("PALIMPSEST_DATA_DIRECTORY", str(taken))
    monkeypatch.setenv("PALIMPSEST_HTTP_PORT", "0")
    assert f"{taken}: File exists" in said(capsys, "run")


@pytest.mark.parametrize("away", [ServerSelectionTimeoutError("x"), KafkaConnectionError("x")])
def test_a_server_that_is_away_is_said_in_words(away: Exception) -> None:
    words = explain_error(away)
    assert words is not None
    assert type(away).__name__ in words
    assert "doctor" in words


def test_our_own_words_are_handed_on_and_a_bug_keeps_its_trace() -> None:
    assert explain_error(RecordNotFound("nothing of this id")) == "nothing of this id"
    assert explain_error(KeyError("x")) is None
    with pytest.raises(ValidationError) as bug:
        TypeAdapter(int).validate_python("x")
    assert explain_error(bug.value) is None


@pytest.mark.parametrize(
    "address", ["mongodb://u:hunter2@@host/", "http://hunter2", "mongodb://h:port/hunter2"]
)
async def test_an_address_that_cannot_be_read_is_not_repeated(address: str) -> None:
    (finding,) = await check_mongodb(Settings.model_validate({"mongodb_url": address}))
    assert finding.state is FindingState.ILL
    assert "hunter2" not in finding.words
    with pytest.raises(Exception, match="cannot be read"):
        MongoDatabase(address, "palimpsest")


def test_dead_letters_are_read_without_an_instance_and_replayed_only_with_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PALIMPSEST_DATA_DIRECTORY", str(tmp_path))
    assert "`palimpsest run`" in said(capsys, "dead-letters", "replay")
    monkeypatch.setattr("sys.argv", ["palimpsest", "dead-letters", "list"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert "No dead letters." in capsys.readouterr().out


def test_a_threshold_is_measured_and_set_by_whoever_wants_it_and_no_code_is_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def calibrated(**thresholds: float) -> str:
        monkeypatch.setenv("PALIMPSEST_SIMILARITY_THRESHOLDS", json.dumps(thresholds))
        monkeypatch.setattr("sys.argv", ["palimpsest", "calibrate"])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 0
        return capsys.readouterr().out

    code = THRESHOLDS_FILE.read_bytes()
    assert "nothing to set" in calibrated()
    # Of another model than the one that is measured: it stays beside it.
    advice = calibrated(**{"usem3-512-1": 0.5, "another-1-1": 0.7})
    (setting,) = re.findall(r"PALIMPSEST_SIMILARITY_THRESHOLDS='(.*)'", advice)
    assert json.loads(setting) == {
        "another-1-1": 0.7,
        "usem3-512-1": get_merge_threshold("usem3-512-1", {}),
    }
    assert THRESHOLDS_FILE.read_bytes() == code


def test_what_is_to_be_tried_next_shows_the_key_where_one_is_asked_for_and_does_not_tell_it() -> (
    None
):
    shown = '-H "authorization: Bearer $PALIMPSEST_API_KEY"'
    assert all(
        shown in line for line in build_example_commands("http://127.0.0.1:8000", with_key=True)
    )
    assert not any(
        "auth" in line for line in build_example_commands("http://127.0.0.1:8000", with_key=False)
    )


def test_ctrl_c_while_the_code_is_loaded_ends_it_without_a_trace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def loading(_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "import_module", loading)
    monkeypatch.setattr("sys.argv", ["palimpsest", "doctor"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == cli.INTERRUPTED_EXIT_CODE
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("questi", {"questions"}),
        ("questions de", {"delete"}),
        ("questions show --fol", {"--follow"}),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_a_command_goes_on(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    shell: str,
    typed: str,
    expected: set[str],
) -> None:
    words = f"palimpsest {typed}"
    monkeypatch.setattr("sys.argv", ["palimpsest"])
    monkeypatch.setenv("_PALIMPSEST_COMPLETE", f"complete_{shell}")
    if shell == "bash":
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(typed.split())))
    else:
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", words)
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    offered = set(re.findall(r"[-\w]+", capsys.readouterr().out))
    assert expected <= offered
    assert "memories" not in offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_asks_this_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    monkeypatch.setattr("sys.argv", ["palimpsest", "--show-completion", shell])
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    with pytest.raises(SystemExit):
        cli.main()
    assert "_PALIMPSEST_COMPLETE" in capsys.readouterr().out
