"""`profile` format: the user's profile, and the topics of recent conversations."""

from palimpsest_server.domain.context.format_phrases import (
    EN,
    ZH,
    format_item_line,
    format_month_and_day,
)
from palimpsest_server.domain.context.material import ContextMaterial, WrittenContext

_STRANGER = {ZH: "新用户，尚无信息", EN: "A new user; nothing is known yet."}
_OPENING = {ZH: "你是用户的个人 AI 助手。", EN: "You are the user's personal AI assistant."}
_ABOUT = {ZH: "## 关于用户", EN: "## About the user"}
_LATELY = {ZH: "## 最近的交流", EN: "## Recent conversations"}
_PRINCIPLES = {
    ZH: (
        "## 对话原则\n"
        "- 基于你对用户的了解来回应\n"
        "- 不需要每次都重复确认用户的背景信息\n"
        "- 如果用户提到新信息，自然地记住\n"
    ),
    EN: (
        "## Principles\n"
        "- Respond out of what you know about the user\n"
        "- Do not ask again for background that you have\n"
        "- When the user mentions something new, take it in naturally\n"
    ),
}


def write_profile(material: ContextMaterial) -> WrittenContext:
    """Write the profile; without one the memories; without memories the note that the user is new."""
    language = material.language
    about = material.profile or _remembered(material)
    if not (about or material.conversations or material.withheld):
        about = _STRANGER[language]
    parts = [f"{_ABOUT[language]}\n{about}"] if about else []
    if material.conversations:
        colon = "：" if language is ZH else ": "
        conversations = [
            f"- {format_month_and_day(conversation.on, language)}{colon}{conversation.text}"
            for conversation in material.conversations
        ]
        parts.append("\n".join([_LATELY[language], *conversations]))
    own = material.system_prompt or _OPENING[language]
    before = f"{own}\n\n"
    return WrittenContext(
        "\n\n".join(parts), before, ("\n\n" if parts else "") + _PRINCIPLES[language]
    )


def _remembered(material: ContextMaterial) -> str:
    return "\n".join(
        f"- {format_item_line(item, item.content, material.language, citations=material.citations)}"
        for item in material.items
    )
