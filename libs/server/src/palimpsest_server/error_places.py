"""The place in our code where an error occurred, for the log."""

import traceback
from pathlib import PurePath
from types import FrameType

_OUR_PACKAGES = frozenset(
    {"palimpsest", "palimpsest_language", "palimpsest_server", "palimpsest_lab", "services"}
)


def locate_error(error: BaseException) -> str | None:
    """Return the innermost line of our own code that an error passed, as `file:line function`.

    Only code is returned, never values. If the error passed no line of ours, the innermost line of all is
    returned. None for an error that was never raised.
    """
    passed = [*traceback.walk_tb(error.__traceback__)]
    if not passed:
        return None
    frame, line = ([place for place in passed if _is_ours(place[0])] or passed)[-1]
    return f"{PurePath(frame.f_code.co_filename).name}:{line} {frame.f_code.co_name}"


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in _OUR_PACKAGES
