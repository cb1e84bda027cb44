"""The dashboards are made from the code, up to date, and ask only for what the code counts."""

import json
import re

import pytest

from deploy.grafana.check import extract_compared_expression
from deploy.grafana.definitions import DASHBOARDS
from deploy.grafana.generate import FOLDER, render_dashboard_files
from deploy.grafana.panels import Panel
from palimpsest.events.topics import TOPICS
from services.host.service_registry import SERVICES
from tests.support.deploy.compose import services
from tests.support.deploy.metrics_of_code import Family, metrics_of_code
from tests.support.deploy.rules import rules
from tests.support.paths import ROOT

OF_PROMETHEUS = {"le", "instance", "job"}
PANELS = [panel for dashboard in DASHBOARDS for panel in dashboard.panels]
EXPRESSIONS = sorted(
    {query.expression for panel in PANELS for query in panel.queries}
    | {rule["expr"] for rule in rules()}
)


def test_the_files_are_what_the_generator_makes() -> None:
    on_disk = {file.name: file.read_text() for file in FOLDER.glob("*.json")}
    assert on_disk == render_dashboard_files(), "run `python -m deploy.grafana.generate`"


def test_there_are_the_five_and_each_is_small_enough_to_read() -> None:
    assert [dashboard.name for dashboard in DASHBOARDS] == [
        "first-page", "pipeline", "recall", "memory-quality", "models",
    ]  # fmt: skip
    assert len(DASHBOARDS[0].panels) == 5
    for panel in PANELS:
        assert panel.words
        assert panel.width <= 24


def test_every_file_is_whole_and_panels_do_not_overlap() -> None:
    for content in render_dashboard_files().values():
        panels = json.loads(content)["panels"]
        taken: set[tuple[int, int]] = set()
        for panel in panels:
            place = panel["gridPos"]
            cells = {
                (x, y)
                for x in range(place["x"], place["x"] + place["w"])
                for y in range(place["y"], place["y"] + place["h"])
            }
            assert not cells & taken
            assert max(x for x, _ in cells) < 24
            taken |= cells
        assert len({panel["id"] for panel in panels}) == len(panels)


async def test_every_metric_and_label_that_is_asked_for_is_counted_by_the_code() -> None:
    known = await metrics_of_code()
    by_sample = {sample: family for family in known.values() for sample in family.samples}
    for expression in EXPRESSIONS:
        for name, where in re.findall(r"(palimpsest_\w+)(\{[^}]*\})?", expression):
            assert name in by_sample, f"{name} in {expression}"
            assert set(re.findall(r"(\w+)\s*=", where)) <= _labels(by_sample[name])
        for group in re.findall(r"by \(([^)]*)\)", expression):
            asked = {label.strip() for label in group.split(",")}
            names = re.findall(r"palimpsest_\w+", expression)
            assert asked <= set[str]().union(*(_labels(by_sample[name]) for name in names))


def _labels(family: Family) -> set[str]:
    return set(family.labels) | OF_PROMETHEUS


def test_stages_and_topics_that_are_named_exist() -> None:
    for expression in EXPRESSIONS:
        for stage in re.findall(r'stage="(\w+)"', expression):
            assert stage in SERVICES
        for topic in re.findall(r'topic="([\w-]+)"', expression):
            assert topic in {each.name for each in TOPICS}


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.title)
def test_a_legend_names_labels_that_its_query_keeps(panel: Panel) -> None:
    for query in panel.queries:
        shown = set(re.findall(r"\{\{(\w+)\}\}", query.legend))
        kept = {
            label.strip()
            for group in re.findall(r"by \(([^)]*)\)", query.expression)
            for label in group.split(",")
        }
        assert shown <= kept | {"instance"}


def test_every_name_of_a_recording_rule_that_is_asked_for_is_recorded() -> None:
    recorded = {rule["record"] for rule in rules() if "record" in rule}
    for expression in EXPRESSIONS:
        assert set(re.findall(r"palimpsest:\w+:\w+", expression)) <= recorded


def test_what_an_alert_compares_can_be_asked_for_alone() -> None:
    assert extract_compared_expression("max(palimpsest_x) > 5") == "max(palimpsest_x)"
    with pytest.raises(ValueError, match="not one comparison"):
        extract_compared_expression("up")


def test_grafana_finds_what_is_provisioned() -> None:
    import yaml  # noqa: PLC0415

    provisioning = ROOT / "deploy/grafana/provisioning"
    provider = yaml.safe_load((provisioning / "dashboards/palimpsest.yml").read_text())
    path = provider["providers"][0]["options"]["path"]
    grafana = services()["grafana"]
    assert f"./deploy/grafana/dashboards:{path}:ro" in grafana["volumes"]
    home = grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert home.removeprefix(f"{path}/") in render_dashboard_files()
    source = yaml.safe_load((provisioning / "datasources/prometheus.yml").read_text())
    uid = source["datasources"][0]["uid"]
    assert all(f'"uid": "{uid}"' in content for content in render_dashboard_files().values())
