"""The command line refuses what it cannot read before it starts anything."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr
from typer.testing import CliRunner

from palimpsest.client import NotAllowed
from palimpsest_lab.cli import benchmarks
from palimpsest_lab.cli.benchmarks import app
from palimpsest_lab.datasets.locomo import FORMAT_EXAMPLE, UnreadableData, read_locomo_dialogues
from palimpsest_lab.instances.dialogue_import import import_dialogues
from palimpsest_lab.instances.measured_instance import MeasuredInstance
from palimpsest_server.runtime.settings import Settings
from tests.support.services.console.routes.world import World
from tests.support.serving import serving


def test_data_of_another_kind_is_refused_with_words(tmp_path: Path) -> None:
    (file := tmp_path / "other.json").write_text("[]x")
    result = CliRunner().invoke(app, ["recall", "--data", str(file)])
    assert isinstance(result.exception, UnreadableData)
    assert "other.json" in str(result.exception)


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall"],
        ["recall", "--data", "x.json", "--limit", "0"],
        ["freshness", "--rate", "0"],
        ["latency", "--runs", "0"],
        ["speed"],
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2


@pytest.fixture
def one_message(tmp_path: Path) -> Path:
    file = tmp_path / "one.json"
    file.write_text(FORMAT_EXAMPLE)
    return file


def test_an_import_that_is_interrupted_says_that_it_can_be_gone_on_with(
    one_message: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def interrupted(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()

    monkeypatch.setattr(benchmarks, "import_dialogues", interrupted)
    importing = typer.Typer()
    importing.command()(benchmarks.import_conversations)
    result = CliRunner().invoke(importing, [str(one_message)])
    assert result.exit_code == 130
    assert "Import the file again for the rest; nothing happens twice." in result.stderr


async def test_where_a_key_is_asked_for_that_is_said_before_anything_is_published(
    one_message: Path,
) -> None:
    world = World()
    world.settings = Settings().model_copy(update={"api_key": SecretStr("a key of this test")})
    async with serving(world.application) as address:
        nowhere = MeasuredInstance(http_url=address, kafka_bootstrap_servers="127.0.0.1:1")
        with pytest.raises(NotAllowed, match="PALIMPSEST_API_KEY"):
            await import_dialogues(nowhere, read_locomo_dialogues(one_message))
