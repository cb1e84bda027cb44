"""The recording rules and alerts as they stand in the files."""

from typing import Any

import yaml

from tests.support.paths import ROOT

FOLDER = ROOT / "deploy" / "prometheus"


def rules() -> list[dict[str, Any]]:
    configuration = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    return [
        rule
        for name in configuration["rule_files"]
        for group in yaml.safe_load((FOLDER / name).read_text())["groups"]
        for rule in group["rules"]
    ]
