"""docker-compose.yml against its schema and against the code it is to run. Needs no Docker."""

import json
import re
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from check_jsonschema import builtin_schemas
from jsonschema import Draft7Validator

from palimpsest_server.runtime.http.authentication import check_service_key, is_loopback
from palimpsest_server.runtime.kafka_settings import build_kafka_security
from palimpsest_server.runtime.settings import Settings
from services.host.command_table import list_commands
from services.host.service_registry import SERVICES
from tests.support.deploy.compose import (
    FILE,
    GENERATED,
    PAGE,
    compose,
    from_our_image,
    ours,
    ports_of,
    services,
)
from tests.support.paths import ROOT

ADDRESSES = (
    "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS",
    "PALIMPSEST_MONGODB_URL",
    "PALIMPSEST_QDRANT_URL",
)


def test_it_keeps_to_the_schema_of_compose() -> None:
    schema = json.loads((files(builtin_schemas) / "vendor" / "compose-spec.json").read_text())
    broken = [error.message for error in Draft7Validator(schema).iter_errors(compose())]
    assert broken == []


def test_every_service_of_ours_runs_once_and_none_that_there_is_not() -> None:
    commands = [each["command"] for each in ours().values()]
    assert {command[0] for command in commands} == {"serve"}
    assert sorted(name for command in commands for name in command[1:]) == sorted(SERVICES)


@pytest.mark.parametrize("name", ours())
def test_the_settings_of_each_are_settings_and_let_it_start(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = ours()[name]["environment"]
    known = {f"PALIMPSEST_{field}".upper() for field in Settings.model_fields}
    assert set(environment) <= known
    for variable, value in environment.items():
        assert isinstance(value, str), variable
        monkeypatch.setenv(variable, value)
    settings = Settings(_env_file=None)
    assert not is_loopback(settings.http_host)
    check_service_key(settings)
    assert build_kafka_security(settings).uses_sasl
    assert settings.qdrant_api_key is not None


@pytest.mark.parametrize("name", ours())
@pytest.mark.parametrize("variable", ADDRESSES)
def test_every_address_is_a_service_that_listens_there(name: str, variable: str) -> None:
    value = ours()[name]["environment"][variable]
    address = urlsplit(value if "//" in value else f"kafka://{value}")
    assert address.port in ports_of(services()[address.hostname or ""])


def test_what_is_waited_for_is_there_and_says_when_it_is_well() -> None:
    there = services()
    for each in there.values():
        for awaited in each.get("depends_on", {}):
            assert "healthcheck" in there[awaited]


def test_our_health_check_asks_the_port_that_is_served() -> None:
    for each in ours().values():
        port = each["environment"]["PALIMPSEST_HTTP_PORT"]
        assert f":{port}/readyz" in each["healthcheck"]["test"][-1]
        for published in each.get("ports", ()):
            assert published.endswith(f":{port}")


def test_the_page_asks_the_api_and_holds_no_secret() -> None:
    page = services()[PAGE]
    assert page["env_file"] == []
    assert set(page["environment"]) == {"PALIMPSEST_HTTP_HOST", "PALIMPSEST_LOG_JSON"}
    command, _, url, _, port = page["command"]
    assert command in list_commands()
    asked = urlsplit(url)
    assert (
        str(asked.port) == services()[asked.hostname or ""]["environment"]["PALIMPSEST_HTTP_PORT"]
    )
    assert f":{port}/page/sign-in" in page["healthcheck"]["test"][-1]
    assert page["ports"] == [f"127.0.0.1:{port}:{port}"]


def test_nothing_is_published_beyond_loopback() -> None:
    published = [port for each in services().values() for port in each.get("ports", ())]
    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)
    assert all(
        "network_mode" not in each and not each.get("privileged") for each in services().values()
    )


@pytest.mark.parametrize("name", services())
def test_each_has_a_pinned_image_limits_a_restart_policy_and_a_health_check(name: str) -> None:
    each = services()[name]
    assert re.search(r":v?\d+\.\d+\.\d+$", each["image"])
    assert each["mem_limit"]
    assert each["cpus"]
    assert each["restart"] == "unless-stopped"
    assert each["healthcheck"]["test"]
    assert each["profiles"][0] in ("core", "observe", "dev")
    assert "no-new-privileges:true" in each["security_opt"]
    assert "max-size" in each["logging"]["options"]


def test_qdrant_may_open_the_files_of_many_collections() -> None:
    assert services()["qdrant"]["ulimits"]["nofile"]["soft"] >= 65_536


@pytest.mark.parametrize("name", from_our_image())
def test_ours_cannot_write_where_they_should_not_and_stop_in_their_time(name: str) -> None:
    each = from_our_image()[name]
    assert each["read_only"]
    assert each["cap_drop"] == ["ALL"]
    assert each["init"]
    assert int(each["stop_grace_period"].removesuffix("s")) > 20 + 20


def test_every_variable_has_a_generated_value_and_no_default() -> None:
    text = FILE.read_text()
    used = set(re.findall(r"(?<!\$)\$\{(\w+)", text))
    assert used == set(GENERATED) - {"COMPOSE_PROFILES"}
    assert text.count("${") == len(re.findall(r"\$\{\w+:\?run `make env` first\}", text))


def test_settings_of_ones_own_go_to_each_of_ours_and_into_no_commit() -> None:
    for each in ours().values():
        (own,) = each["env_file"]
        assert own == {"path": "settings.env", "required": False}
        assert own["path"] in (ROOT / ".gitignore").read_text().splitlines()


def test_every_secret_comes_from_outside() -> None:
    """Whatever is called a password, a key or a secret is a variable's value and long."""
    for name, each in services().items():
        for variable, value in each.get("environment", {}).items():
            if re.search(r"PASSWORD|API_KEY|REPLICA_KEY|SECRET", variable):
                assert value in GENERATED.values(), (name, variable)
                assert len(value) >= 24


def test_the_profiles_of_a_new_env_are_profiles_of_the_file() -> None:
    declared = {profile for each in services().values() for profile in each["profiles"]}
    assert set(GENERATED["COMPOSE_PROFILES"].split(",")) <= declared
    assert declared == {"core", "observe", "dev"}


def test_prometheus_scrapes_each_of_ours_once_and_nobody_else() -> None:
    configuration = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())
    targets = [
        target
        for job in configuration["scrape_configs"]
        for group in job["static_configs"]
        for target in group["targets"]
    ]
    assert sorted(targets) == sorted(
        f"{name}:{each['environment']['PALIMPSEST_HTTP_PORT']}" for name, each in ours().items()
    )


def test_what_is_mounted_from_the_repository_is_in_it_and_is_read_only() -> None:
    mounted = [
        volume.split(":")
        for each in services().values()
        for volume in each.get("volumes", ())
        if volume.startswith("./")
    ]
    assert mounted
    for source, _target, how in mounted:
        assert (ROOT / source).is_dir(), source
        assert how == "ro"


def test_volumes_that_are_named_are_declared_and_used() -> None:
    used: set[str] = set()
    for each in services().values():
        volumes: list[Any] = each.get("volumes", [])
        used |= {volume.split(":")[0] for volume in volumes if not volume.startswith("./")}
    assert used == set(compose()["volumes"])
