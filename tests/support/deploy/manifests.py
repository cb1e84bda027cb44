"""The Kubernetes manifests: the base as it is written, and what kustomize makes of the overlay."""

import shutil
import subprocess
from functools import cache
from typing import Any

import yaml

from tests.support.paths import ROOT

FOLDER = ROOT / "deploy" / "kubernetes"
KUSTOMIZE = next(
    (
        command
        for command in (["kustomize", "build"], ["kubectl", "kustomize"])
        if shutil.which(command[0])
    ),
    None,
)
MISSING = "there is no kubectl or kustomize here to lay the overlay over the base"

Manifest = dict[str, Any]


@cache
def base() -> list[Manifest]:
    """Every resource of the base, its Deployments without what is laid over all of them. None may be changed."""
    return [
        manifest
        for name in kustomization("base")["resources"]
        for manifest in yaml.safe_load_all((FOLDER / "base" / name).read_text())
    ]


def patch() -> Manifest:
    read: Manifest = yaml.safe_load((FOLDER / "base/service-patch.yaml").read_text())
    return read


def migration_job() -> Manifest:
    read: Manifest = yaml.safe_load((FOLDER / "migrate/job.yaml").read_text())
    return read


def page_manifests() -> list[Manifest]:
    return list(yaml.safe_load_all((FOLDER / "page/page.yaml").read_text()))


def kustomization(folder: str) -> Manifest:
    read: Manifest = yaml.safe_load((FOLDER / folder / "kustomization.yaml").read_text())
    return read


def built(overlay: str = "overlays/example") -> list[Manifest]:
    assert KUSTOMIZE is not None
    done = subprocess.run(
        [*KUSTOMIZE, FOLDER / overlay], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def of_kind(manifests: list[Manifest], kind: str) -> dict[str, Manifest]:
    return {
        manifest["metadata"]["name"]: manifest for manifest in manifests if manifest["kind"] == kind
    }
