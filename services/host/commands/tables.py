"""`palimpsest topics` and `palimpsest collections`: the two tables everything reads."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from palimpsest.contracts.collections import COLLECTIONS
from palimpsest.contracts.topics import TOPICS

AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]

Row = dict[str, object]

_HOUR_MILLISECONDS = 60 * 60 * 1000


def topics(*, as_json: AsJson = False) -> None:
    """The table of topics: who writes, who reads, how long it is kept."""
    rows: list[Row] = [
        {
            "name": topic.name,
            "key": "user_id",
            "models": [model.__name__ for model in topic.models],
            "writers": list(topic.writers),
            "readers": list(topic.readers),
            "partitions": topic.partitions,
            "retention_hours": topic.retention_milliseconds / _HOUR_MILLISECONDS,
            "cleanup": topic.cleanup.value,
            "description": topic.description,
        }
        for topic in TOPICS
    ]
    _show(rows, ("name", "writers", "readers", "partitions", "description"), as_json=as_json)


def collections(*, as_json: AsJson = False) -> None:
    """The table of MongoDB's collections: each has one owner."""
    rows: list[Row] = [
        {
            "name": collection.name,
            "owner": collection.owner.value,
            "indexes": [index.name for index in collection.indexes],
            "per_namespace": collection.per_namespace,
            "description": collection.description,
        }
        for collection in COLLECTIONS
    ]
    _show(rows, ("name", "owner", "description"), as_json=as_json)


def _show(rows: list[Row], columns: tuple[str, ...], *, as_json: bool) -> None:
    """All of it for programs; for people what fits a terminal."""
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    table = Table(Column(columns[0], no_wrap=True), *columns[1:])
    for row in rows:
        table.add_row(*(_cell(row[column]) for column in columns))
    Console().print(table)


def _cell(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
