"""Rules and alerts, by promtool where it is there, and what can be told without it."""

import re
import shutil
import subprocess

import pytest
import yaml

from deploy.grafana.check import extract_compared_expression
from deploy.grafana.prometheus_server import MISSING
from tests.support.deploy.rules import FOLDER, rules
from tests.support.paths import ROOT

ALERTS = {rule["alert"]: rule for rule in rules() if "alert" in rule}
needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason=MISSING)


def promtool(*arguments: str) -> str:
    done = subprocess.run(
        ["promtool", *arguments], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_promtool
def test_prometheus_takes_the_configuration_and_the_rules() -> None:
    assert "SUCCESS" in promtool("check", "config", "prometheus.yml")


@needs_promtool
def test_each_alert_comes_when_it_should_and_not_before() -> None:
    assert "SUCCESS" in promtool("test", "rules", "tests.yml")


def test_every_alert_is_seen_to_come() -> None:
    tests = yaml.safe_load((FOLDER / "tests.yml").read_text())["tests"]
    come = {
        each["alertname"]
        for test in tests
        for each in test.get("alert_rule_test", ())
        if each["exp_alerts"]
    }
    assert come == set(ALERTS)


@pytest.mark.parametrize("name", ALERTS)
def test_every_alert_says_how_bad_it_is_and_what_to_do(name: str) -> None:
    alert = ALERTS[name]
    assert alert["labels"]["severity"] in ("page", "ticket")
    assert extract_compared_expression(alert["expr"])
    assert alert["annotations"]["summary"]
    page, _, anchor = alert["annotations"]["runbook"].partition("#")
    headings = re.findall(r"^## (.*)$", (ROOT / page).read_text(), re.MULTILINE)
    assert name in headings
    assert anchor == name.lower()


@pytest.mark.parametrize("page", ["deploy/runbooks.md", "deploy/runbooks.zh-CN.md"])
def test_there_is_a_runbook_for_each_alert_and_for_nothing_else(page: str) -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / page).read_text(), re.MULTILINE)
    assert sorted(headings) == sorted(ALERTS)
