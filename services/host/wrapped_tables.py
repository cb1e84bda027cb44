"""Tables for the terminal in which nothing is cut off: long cells continue on the next line."""

from rich.table import Table
from rich.text import Text


def build_wrapped_table(*headings: str, title: str | Text | None = None) -> Table:
    """Build a table; words of the first column are never broken."""
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading == headings[0])
    return table
