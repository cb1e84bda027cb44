"""What the Dockerfile promises. Its steps themselves are run by tests/stack/test_dockerfile.py."""

import json
import re

from palimpsest_server.runtime.settings import Settings
from tests.support.deploy.compose import ours
from tests.support.deploy.image import environment, instructions
from tests.support.paths import ROOT


def said(word: str, stage: int) -> list[str]:
    return [
        instruction.rest
        for instruction in instructions()
        if instruction.word == word and instruction.stage == stage
    ]


def test_both_stages_stand_on_the_same_pinned_python() -> None:
    bases = {
        instruction.rest.split()[0] for instruction in instructions() if instruction.word == "FROM"
    }
    (base,) = bases
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+", base)


def test_whoever_runs_it_is_nobody_and_the_command_gets_the_signals() -> None:
    (user,) = said("USER", 1)
    assert user == "10001:10001"
    assert any("--uid 10001" in run for run in said("RUN", 1))
    (entry,) = said("ENTRYPOINT", 1)
    assert json.loads(entry) == ["palimpsest"]


def test_what_is_built_is_what_is_found_on_the_path() -> None:
    built = environment(0)["UV_PROJECT_ENVIRONMENT"]
    assert f"--from=build {built} {built}" in said("COPY", 1)
    assert environment(1)["PATH"].startswith(f"{built}/bin:")


def test_everything_is_installed_from_the_lock_file_without_tools_for_development() -> None:
    syncs = [run for run in said("RUN", 0) if "uv sync" in run]
    assert syncs
    assert all("--frozen" in run and "--no-dev" in run for run in syncs)
    # Traces are a setting away; the embedded servers, one of them under the GPL, are not in it.
    assert [re.findall(r"--(?:all-)?extras?(?: \S+)?", run) for run in syncs] == [
        ["--extra traces"] for _ in syncs
    ]
    (uv,) = (run for run in said("RUN", 0) if "pip install" in run)
    assert re.search(r"uv==\d+\.\d+\.\d+", uv)


def test_the_port_is_the_one_that_is_served() -> None:
    (port,) = said("EXPOSE", 1)
    assert int(port) == Settings.model_fields["http_port"].default
    assert {each["environment"]["PALIMPSEST_HTTP_PORT"] for each in ours().values()} == {port}


def test_what_is_copied_is_let_through_to_the_build() -> None:
    ignore = (ROOT / "deploy/Dockerfile.dockerignore").read_text().splitlines()
    assert "*" in ignore
    for copied in said("COPY", 0):
        for source in copied.split()[:-1]:
            assert (ROOT / source).exists()
            assert f"!{source.split('/')[0]}" in ignore
    assert not [line for line in ignore if "env" in line and line.startswith("!")]
