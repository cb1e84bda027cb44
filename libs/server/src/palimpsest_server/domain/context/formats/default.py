"""`default` format: as much as fits, in as few tokens as possible.

Messages stand under the day on which they were said, because a date on every
line would cost a tenth of the tokens.
"""

from datetime import UTC, date, datetime
from itertools import groupby

from palimpsest.model.prompt_markers import wrap_in_markers
from palimpsest_server.domain.context.format_phrases import (
    EN,
    ZH,
    format_day,
    format_item_line,
    write_conflict_notice,
)
from palimpsest_server.domain.context.formats.sections import build_sections
from palimpsest_server.domain.context.material import ContextItem, ContextMaterial, WrittenContext

_ABOUT = {ZH: "## 关于用户", EN: "## About the user"}
_UNSAID = datetime.min.replace(tzinfo=UTC)
_LATELY = {ZH: "## 之前的交流", EN: "## Earlier conversations"}


def write_default(material: ContextMaterial) -> WrittenContext:
    """Write the context; empty if nothing is known."""
    language = material.language
    parts = [f"{_ABOUT[language]}\n{material.profile}"] if material.profile else []
    if material.conversations:
        conversations = [
            f"- {format_day(conversation.on, language)}: {conversation.text}"
            for conversation in material.conversations
        ]
        parts.append("\n".join([_LATELY[language], *conversations]))
    memories = material._replace(
        items=tuple(item for item in material.items if item.kind is not None)
    )
    parts += [
        f"## {title}\n" + "\n".join(lines)
        for title, lines in build_sections(memories, text=lambda item: item.content)
    ]
    parts += _said(material)
    parts += write_conflict_notice(material)
    own = f"{material.system_prompt}\n\n" if material.system_prompt else ""
    # Outside the block, although it is made from the messages too.
    running = f"\n\n{wrap_in_markers(material.running_summary)}" if material.running_summary else ""
    return WrittenContext("\n".join(parts), own, running)


def _said(material: ContextMaterial) -> list[str]:
    """Write messages day by day in their order, with one date for each day."""
    language = material.language
    said = [item for item in material.items if item.kind is None]
    said.sort(key=lambda item: (item.on is None, item.on, item.at or _UNSAID, item.number))
    return [
        "\n".join(
            ([f"## {format_day(on, language)}"] if on is not None else [])
            + [
                format_item_line(
                    item,
                    item.content,
                    language,
                    citations=material.citations,
                    under_its_day=on is not None,
                )
                for item in items
            ]
        )
        for on, items in groupby(said, key=_on)
    ]


def _on(item: ContextItem) -> date | None:
    return item.on
