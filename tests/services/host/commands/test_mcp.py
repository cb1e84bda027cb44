"""`palimpsest mcp --http` prints an address, and where the key is found."""

import json

import pytest
from typer.testing import CliRunner, Result

from services.host.cli import build_command_line
from tests.support.services.host.terminal import KEY


def mcp(*arguments: str) -> Result:
    given = ["mcp", "--url", "http://127.0.0.1:8000", "--http", *arguments]
    return CliRunner().invoke(build_command_line(given), given)


def test_the_address_names_user_and_agent_and_the_key_is_not_written_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PALIMPSEST_API_KEY", KEY)
    printed = mcp("--user", "ada b", "--agent", "小", "--print-config", "claude-code")
    assert json.loads(printed.stdout)["mcpServers"]["palimpsest"] == {
        "type": "http",
        "url": "http://127.0.0.1:8000/mcp/ada%20b/%E5%B0%8F",
        "headers": {"Authorization": "Bearer ${PALIMPSEST_API_KEY}"},
    }


def test_what_an_address_cannot_say_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PALIMPSEST_API_KEY", raising=False)
    printed = mcp("--user", "ada", "--print-config", "cursor")
    assert json.loads(printed.stdout)["mcpServers"]["palimpsest"] == {
        "type": "http",
        "url": "http://127.0.0.1:8000/mcp/ada",
    }
    desktop = mcp("--user", "ada", "--print-config", "claude-desktop")
    assert desktop.exit_code == 2
    project = mcp("--user", "ada", "--project", "p", "--print-config", "cursor")
    assert project.exit_code == 2
