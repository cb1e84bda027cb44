"""`gated` (002, section 5.3): a plain list of background, before the assistant's own prompt."""

from palimpsest.domain.context.material import Material, Written
from palimpsest.domain.context.words import EN, ZH, line, to_ask

_OPENING = {ZH: "你是一个 AI 助手。", EN: "You are an AI assistant."}
_BACKGROUND = {ZH: "关于用户的背景信息：", EN: "Background about the user:"}


def gated(material: Material) -> Written:
    """Nothing where nothing was relevant."""
    language = material.language
    lines = [
        f"- {line(item, item.content, language, citations=material.citations)}"
        for item in material.items
    ]
    block = "\n".join([_BACKGROUND[language], *lines, *to_ask(material)]) if lines else ""
    after = f"\n\n{material.system_prompt}" if material.system_prompt else ""
    before = _OPENING[language] + ("\n\n" if block else "")
    return Written(block, before, after)
