"""May a process work on this database as it is?"""

import pytest

from palimpsest_server.stores.migrations.start_decision import (
    DatabaseTooNew,
    DatabaseTooOld,
    StartDecision,
    decide_start,
)


@pytest.mark.parametrize(
    ("found", "empty", "migrates", "decision"),
    [
        (None, True, False, StartDecision.BEGIN),
        (None, True, True, StartDecision.BEGIN),
        (3, False, False, StartDecision.WORK),
        (3, True, False, StartDecision.WORK),
        (2, False, True, StartDecision.MIGRATE),
        (None, False, True, StartDecision.MIGRATE),
    ],
)
def test_a_process_begins_works_or_migrates(
    found: int | None, *, empty: bool, migrates: bool, decision: StartDecision
) -> None:
    assert decide_start(found, empty=empty, newest=3, migrates=migrates) is decision


@pytest.mark.parametrize("migrates", [True, False])
def test_a_newer_database_is_refused_with_words_that_say_what_to_do(*, migrates: bool) -> None:
    with pytest.raises(DatabaseTooNew, match=r"at version 4.* up to 3.*Start the newer .*backup"):
        decide_start(4, empty=False, newest=3, migrates=migrates)


@pytest.mark.parametrize("found", [None, 0, 2])
def test_an_older_database_names_the_command(found: int | None) -> None:
    with pytest.raises(DatabaseTooOld, match=r"`palimpsest migrate`.*PALIMPSEST_MIGRATE_AT_START"):
        decide_start(found, empty=False, newest=3, migrates=False)
