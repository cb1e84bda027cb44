"""Tables for a terminal in which nothing is cut off: what does not fit goes on in the next line."""

from rich.table import Table
from rich.text import Text


def build_wrapped_table(*headings: str, title: str | Text | None = None) -> Table:
    """The first column keeps its words whole."""
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading == headings[0])
    return table
