"""The extent of a namespace that one part of a maintenance run inspects."""

from enum import Enum


class MaintenanceExtent(Enum):
    """Extents of a part. A run is one page of everything, several pages and the whole, or the news."""

    ONLY_PAGE = "everything that is active, at once"
    PAGE = "a page of it, by id, with others to come"
    LAST_PAGE = "the last of several pages"
    NEWS = "what has come, has changed or is due since everything was looked at"
    WHOLE = "what only the whole shows: what several say together, and what is too much"

    @property
    def is_one_by_one(self) -> bool:
        """Return whether each memory of the extent is inspected by itself."""
        return self is not MaintenanceExtent.WHOLE

    @property
    def shows_the_whole(self) -> bool:
        return self in (MaintenanceExtent.ONLY_PAGE, MaintenanceExtent.WHOLE)
