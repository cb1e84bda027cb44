"""`default`: ours. As much as fits, in as few tokens as say it: see `bench tokens`.

What was said stands under the day on which it was said, for a date on every
line would cost as much as a tenth of them.
"""

from datetime import date
from itertools import groupby

from palimpsest.domain.context.formats.sections import sections
from palimpsest.domain.context.marking import marked
from palimpsest.domain.context.material import Item, Material, Written
from palimpsest.domain.context.words import EN, ZH, day, line, to_ask

_ABOUT = {ZH: "## 关于用户", EN: "## About the user"}
_LATELY = {ZH: "## 之前的交流", EN: "## Earlier conversations"}


def default(material: Material) -> Written:
    """Nothing where nothing is known."""
    language = material.language
    parts = [f"{_ABOUT[language]}\n{material.profile}"] if material.profile else []
    if material.talks:
        talks = [f"- {day(talk.on, language)}: {talk.text}" for talk in material.talks]
        parts.append("\n".join([_LATELY[language], *talks]))
    memories = material._replace(items=tuple(one for one in material.items if one.kind is not None))
    parts += [
        f"## {title}\n" + "\n".join(lines)
        for title, lines in sections(memories, text=lambda item: item.content)
    ]
    parts += _said(material)
    parts += to_ask(material)
    own = f"{material.system_prompt}\n\n" if material.system_prompt else ""
    # Outside the block, and made of what was said all the same.
    running = f"\n\n{marked(material.running)}" if material.running else ""
    return Written("\n".join(parts), own, running)


def _said(material: Material) -> list[str]:
    """What was said, day by day in its order; a date costs once for all of that day."""
    language = material.language
    said = [item for item in material.items if item.kind is None]
    said.sort(key=lambda item: (item.on is None, item.on, item.number))
    return [
        "\n".join(
            ([f"## {day(on, language)}"] if on is not None else [])
            + [line(one, one.content, language, citations=material.citations) for one in items]
        )
        for on, items in groupby(said, key=_on)
    ]


def _on(item: Item) -> date | None:
    return item.on
