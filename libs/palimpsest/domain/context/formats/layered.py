"""`layered` (000, section 4.2): summaries in sections by kind, or that there are none."""

from palimpsest.domain.context.formats.sections import sections
from palimpsest.domain.context.material import Material, Written
from palimpsest.domain.context.words import ZH, to_ask

NOTHING = {ZH: "暂无相关历史记忆。"}
NOTHING_ENGLISH = "No related memories yet."


def layered(material: Material) -> Written:
    found = sections(material, text=lambda item: item.summary or item.content)
    written = [f"## {title}\n" + "\n".join(lines) for title, lines in found]
    block = "\n\n".join([*written, *to_ask(material)])
    before = f"{material.system_prompt}\n\n" if material.system_prompt else ""
    if not block and not material.withheld:
        block = NOTHING.get(material.language, NOTHING_ENGLISH)
    return Written(block, before, "")
