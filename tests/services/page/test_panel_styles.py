"""The panel of a memory looks alike in every view: what styles it is loaded with the layout."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "services" / "page"
PANEL = ("drawer", "body", "edit", "fields", "conflict", "macros")
_CLASSES = re.compile(r'class="([^"]*)"')
_SHEETS = re.compile(r"asset\('(\w+\.css)'\)")
_NAMES = re.compile(r"\.([a-z][\w-]*)")


def name_styled(sheet: Path) -> set[str]:
    return set(_NAMES.findall(re.sub(r"\{[^{}]*\}", "", sheet.read_text())))


def test_every_class_of_the_panel_is_styled_where_every_view_loads_it() -> None:
    layout = (PAGE / "templates" / "layout.html").read_text()
    everywhere = {PAGE / "static" / name for name in _SHEETS.findall(layout)}
    assert {sheet.name for sheet in everywhere} >= {"page.css", "memory_panel.css"}
    others = set((PAGE / "static").glob("*.css")) - everywhere
    shared = set().union(*map(name_styled, everywhere))
    of_some_views = set().union(*map(name_styled, others)) - shared
    for template in PANEL:
        markup = (PAGE / "templates" / "memories" / f"{template}.html").read_text()
        used = {word for classes in _CLASSES.findall(markup) for word in classes.split()}
        assert not used & of_some_views, template
