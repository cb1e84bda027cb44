"""The broker as docker-compose.yml sets it up, on Apache Kafka without Docker."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from palimpsest.events.kafka_refusals import KafkaRefused
from palimpsest.events.topics import CONVERSATIONS
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.runtime.kafka_settings import build_kafka_settings
from palimpsest_server.runtime.settings import Settings
from tests.support.deploy.compose import GENERATED, ours, services
from tests.support.server.delivery.stand import Heard, Stand, said
from tests.support.stack.kafka_script import kafka_module

pytestmark = pytest.mark.stack

# What a container gets by other ways than the broker's own properties.
_NOT_PROPERTIES = ("CLUSTER_ID", "KAFKA_HEAP_OPTS")


def properties(directory: Path, ports: dict[str, int]) -> str:
    """The environment as the image's entry point turns it into server.properties.

    Only addresses and the place of the log are this machine's instead.
    """
    environment = services()["kafka"]["environment"]
    lines = []
    for name, value in environment.items():
        if name in _NOT_PROPERTIES:
            continue
        assert name.startswith("KAFKA_")
        for host in ("0.0.0.0", "kafka"):  # noqa: S104
            value = value.replace(f"//{host}:", "//127.0.0.1:")  # noqa: PLW2901
        for listed, port in ports.items():
            value = value.replace(f"127.0.0.1:{listed}", f"127.0.0.1:{port}")  # noqa: PLW2901
        key = name.removeprefix("KAFKA_").lower().replace("_", ".")
        lines.append(f"{key}={directory / 'log' if key == 'log.dirs' else value}")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    kafka = kafka_module()
    if lacking := kafka["missing"]():
        pytest.skip(f"no Kafka as in docker-compose.yml: {lacking}")
    directory = tmp_path_factory.mktemp("compose-kafka")
    ports = dict(zip(("9092", "9093", "9094"), kafka["free_ports"](3), strict=True))
    file = directory / "server.properties"
    file.write_text(properties(directory, ports))
    java = ["java", *kafka["JAVA_OPTIONS"], "-cp", f"{kafka['resolve']()}/*"]
    cluster = f"--cluster-id={GENERATED['KAFKA_CLUSTER_ID']}"
    output = (directory / "output.txt").open("wb")
    subprocess.run(
        [*java, "kafka.tools.StorageTool", "format", cluster, "-c", file],
        check=True, stdout=output, stderr=output,
    )  # fmt: skip
    process = subprocess.Popen([*java, "kafka.Kafka", file], stdout=output, stderr=output)
    try:
        kafka["wait_until_ready"](ports["9092"], process)
        yield f"127.0.0.1:{ports['9092']}"
    finally:
        process.terminate()
        process.wait(30)
        output.close()


def settings_of(name: str, broker: str, **changes: str) -> KafkaSettings:
    environment = ours()[name]["environment"]
    fields = {key.removeprefix("PALIMPSEST_").lower(): value for key, value in environment.items()}
    return build_kafka_settings(
        Settings.model_validate({**fields, "kafka_bootstrap_servers": broker, **changes})
    )


async def test_the_services_get_in_with_their_settings_and_make_their_topics(broker: str) -> None:
    async with Stand(settings_of("api", broker)) as stand:
        heard = Heard()
        bus = await stand.consuming(heard)
        await bus.publisher.publish(CONVERSATIONS, [said("ann", 1)])
        await heard.until(1)


async def test_nobody_else_does(broker: str) -> None:
    async with Stand(settings_of("api", broker, kafka_password="wrong-password")) as stand:
        with pytest.raises(KafkaRefused, match="password is wrong"):
            await stand.bus().start()
