"""`palimpsest keys`, as it is typed."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from services.host.cli import build_command_line
from tests.support.services.host.terminal import KEY


@pytest.fixture(autouse=True)
def key_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_API_KEY", KEY)


def keys(url: str, *arguments: str) -> Result:
    given = ["keys", *arguments, "--url", url]
    return CliRunner().invoke(build_command_line(given), given)


def made(url: str, *arguments: str) -> dict[str, Any]:
    answer = keys(url, "create", *arguments, "--json")
    assert answer.exit_code == 0, answer.output
    return dict(json.loads(answer.stdout))


def test_a_key_is_shown_once_and_listed_without_its_secret(locked_url: str) -> None:
    answer = keys(locked_url, "create", "ada's phone", "--user", "ada", "--expires-in", "30d")
    line, secret, *_ = answer.stdout.splitlines()
    assert line.endswith("ada's phone")
    assert "[user ada: read, write; never used, until 20" in line
    assert secret.startswith(f"plm_{line.split()[0]}_")
    assert "shown once" in answer.stderr
    listed = keys(locked_url, "list").stdout
    assert line in listed.splitlines()
    assert secret not in listed


def test_a_key_may_be_one_agents_and_allow_little(locked_url: str) -> None:
    key = made(locked_url, "x", "--user", "ada", "--agent", "coder", "--allow", "erase")["key"]
    assert (key["kind"], key["agent_id"], key["permissions"]) == ("agent", "coder", ["erase"])
    assert keys(locked_url, "create", "x", "--agent", "coder").exit_code == 2
    assert keys(locked_url, "create", "x", "--expires-in", "soon").exit_code == 2


def test_a_key_is_rotated_and_revoked(locked_url: str) -> None:
    first = made(locked_url, "x")
    key_id = first["key"]["id"]
    second = json.loads(keys(locked_url, "rotate", key_id, "--grace", "5m", "--json").stdout)
    assert second["key"]["id"] == key_id
    assert second["secret"] != first["secret"]
    assert "; revoked 20" in keys(locked_url, "revoke", key_id).stdout
    assert "revoked" in str(keys(locked_url, "rotate", key_id).exception)
    assert "no key of this id" in str(keys(locked_url, "revoke", "nobody").exception)


def test_a_key_that_allows_less_is_told_what_it_lacks(
    locked_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = made(locked_url, "a reader", "--allow", "read")["secret"]
    monkeypatch.setenv("PALIMPSEST_API_KEY", secret)
    assert "lacks the permission `admin`" in str(keys(locked_url, "list").exception)
