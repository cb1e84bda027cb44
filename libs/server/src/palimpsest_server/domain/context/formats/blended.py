"""`blended` format: memories under one heading, with a request to ask about contradictions."""

from palimpsest.model.prompt_markers import wrap_in_markers
from palimpsest_server.domain.context.format_phrases import EN, ZH
from palimpsest_server.domain.context.formats.sections import build_sections
from palimpsest_server.domain.context.material import ContextMaterial, WrittenContext

_TITLE = {ZH: "# 用户记忆", EN: "# USER MEMORY"}
_OPENING = {
    ZH: "你是一个拥有长期记忆的 AI 助手。",
    EN: "You are an AI assistant with long-term memory.",
}
_CLOSING = {
    ZH: "请利用用户记忆让回复贴合用户。\n如果信息互相矛盾，请向用户确认。",
    EN: (
        "Use the user memory to personalize your responses.\n"
        "If information conflicts, ask the user for clarification."
    ),
}


def write_blended(material: ContextMaterial) -> WrittenContext:
    """Write the context; empty without items. The running summary comes after the block."""
    language = material.language
    found = build_sections(material, text=lambda item: item.content)
    written = [f"## {title}\n" + "\n".join(lines) for title, lines in found]
    block = f"{_TITLE[language]}\n\n" + "\n\n".join(written) if written else ""
    before = f"{material.system_prompt or _OPENING[language]}\n\n"
    # Outside the block, although it is made from the messages too.
    running = f"{wrap_in_markers(material.running_summary)}\n\n" if material.running_summary else ""
    return WrittenContext(block, before, ("\n\n" if block else "") + running + _CLOSING[language])
