"""`gated` format: a plain list of background, before the assistant's own prompt."""

from palimpsest_server.domain.context.format_phrases import (
    EN,
    ZH,
    format_item_line,
    write_conflict_notice,
)
from palimpsest_server.domain.context.material import ContextMaterial, WrittenContext

_OPENING = {ZH: "你是一个 AI 助手。", EN: "You are an AI assistant."}
_BACKGROUND = {ZH: "关于用户的背景信息：", EN: "Background about the user:"}


def write_gated(material: ContextMaterial) -> WrittenContext:
    """Write the context; empty if nothing was relevant."""
    language = material.language
    lines = [
        f"- {format_item_line(item, item.content, language, citations=material.citations)}"
        for item in material.items
    ]
    block = (
        "\n".join([_BACKGROUND[language], *lines, *write_conflict_notice(material)])
        if lines
        else ""
    )
    after = f"\n\n{material.system_prompt}" if material.system_prompt else ""
    before = _OPENING[language] + ("\n\n" if block else "")
    return WrittenContext(block, before, after)
