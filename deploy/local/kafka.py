#!/usr/bin/env python3
"""Apache Kafka without Docker: resolved by Maven, one KRaft node on free loopback ports.

    deploy/local/kafka.py start     resolves, starts in the background, prints the address
    deploy/local/kafka.py address   of the one that is running
    deploy/local/kafka.py stop
    deploy/local/kafka.py missing   what this machine lacks for it; fails where it lacks something
    deploy/local/kafka.py tools     the class path of Kafka's own command line tools
    deploy/local/kafka.py run       in the foreground, until Ctrl-C or until stdin is closed

More than one plain listener:

    run --listener SECURE=SASL_SSL  prints `SECURE 127.0.0.1:PORT` too
        --properties FILE           added to the broker's, such as where that listener's keys are
        --scram NAME=PASSWORD       a user that is known from the start

Needs Java 17 and Maven, and the first time Maven Central. The jars are kept in
`~/.cache/palimpsest/kafka` (PALIMPSEST_CACHE moves it), a broker's data in the
directory given, which is emptied at every start.
"""

import argparse
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import uuid
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from pathlib import Path

KAFKA = "org.apache.kafka:kafka_2.13:4.1.1"
TOOLS = KAFKA.replace("kafka_2.13", "kafka-tools")
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
CACHE = Path(os.environ.get("PALIMPSEST_CACHE", Path.home() / ".cache" / "palimpsest")) / "kafka"
DEFAULT_DIRECTORY = Path(tempfile.gettempdir()) / f"palimpsest-kafka-{os.getuid()}"
READY_SECONDS = 60
STOP_SECONDS = 15
# A short-lived single node: the quickest start matters more than the highest throughput.
JAVA_OPTIONS = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>palimpsest</groupId><artifactId>local-kafka</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>
  </dependency></dependencies>
</project>
"""
PROPERTIES = """process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller_port}
listeners={listeners},CONTROLLER://127.0.0.1:{controller_port}
advertised.listeners={listeners}
listener.security.protocol.map={protocols},CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
log.dirs={directory}/log
# Everything the table of topics asks for is asked for by the services.
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
# Groups join at once, and tests may let a member die quickly.
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
"""


@dataclass(frozen=True)
class Extra:
    """The listeners of a broker besides its plain one."""

    listeners: dict[str, str]
    """Name to protocol."""
    properties: str
    users: list[str]
    """Each `name=password`, for SCRAM-SHA-512."""


def missing() -> str | None:
    """Name what this machine lacks, in words; None when it lacks nothing."""
    if shutil.which("java") is None:
        return "there is no java (17 or newer is needed)"
    words = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False).stderr
    major = words.partition('"')[2].partition(".")[0].partition('"')[0]
    if not major.isdigit() or int(major) < 17:
        return f"java is version {major or 'unknown'} (17 or newer is needed)"
    if not _libraries(KAFKA).is_dir() and shutil.which("mvn") is None:
        return "there is no mvn to resolve Kafka with"
    return None


def _libraries(artifact: str) -> Path:
    return CACHE / KAFKA.rpartition(":")[2] / ("libs" if artifact == KAFKA else "tools")


def resolve(artifact: str = KAFKA) -> Path:
    """The directory with Kafka's jars; by Maven where they are not there yet.

    Its tools come without what they depend on, which is Kafka and what we don't call.
    """
    libraries = _libraries(artifact)
    if libraries.is_dir():
        return libraries
    libraries.parent.mkdir(parents=True, exist_ok=True)
    group, name, version = artifact.split(":")
    print(f"resolving {artifact} into {libraries}", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=libraries.parent) as directory:
        pom = Path(directory) / "pom.xml"
        pom.write_text(POM.format(group=group, artifact=name, version=version))
        jars = Path(directory) / libraries.name
        # Checksums are strict: a damaged jar must not stay in the cache.
        maven = ["mvn", "-q", "-B", "-C", "-f", str(pom), COPY, f"-DoutputDirectory={jars}"]
        maven += ["-DexcludeTransitive=true"] if artifact == TOOLS else []
        subprocess.run(maven, check=True, stdout=sys.stderr)
        try:
            jars.rename(libraries)
        except OSError:
            if not libraries.is_dir():  # else somebody else was quicker
                raise
    return libraries


@dataclass(frozen=True)
class Prepared:
    """A broker's storage, formatted: it can be started as often as one likes."""

    command: list[str]
    addresses: dict[str, str]
    """By the name of the listener; PLAINTEXT is always there."""

    @property
    def port(self) -> int:
        return int(self.addresses["PLAINTEXT"].rpartition(":")[2])


