"""deploy/kubernetes against Kubernetes' own schemas and against the code. Needs no cluster."""

import copy
import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
from prometheus_client import CollectorRegistry

from palimpsest.events.topics import TOPICS
from palimpsest_server.runtime.http.probes import build_probe_router
from palimpsest_server.runtime.kafka_settings import build_kafka_security
from palimpsest_server.runtime.settings import SECRETS_DIRECTORY_VARIABLE, Settings
from services.host.command_table import list_commands
from services.host.service_registry import SERVICES
from services.host.specifications import build_openapi_document
from tests.support.deploy.image import instructions
from tests.support.deploy.manifests import (
    KUSTOMIZE,
    MISSING,
    Manifest,
    base,
    built,
    kustomization,
    migration_job,
    of_kind,
    page_manifests,
    patch,
)
from tests.support.deploy.metrics_of_code import metrics_of_code

OLDEST = "1.31"
SECRETS = {
    "palimpsest": ("PALIMPSEST_API_KEY", "PALIMPSEST_MONGODB_URL", "PALIMPSEST_QDRANT_API_KEY"),
    **{f"palimpsest-kafka-{service}": ("PALIMPSEST_KAFKA_PASSWORD",) for service in SERVICES},
}
"""What an operator puts into each, as settings.yaml says."""

DEPLOYMENTS = of_kind(base(), "Deployment")
needs_kustomize = pytest.mark.skipif(KUSTOMIZE is None, reason=MISSING)


