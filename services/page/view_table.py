"""The table of views: it drives navigation, routes, browser tests, axe and screenshots.

A view is a row here, a module `views/NAME.py` with `ROUTES`, a template `templates/NAME.html`, words
`words/NAME.toml` (at least `title` and `summary`) and an icon.
"""

from enum import StrEnum
from typing import NamedTuple


class ViewGroup(StrEnum):
    """Groups of views in the navigation."""

    REMEMBERED = "remembered"
    UNDERSTOOD = "understood"
    LOOKED_AFTER = "looked_after"
    OPERATED = "operated"


class View(NamedTuple):
    """One view."""

    name: str
    """Its module, template, words, icon and path: /page/NAME."""
    group: ViewGroup
    is_for_operators: bool = False
    """True to show it only to visitors whose key looks after the deployment."""

    @property
    def path(self) -> str:
        return f"/page/{self.name}"


VIEWS = (
    View("memories", ViewGroup.REMEMBERED),
    View("timeline", ViewGroup.REMEMBERED),
    View("conversations", ViewGroup.REMEMBERED),
    View("todos", ViewGroup.REMEMBERED),
    View("profile", ViewGroup.REMEMBERED),
    View("recall", ViewGroup.UNDERSTOOD),
    View("agents", ViewGroup.UNDERSTOOD),
    View("questions", ViewGroup.UNDERSTOOD),
    View("extraction", ViewGroup.UNDERSTOOD),
    View("playground", ViewGroup.UNDERSTOOD),
    View("graph", ViewGroup.UNDERSTOOD),
    View("statistics", ViewGroup.UNDERSTOOD),
    View("reports", ViewGroup.UNDERSTOOD),
    View("ledger", ViewGroup.UNDERSTOOD),
    View("settings", ViewGroup.LOOKED_AFTER),
    View("erase", ViewGroup.LOOKED_AFTER),
    View("exchange", ViewGroup.LOOKED_AFTER),
    View("webhooks", ViewGroup.LOOKED_AFTER),
    View("help", ViewGroup.LOOKED_AFTER),
    View("keys", ViewGroup.OPERATED, is_for_operators=True),
    View("operators", ViewGroup.OPERATED, is_for_operators=True),
)

VIEW_GROUPS = tuple(
    (group, tuple(view for view in VIEWS if view.group is group))
    for group in ViewGroup
    if any(view.group is group for view in VIEWS)
)
"""Views by group, both in the order of the navigation."""
