"""Jinja templates: everything is escaped, and an unknown name is an error."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from services.page.icons import find_icon
from services.page.kind_words import KindWords
from services.page.static_files import StaticFiles
from services.page.view_table import VIEW_GROUPS

if TYPE_CHECKING:
    from services.page.visit import Visit

FOLDER = Path(__file__).with_name("templates")


class PageTemplates:
    """Renders templates for a visit."""

    def __init__(self, static: StaticFiles) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(FOLDER),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(
            asset=static.address, has_asset=static.has, icon=find_icon, view_groups=VIEW_GROUPS
        )

    def render(self, template: str, *, visit: "Visit", context: Mapping[str, Any]) -> str:
        return self._environment.get_template(template).render(
            visit=visit,
            word=visit.word,
            times=visit.times,
            kinds=KindWords(visit.language, visit.word),
            **context,
        )
