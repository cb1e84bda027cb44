"""The table of steps. A new one is a module here, named by its number, and the last row."""

from palimpsest_server.stores.migrations.migration_step import MigrationStep, check_step_numbers
from palimpsest_server.stores.migrations.steps.step_001_baseline import Baseline
from palimpsest_server.stores.migrations.steps.step_002_refused_ids import RefusedIds
from palimpsest_server.stores.migrations.steps.step_003_session_projects import SessionProjects
from palimpsest_server.stores.migrations.steps.step_004_change_set_sessions import (
    ChangeSetSessions,
)
from palimpsest_server.stores.migrations.steps.step_005_window_marks import WindowMarks

STEPS: tuple[MigrationStep, ...] = (
    Baseline(),
    RefusedIds(),
    SessionProjects(),
    ChangeSetSessions(),
    WindowMarks(),
)

check_step_numbers(STEPS)

NEWEST_VERSION = len(STEPS)
"""The version that this program reads and writes."""
