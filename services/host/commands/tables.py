"""`palimpsest topics`, `collections`, `acls` and `settings`: the tables that everything reads."""

import dataclasses
import json
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from palimpsest.events.topics import TOPICS
from palimpsest_server.delivery.acls import format_acl_commands
from palimpsest_server.delivery.acls import list_required_acls as granted
from palimpsest_server.runtime.settings_reference import (
    list_documented_settings,
    render_settings_page,
)
from palimpsest_server.stores.collections import COLLECTIONS
from services.host.options import JsonOption
from services.host.wrapped_tables import build_wrapped_table

TableRow = dict[str, object]

_HOUR_MILLISECONDS = 60 * 60 * 1000


def topics(*, as_json: JsonOption = False) -> None:
    """The table of topics: who writes, who reads, how long it is kept."""
    rows: list[TableRow] = [
        {
            "name": topic.name,
            "key": "user_id",
            "models": [model.__name__ for model in topic.models],
            "writers": list(topic.writers),
            "readers": list(topic.readers),
            "partitions": topic.partitions,
            "retention_hours": topic.retention_milliseconds / _HOUR_MILLISECONDS,
            "cleanup": topic.cleanup,
            "description": topic.description,
        }
        for topic in TOPICS
    ]
    _show(rows, ("name", "writers", "readers", "partitions", "description"), as_json=as_json)


def collections(*, as_json: JsonOption = False) -> None:
    """The table of MongoDB's collections: each has one owner."""
    rows: list[TableRow] = [
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


def acls(
    *,
    as_json: JsonOption = False,
    prefix: Annotated[str, typer.Option(help="PALIMPSEST_KAFKA_TOPIC_PREFIX.")] = "",
    commands: Annotated[
        bool, typer.Option("--commands", help="As calls of Kafka's own kafka-acls.sh.")
    ] = False,
) -> None:
    """Print what each service may do on Kafka, from the table of topics, with one user per service."""
    if commands:
        typer.echo("\n".join(format_acl_commands(prefix)))
        return
    rows: list[TableRow] = [
        {
            "who": each.who,
            "resource": each.resource.value,
            "name": prefix + each.name,
            "operations": list(each.operations),
        }
        for each in granted()
    ]
    _show(rows, ("who", "resource", "name", "operations"), as_json=as_json)


def settings(
    *,
    as_json: JsonOption = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="As the page deploy/SETTINGS.md.")
    ] = False,
) -> None:
    """Every environment variable, its default and what it is for, from the settings."""
    if markdown:
        typer.echo(render_settings_page(), nl=False)
        return
    found = list_documented_settings()
    if as_json:
        _show_json([dataclasses.asdict(documented_setting) for documented_setting in found])
        return
    # Names of fifty characters leave no room for another column.
    console = Console(highlight=False)
    for each in found:
        console.print(Text(f"{each.variable}={each.default}", "bold"), soft_wrap=True)
        if each.words:
            console.print(Padding(Text(each.words), (0, 0, 0, 4)))


def _show(rows: list[TableRow], columns: tuple[str, ...], *, as_json: bool) -> None:
    """Print a table: complete as JSON, or as much as fits a terminal."""
    if as_json:
        _show_json(rows)
        return
    table = build_wrapped_table(*columns)
    for row in rows:
        table.add_row(*(_cell(row[column]) for column in columns))
    Console().print(table)


def _show_json(rows: list[TableRow]) -> None:
    typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))


def _cell(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