def prepare(
    directory: Path, extra: Extra | None = None, *, ports: "list[int] | None" = None
) -> Prepared:
    """Empty the directory and put a new broker's storage there, with all it needs to be told.

    `ports`, where they are to be chosen: the controller's, the plain one, one for each listener.
    """
    extra = extra or Extra(listeners={}, properties="", users=[])
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    protocols = {"PLAINTEXT": "PLAINTEXT", **extra.listeners}
    controller_port, *own_ports = ports or free_ports(1 + len(protocols))
    addresses = {name: f"127.0.0.1:{port}" for name, port in zip(protocols, own_ports, strict=True)}
    properties = directory / "server.properties"
    properties.write_text(
        PROPERTIES.format(
            listeners=",".join(f"{name}://{each}" for name, each in addresses.items()),
            protocols=",".join(f"{name}:{each}" for name, each in protocols.items()),
            controller_port=controller_port,
            directory=directory,
        )
        + extra.properties
    )
    java = ["java", *JAVA_OPTIONS, "-cp", f"{resolve()}/*"]
    cluster = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
    # With an equals sign: one id in 64 begins with a dash, and would be taken for an option.
    named = f"--cluster-id={cluster}"
    form = [*java, "kafka.tools.StorageTool", "format", named, "-c", str(properties)]
    for name, _, password in (user.partition("=") for user in extra.users):
        form += ["--add-scram", f"SCRAM-SHA-512=[name={name},password={password}]"]
    with (directory / "output.txt").open("wb") as output:
        subprocess.run(form, check=True, stdout=output, stderr=output)
    return Prepared([*java, "kafka.Kafka", str(properties)], addresses)


def run(directory: Path, *, leashed: bool, extra: Extra) -> int:
    """Be the broker's parent until told to stop; leashed: until stdin is closed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    prepared = prepare(directory, extra)
    port, addresses = prepared.port, prepared.addresses
    with (directory / "output.txt").open("ab") as output:
        broker = subprocess.Popen(prepared.command, stdout=output, stderr=output)
        try:
            wait_until_ready(port, broker)
            (directory / "pid").write_text(str(os.getpid()))
            (directory / "address").write_text(f"127.0.0.1:{port}")
            print(f"127.0.0.1:{port}", flush=True)
            for name in extra.listeners:
                print(name, addresses[name], flush=True)
            if leashed:
                sys.stdin.read()
                return 0
            return broker.wait()
        except KeyboardInterrupt:
            return 0
        finally:
            (directory / "address").unlink(missing_ok=True)
            broker.terminate()
            try:
                broker.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                broker.kill()


def start(directory: Path) -> int:
    stop(directory)
    resolve()
    shutil.rmtree(directory, ignore_errors=True)
    here = [sys.executable, __file__, "--directory", str(directory), "run"]
    silent = subprocess.DEVNULL
    subprocess.Popen(here, start_new_session=True, stdin=silent, stdout=silent, stderr=silent)
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if (directory / "address").exists():
            return address(directory)
        time.sleep(0.1)
    print(f"Kafka did not start; see {directory / 'output.txt'}", file=sys.stderr)
    return 1


def stop(directory: Path) -> int:
    pid = _running(directory)
    if pid is None:
        return 0
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS + 2
    while _running(directory) is not None and time.monotonic() < deadline:
        time.sleep(0.1)
    return 0


def address(directory: Path) -> int:
    try:
        print((directory / "address").read_text())
    except FileNotFoundError:
        print("no Kafka is running", file=sys.stderr)
        return 1
    return 0


def _running(directory: Path) -> int | None:
    """The process of the one started here, unless its number is somebody else's by now."""
    try:
        pid = int((directory / "pid").read_text())
        command = subprocess.run(
            ["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False
        ).stdout
    except (FileNotFoundError, ValueError):
        return None
    return pid if Path(__file__).name in command else None


def wait_until_ready(port: int, broker: "subprocess.Popen[bytes]") -> None:
    """Until it answers which versions it speaks, the first thing any client asks."""
    question = struct.pack(">hhih", 18, 0, 1, 0)  # ApiVersions 0, correlation 1, no client id
    framed = struct.pack(">i", len(question)) + question
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if broker.poll() is not None:
            raise SystemExit(f"Kafka ended with {broker.returncode}")
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
                connection.sendall(framed)
                if len(connection.recv(8)) == 8:
                    return
        except OSError:
            pass
        time.sleep(0.1)
    raise SystemExit("Kafka did not become ready")


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listening.getsockname()[1] for listening in sockets]
    for listening in sockets:
        listening.close()
    return ports


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("command", choices=("start", "stop", "address", "run", "missing", "tools"))
    parser.add_argument("--directory", type=Path, default=DEFAULT_DIRECTORY)
    parser.add_argument("--leashed", action="store_true", help="run until stdin is closed")
    parser.add_argument("--listener", action="append", default=[], metavar="NAME=PROTOCOL")
    parser.add_argument("--properties", type=Path, help="more of server.properties")
    parser.add_argument("--scram", action="append", default=[], metavar="NAME=PASSWORD")
    arguments = parser.parse_args()
    if arguments.command in ("start", "run") and (lacking := missing()) is not None:
        print(f"Kafka can't be started here: {lacking}", file=sys.stderr)
        return 1
    if arguments.command == "missing":
        lacking = missing()
        print(lacking or "nothing")
        return int(lacking is not None)
    if arguments.command == "tools":
        print(f"{resolve(TOOLS)}/*:{resolve()}/*")
        return 0
    if arguments.command == "run":
        extra = Extra(
            listeners=dict(each.split("=", 1) for each in arguments.listener),
            properties=arguments.properties.read_text() if arguments.properties else "",
            users=arguments.scram,
        )
        return run(arguments.directory, leashed=arguments.leashed, extra=extra)
    commands = {"start": start, "stop": stop, "address": address}
    return commands[arguments.command](arguments.directory)


if __name__ == "__main__":
    sys.exit(main())
