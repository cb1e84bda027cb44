"""The `palimpsest` command with a clock that is wrong: `python -m tests.faults.skewed -20 serve …`."""

import sys
from datetime import datetime, timedelta

from palimpsest.model.clock import system_clock
from services.host import cli, platform


def main() -> None:
    ahead = timedelta(seconds=float(sys.argv.pop(1)))

    def skewed() -> datetime:
        return system_clock() + ahead

    # Every clock of a service comes from here.
    vars(platform)["system_clock"] = skewed
    cli.main()


if __name__ == "__main__":
    main()
