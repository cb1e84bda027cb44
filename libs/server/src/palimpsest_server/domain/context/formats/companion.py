"""`companion` format: a persona that knows its user and does not mention it."""

from palimpsest_server.domain.context.format_phrases import (
    EN,
    ZH,
    format_item_line,
    write_conflict_notice,
)
from palimpsest_server.domain.context.material import ContextMaterial, WrittenContext

_HEADING = {ZH: "[关于用户的相关记忆]", EN: "[Relevant memories about the user]"}
_NAME = {ZH: "小伴", EN: "Companion"}
_OPENING = {
    ZH: "你是 {name}，用户的专属 AI 伙伴。",
    EN: "You are {name}, the user's own AI companion.",
}
_GUIDANCE = {
    ZH: (
        "重要指引：\n"
        '- 如果记忆中有相关信息，自然地融入回复，但不要说"我记得你说过..."\n'
        "- 保持人设一致\n"
        "- 对用户的事情表现出真诚的关心\n"
    ),
    EN: (
        "Important:\n"
        '- Where a memory is relevant, weave it in naturally, and do not say "I remember you said..."\n'
        "- Stay in character\n"
        "- Show sincere care for what concerns the user\n"
    ),
}


def write_companion(material: ContextMaterial) -> WrittenContext:
    """Write the context; empty without items. The template keeps its lines."""
    language, persona = material.language, material.persona
    lines = [
        f"- {format_item_line(item, item.content, language, citations=material.citations)}"
        for item in material.items
    ]
    block = (
        "\n".join([_HEADING[language], *lines, *write_conflict_notice(material)]) if lines else ""
    )
    opening = _OPENING[language].format(name=persona.name or _NAME[language])
    own = f"{material.system_prompt}\n\n" if material.system_prompt else ""
    return WrittenContext(
        block, f"{own}{opening}\n\n{persona.personality}\n\n", f"\n\n{_GUIDANCE[language]}"
    )
