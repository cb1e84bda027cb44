"""`make faults`: what was acknowledged survives whatever happens, and ends as if nothing had.

Each seed says the same to two systems of real processes, one left in peace and
one not, and compares what they remember with each other and with what the feed
alone says must be remembered. Besides, each process of a `palimpsest run` is killed by itself, once for
each seed.
"""

import argparse
import asyncio
import json
import logging
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from deploy.local import kafka
from tests.faults.child_kills import ChildKill, Victim, kill_child
from tests.faults.comparing import Comparison, compare
from tests.faults.feed import feed
from tests.faults.processes import Nursery
from tests.faults.reporting import Reporter, told
from tests.faults.running import run
from tests.faults.scale import FULL, SHORT, Scale


async def one_seed(
    seed: int, scale: Scale, directory: Path, nursery: Nursery, reporter: Reporter
) -> Comparison:
    """Both runs of a seed, compared.

    Side by side, since each waits for long: a broker that is gone leaves the processors idle.
    """
    said = feed(seed, scale)
    async with asyncio.TaskGroup() as side_by_side:
        runs = [
            side_by_side.create_task(
                run(
                    directory / f"{seed}-{name}",
                    nursery,
                    said,
                    scale,
                    seed=seed,
                    disturbed=name == "disturbed",
                    watching=reporter.of(seed, name),
                )
            )
            for name in ("undisturbed", "disturbed")
        ]
    undisturbed, disturbed = (task.result() for task in runs)
    return compare(seed, scale, said, undisturbed, disturbed)


async def all_seeds(
    seeds: Sequence[int], scale: Scale, directory: Path, reporter: Reporter
) -> list[Comparison]:
    comparisons = []
    async with Nursery(directory) as nursery:
        for seed in seeds:
            comparison = await one_seed(seed, scale, directory, nursery, reporter)
            comparisons.append(comparison)
            reporter.print(comparison)
    if len(seeds) > 1:
        reporter.print_table(comparisons)
    return comparisons


async def all_kills(
    seeds: Sequence[int],
    victims: Sequence[Victim],
    scale: Scale,
    directory: Path,
    reporter: Reporter,
) -> list[ChildKill]:
    """Kill each of these processes by itself, one after another."""
    kills = []
    for seed in seeds:
        for victim in victims:
            place = directory / f"{seed}-{victim.name.lower()}"
            place.mkdir()
            watching = reporter.of(seed, f"without its {victim.name.lower()}")
            watching.begins("killing", scale.statements)
            kill = await kill_child(
                place, victim, count=scale.statements, seed=seed, say=watching.say
            )
            kills.append(kill)
            reporter.print_kill(kill)
    return kills


async def everything(
    seeds: Sequence[int],
    victims: Sequence[Victim],
    scale: Scale,
    directory: Path,
    *,
    as_json: bool,
    children_only: bool,
) -> tuple[list[Comparison], list[ChildKill]]:
    with Reporter(quiet=as_json) as reporter:
        comparisons = [] if children_only else await all_seeds(seeds, scale, directory, reporter)
        # They take another four minutes, whatever the scale.
        kills = (
            await all_kills(seeds, victims, scale, directory, reporter)
            if children_only or scale is FULL
            else []
        )
    return comparisons, kills


def parse_seeds(numbers: str) -> list[int]:
    """Parse numbers and ranges with commas between them: `1,2` or `1-10`."""
    seeds: list[int] = []
    for part in numbers.split(","):
        first, _, last = part.partition("-")
        seeds += range(int(first), int(last or first) + 1)
    return seeds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="1", help="numbers and ranges with commas between them")
    parser.add_argument("--short", action="store_true", help="fewer people, in about four minutes")
    parser.add_argument("--json", action="store_true", help="nothing but what was found, as JSON")
    parser.add_argument(
        "--children",
        action="store_true",
        help="only kill the processes of `palimpsest run`, which a short run leaves out",
    )
    parser.add_argument(
        "--child",
        choices=[victim.name.lower() for victim in Victim],
        help="only kill this one of them",
    )
    parser.add_argument("--keep", type=Path, help="a folder for all that the processes wrote")
    arguments = parser.parse_args()
    children_only = arguments.children or arguments.child is not None
    victims = [victim for victim in Victim if arguments.child in (None, victim.name.lower())]
    if not children_only and (lacking := kafka.missing()) is not None:
        sys.stderr.write(f"This needs an Apache Kafka, and {lacking}.\n")
        return 2
    seeds = parse_seeds(arguments.seeds)
    scale = SHORT if arguments.short else FULL
    directory = arguments.keep or Path(tempfile.mkdtemp(prefix="palimpsest-faults-"))
    directory.mkdir(parents=True, exist_ok=True)
    # Its clients say of every broker that is gone what we know.
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)
    # So that what was mounted is taken down again.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    comparisons, kills = asyncio.run(
        everything(
            seeds,
            victims,
            scale,
            directory,
            as_json=arguments.json,
            children_only=children_only,
        )
    )
    if arguments.json:
        results = [*map(told, comparisons), *map(asdict, kills)]
        found = json.dumps(results, ensure_ascii=False, indent=2)
        sys.stdout.write(f"{found}\n")
    wrong = [*(run.wrong for run in comparisons), *(kill.wrong for kill in kills)]
    failed = any(wrong)
    if failed or arguments.keep:
        sys.stderr.write(f"What the processes wrote is in {directory}.\n")
    else:
        shutil.rmtree(directory, ignore_errors=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
