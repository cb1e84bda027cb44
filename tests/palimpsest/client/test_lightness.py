"""The client is light: it loads few modules of ours, and no library that only services need."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

MOST_MODULES = 76
DEPENDENCIES = {"aiokafka", "httpx", "pydantic"}
PYPROJECT = Path(__file__).parents[3] / "libs/palimpsest/pyproject.toml"


def loaded(*modules: str) -> set[str]:
    script = f"import sys, {', '.join(modules)}; print('\\n'.join(sys.modules))"
    answer = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(answer.stdout.split())


def distribution_name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")


def needed_by(distributions: set[str]) -> set[str]:
    """The distributions, and all that they ask for, their extras included."""
    known, wanted = set[str](), set(distributions)
    while wanted - known:
        name = (wanted - known).pop()
        known.add(name)
        try:
            wanted |= {distribution_name(each) for each in requires(name) or ()}
        except PackageNotFoundError:
            continue
    return known


def test_the_client_loads_few_modules_of_ours() -> None:
    ours = sorted(name for name in loaded("palimpsest.client") if name.startswith("palimpsest"))
    assert len(ours) <= MOST_MODULES, ours


def test_the_client_loads_no_kafka_before_a_broker_is_given() -> None:
    assert "aiokafka" not in loaded("palimpsest.client")


def test_the_client_loads_nothing_that_only_services_need() -> None:
    names = loaded("palimpsest.client.transport_kafka", "palimpsest.client.subscription")
    distributions = packages_distributions()
    found = {
        distribution.lower().replace("_", "-")
        for name in names
        for distribution in distributions.get(name, ())
    }
    assert found <= needed_by(DEPENDENCIES) | {"palimpsest-memory"}


def test_the_distribution_declares_what_it_needs_and_nothing_else() -> None:
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    declared = {distribution_name(each) for each in project["dependencies"]}
    assert declared == DEPENDENCIES
