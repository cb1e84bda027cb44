"""`layered` format: summaries in sections by kind, or the note that there are none."""

from palimpsest_server.domain.context.format_phrases import ZH, write_conflict_notice
from palimpsest_server.domain.context.formats.sections import build_sections
from palimpsest_server.domain.context.material import ContextMaterial, WrittenContext

NOTHING = {ZH: "暂无相关历史记忆。"}
NOTHING_ENGLISH = "No related memories yet."


def write_layered(material: ContextMaterial) -> WrittenContext:
    found = build_sections(material, text=lambda item: item.summary or item.content)
    written = [f"## {title}\n" + "\n".join(lines) for title, lines in found]
    block = "\n\n".join([*written, *write_conflict_notice(material)])
    before = f"{material.system_prompt}\n\n" if material.system_prompt else ""
    if not block and not material.withheld:
        block = NOTHING.get(material.language, NOTHING_ENGLISH)
    return WrittenContext(block, before, "")