def container(deployment: Manifest) -> dict[str, Any]:
    (only,) = deployment["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = only
    return found


def valid(manifest: Manifest) -> None:
    if not manifest["apiVersion"].startswith("keda.sh"):
        for version in (OLDEST, kubernetes_validate.latest_version()):
            kubernetes_validate.validate(manifest, version, strict=True)


@pytest.mark.parametrize(
    "manifest", base(), ids=lambda each: f"{each['kind']}-{each['metadata']['name']}"
)
def test_the_base_keeps_to_the_schemas(manifest: Manifest) -> None:
    valid(manifest)


@needs_kustomize
def test_what_kustomize_makes_of_the_overlay_does_too_and_is_whole() -> None:
    manifests = built()
    assert len(manifests) == len(base())
    for manifest in manifests:
        valid(manifest)
        assert manifest["metadata"]["namespace"] == "palimpsest"
    for deployment in of_kind(manifests, "Deployment").values():
        service = container(deployment)
        assert service["image"].startswith("registry.example/palimpsest-server:")
        mounted = {each["name"] for each in service["volumeMounts"]}
        assert mounted == {
            each["name"] for each in deployment["spec"]["template"]["spec"]["volumes"]
        }
        assert {"startupProbe", "livenessProbe", "readinessProbe", "resources"} <= set(service)
    brokers = of_kind(manifests, "ConfigMap")["palimpsest"]["data"][
        "PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS"
    ]
    for scaled in of_kind(manifests, "ScaledObject").values():
        (trigger,) = scaled["spec"]["triggers"]
        assert trigger["type"] == "prometheus" or trigger["metadata"]["bootstrapServers"] == brokers


def test_every_service_has_a_deployment_a_budget_and_a_scale_of_its_own() -> None:
    manifests = base()
    for kind in ("Deployment", "Service", "PodDisruptionBudget"):
        assert set(of_kind(manifests, kind)) == set(SERVICES)
    assert set(of_kind(manifests, "ScaledObject")) == set(SERVICES) - {"console"}
    for name, deployment in DEPLOYMENTS.items():
        assert container(deployment)["args"] == ["serve", name]
        assert deployment["spec"]["replicas"] >= 2


@pytest.mark.parametrize("name", SERVICES)
def test_settings_and_secrets_together_let_each_start(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    environment = dict(of_kind(base(), "ConfigMap")["palimpsest"]["data"])
    environment |= {each["name"]: each["value"] for each in container(DEPLOYMENTS[name])["env"]}
    known = {f"PALIMPSEST_{field}".upper() for field in Settings.model_fields}
    assert set(environment) <= known | {SECRETS_DIRECTORY_VARIABLE}
    folder = tmp_path_factory.mktemp("secrets")
    mounted = DEPLOYMENTS[name]["spec"]["template"]["spec"]["volumes"][0]["projected"]["sources"]
    for source in mounted:
        for variable in SECRETS[source["secret"]["name"]]:
            assert variable in known
            (folder / variable).write_text("mongodb://a-secret-of-this-test/")
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv(SECRETS_DIRECTORY_VARIABLE, str(folder))
    settings = Settings(_env_file=None)
    assert settings.api_key is not None
    security = build_kafka_security(settings)
    assert security.uses_tls
    assert security.user == name


def test_a_job_of_the_same_image_migrates_and_may_be_ended_in_the_middle() -> None:
    job = migration_job()
    valid(job)
    assert job["spec"]["template"]["spec"]["restartPolicy"] == "OnFailure"
    assert container(job)["args"] == ["migrate"]
    assert "migrate" in list_commands()
    services, migrate = kustomization("overlays/example"), kustomization("overlays/example/migrate")
    for shared in ("namespace", "images"):
        assert migrate[shared] == services[shared]
    pod, laid_over = job["spec"]["template"]["spec"], patch()["spec"]["template"]["spec"]
    assert pod["securityContext"] == laid_over["securityContext"]
    assert container(job)["securityContext"] == container(patch())["securityContext"]
    assert container(job)["volumeMounts"] == container(patch())["volumeMounts"]


def test_settings_and_the_shared_secret_let_the_migration_reach_its_servers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sources = migration_job()["spec"]["template"]["spec"]["volumes"]
    (shared,) = [source for source in sources if source["name"] == "secrets"]
    for variable in SECRETS[shared["secret"]["secretName"]]:
        (tmp_path / variable).write_text("mongodb://a-secret-of-this-test/")
    for variable, value in of_kind(base(), "ConfigMap")["palimpsest"]["data"].items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv(SECRETS_DIRECTORY_VARIABLE, str(tmp_path))
    settings = Settings(_env_file=None)
    assert settings.mongodb_url.get_secret_value() == "mongodb://a-secret-of-this-test/"
    assert settings.migrate_at_start is False


@needs_kustomize
def test_what_kustomize_makes_of_the_migration_is_one_job() -> None:
    (job,) = built("overlays/example/migrate")
    valid(job)
    assert container(job)["image"].startswith("registry.example/palimpsest-server:")


def test_the_page_is_a_client_without_secrets_as_locked_in_as_the_services() -> None:
    manifests = page_manifests()
    for manifest in manifests:
        valid(manifest)
    deployment = of_kind(manifests, "Deployment")["page"]
    command, _, url, _, port = container(deployment)["args"]
    assert command in list_commands()
    hosts = [rule["host"] for rule in of_kind(base(), "Ingress")["palimpsest"]["spec"]["rules"]]
    assert url == f"https://{hosts[0]}"
    assert int(port) == container(deployment)["ports"][0]["containerPort"]
    pod, laid_over = deployment["spec"]["template"]["spec"], patch()["spec"]["template"]["spec"]
    assert pod["securityContext"] == laid_over["securityContext"]
    assert container(deployment)["securityContext"] == container(patch())["securityContext"]
    assert [volume["name"] for volume in pod["volumes"]] == ["scratch"]
    assert deployment["spec"]["replicas"] == 1, "sessions are kept in the process"


@needs_kustomize
def test_what_kustomize_makes_of_the_page_keeps_to_the_schemas() -> None:
    for manifest in built("overlays/example/page"):
        valid(manifest)


def test_what_is_laid_over_all_asks_paths_that_are_open_and_writes_nowhere() -> None:
    pod = patch()["spec"]["template"]["spec"]
    service = container(patch())
    open_paths = {
        getattr(route, "path", None) for route in build_probe_router([], CollectorRegistry()).routes
    }
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert service[probe]["httpGet"]["path"] in open_paths
        assert service[probe]["httpGet"]["port"] == service["ports"][0]["name"]
    (user,) = (instruction.rest for instruction in instructions() if instruction.word == "USER")
    assert f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}" == user
    assert service["securityContext"]["readOnlyRootFilesystem"]
    assert service["securityContext"]["capabilities"]["drop"] == ["ALL"]
    mounts = {each["mountPath"] for each in service["volumeMounts"]}
    data = of_kind(base(), "ConfigMap")["palimpsest"]["data"]
    assert data[SECRETS_DIRECTORY_VARIABLE] in mounts
    assert data["PALIMPSEST_KAFKA_CA_FILE"].rpartition("/")[0] in mounts
    assert data["PALIMPSEST_DATA_DIRECTORY"].startswith("/tmp/")  # noqa: S108


def test_ports_agree_everywhere() -> None:
    port = int(of_kind(base(), "ConfigMap")["palimpsest"]["data"]["PALIMPSEST_HTTP_PORT"])
    assert container(patch())["ports"] == [{"name": "http", "containerPort": port}]
    annotations = patch()["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == str(port)
    let_in = {
        allowed["port"]
        for policy in of_kind(base(), "NetworkPolicy").values()
        for rule in policy["spec"].get("ingress", ())
        for allowed in rule["ports"]
    }
    assert let_in == {port}


def test_everything_that_is_asked_outside_is_let_out() -> None:
    data = of_kind(base(), "ConfigMap")["palimpsest"]["data"]
    let_out = {
        allowed["port"]
        for allowed in of_kind(base(), "NetworkPolicy")["services-reach-their-servers"]["spec"][
            "egress"
        ][1]["ports"]
    }
    kafka = int(data["PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS"].rpartition(":")[2])
    qdrant = int(data["PALIMPSEST_QDRANT_URL"].rpartition(":")[2])
    assert let_out == {kafka, qdrant, 27017}


def test_nothing_else_is_let_in_or_out() -> None:
    policies = of_kind(base(), "NetworkPolicy")
    nothing = policies["nothing-else"]["spec"]
    assert nothing == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    asked = policies["chat-services-and-people-ask"]["spec"]["podSelector"]["matchExpressions"][0]
    assert set(asked["values"]) == {path["backend"]["service"]["name"] for path in _paths()}


async def test_each_route_goes_to_the_service_that_serves_it() -> None:
    document = await build_openapi_document(Settings(_env_file=None, embedder="hashing"))
    routes = {route for route in document["paths"] if route.startswith("/v1/")}
    served = {
        "/v1/events": "ingest",
        "/v1/extractions/preview": "extractor",
        "/v1/extractions/answer": "extractor",
        "/v1/feedback": "ingest",
        "/v1/recall": "recall",
        "/v1/context": "recall",
    }
    for route in routes:
        among = [
            path
            for path in _paths()
            if route == path["path"] or route.startswith(path["path"] + "/")
        ]
        longest = max(among, key=lambda each: len(each["path"]))
        of_session = "ingest" if route.startswith("/v1/sessions/") else "console"
        assert longest["backend"]["service"]["name"] == served.get(route, of_session)


def _paths() -> list[dict[str, Any]]:
    ingress = of_kind(base(), "Ingress")["palimpsest"]
    found: list[dict[str, Any]] = ingress["spec"]["rules"][0]["http"]["paths"]
    return found


def test_keda_watches_topics_as_they_are_read() -> None:
    manifests = base()
    authentication = of_kind(manifests, "TriggerAuthentication")
    topics = {topic.name: topic for topic in TOPICS}
    for name, scaled in of_kind(manifests, "ScaledObject").items():
        spec = scaled["spec"]
        assert spec["scaleTargetRef"] == {"name": name}
        assert spec["minReplicaCount"] == DEPLOYMENTS[name]["spec"]["replicas"]
        (trigger,) = spec["triggers"]
        if trigger["type"] == "prometheus":
            continue
        asked = trigger["metadata"]
        topic = topics[asked["topic"]]
        assert name in topic.readers
        assert asked["consumerGroup"] == name
        assert spec["maxReplicaCount"] <= topic.partitions
        assert int(asked["lagThreshold"]) > 0
        assert asked["tls"] == "enable"
        assert trigger["authenticationRef"]["name"] in authentication


async def test_what_keda_asks_prometheus_for_is_counted_by_the_code() -> None:
    (trigger,) = of_kind(base(), "ScaledObject")["extractor"]["spec"]["triggers"]
    asked = re.findall(r"palimpsest_\w+", trigger["metadata"]["query"])
    assert asked
    assert set(asked) <= set(await metrics_of_code())


def test_a_field_that_there_is_not_is_refused() -> None:
    wrong = copy.deepcopy(DEPLOYMENTS["ingest"])
    container(wrong)["comand"] = ["serve"]
    with pytest.raises(kubernetes_validate.ValidationError):
        valid(wrong)
