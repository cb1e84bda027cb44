"""`make faults`: what was acknowledged survives whatever happens, and ends as if nothing had.

Each seed says the same to two systems of real processes, one left in peace and
one not, and compares what they remember with each other and with what the feed
alone says must be remembered.
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
from pathlib import Path

from deploy.local import kafka
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
    undisturbed, disturbed = (each.result() for each in runs)
    return compare(seed, scale, said, undisturbed, disturbed)


async def all_seeds(
    seeds: Sequence[int], scale: Scale, directory: Path, *, as_json: bool
) -> list[Comparison]:
    comparisons = []
    with Reporter(quiet=as_json) as reporter:
        async with Nursery(directory) as nursery:
            for seed in seeds:
                comparison = await one_seed(seed, scale, directory, nursery, reporter)
                comparisons.append(comparison)
                reporter.print(comparison)
        if len(seeds) > 1:
            reporter.print_table(comparisons)
    return comparisons


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="1", help="numbers with commas between them")
    parser.add_argument("--short", action="store_true", help="fewer people, in about two minutes")
    parser.add_argument("--json", action="store_true", help="nothing but what was found, as JSON")
    parser.add_argument("--keep", type=Path, help="a folder for all that the processes wrote")
    arguments = parser.parse_args()
    if (lacking := kafka.missing()) is not None:
        sys.stderr.write(f"This needs an Apache Kafka, and {lacking}.\n")
        return 2
    seeds = [int(seed) for seed in arguments.seeds.split(",")]
    scale = SHORT if arguments.short else FULL
    directory = arguments.keep or Path(tempfile.mkdtemp(prefix="palimpsest-faults-"))
    directory.mkdir(parents=True, exist_ok=True)
    # Its clients say of every broker that is gone what we know.
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)
    # So that what was mounted is taken down again.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    comparisons = asyncio.run(all_seeds(seeds, scale, directory, as_json=arguments.json))
    if arguments.json:
        found = json.dumps(
            [told(comparison) for comparison in comparisons], ensure_ascii=False, indent=2
        )
        sys.stdout.write(f"{found}\n")
    failed = any(comparison.wrong for comparison in comparisons)
    if failed or arguments.keep:
        sys.stderr.write(f"What the processes wrote is in {directory}.\n")
    else:
        shutil.rmtree(directory, ignore_errors=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
