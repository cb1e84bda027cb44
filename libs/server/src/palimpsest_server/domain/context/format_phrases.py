"""The headings and phrases of the formats, in both languages."""

from datetime import date

from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest_language.time_expressions.dated_words import DatedText
from palimpsest_server.domain.context.material import ContextItem, ContextMaterial

ZH, EN = Language.CHINESE, Language.ENGLISH

SAID = {ZH: "对话原文", EN: "Said Before"}


_CONFLICTS = {ZH: "互相矛盾的信息请向用户确认。", EN: "Where these conflict, ask the user."}


def write_conflict_notice(material: ContextMaterial) -> list[str]:
    """Return the request to ask the user, if items contradict each other."""
    conflict = any(item.conflicts for item in material.items)
    return [_CONFLICTS[material.language]] if conflict else []


def format_day(on: date, language: Language) -> str:
    return f"{on.year}年{on.month}月{on.day}日" if language is ZH else f"{on.day} {on:%b %Y}"


def format_month_and_day(on: date, language: Language) -> str:
    return f"{on.month}月{on.day}日" if language is ZH else f"{on:%b} {on.day}"


def format_item_line(
    item: ContextItem,
    text: DatedText,
    language: Language,
    *,
    citations: bool,
    under_its_day: bool = False,
) -> str:
    """Return the line of an item: its speaker, text, conflicts and number.

    The line has the day on which it was said, unless it stands `under_its_day`, and the end of its
    validity, if there is one.
    """
    spoken = _format_speech(item, text, language, under_its_day=under_its_day)
    if item.overdue_since is not None:
        spoken += _format_overdue(item.overdue_since, text, language)
    if item.until is not None:
        until = format_day(item.until, language)
        spoken = f"（{until}之前）{spoken}" if language is ZH else f"(until {until}) {spoken}"
    if item.conflicts:
        numbers = "".join(f"[{number}]" for number in item.conflicts)
        spoken += f"（与{numbers}矛盾）" if language is ZH else f" (conflicts with {numbers})"
    # An item that contradicts another is cited, because the other names its number.
    return f"{spoken} [{item.number}]" if citations or item.conflicts else spoken


def _format_speech(item: ContextItem, text: str, language: Language, *, under_its_day: bool) -> str:
    """Return the words with their speaker and day; a memory only says if no person stated it."""
    role = _ROLES[language][item.said_by] if item.said_by else ""
    by_person = item.said_by in {None, Role.USER}
    chinese = language is ZH
    if item.kind is not None:
        return text if by_person else f"{text}（{role}）" if chinese else f"{text} ({role})"
    name = item.speaker or role
    if item.speaker and not by_person:
        name += f"（{role}）" if chinese else f" ({role})"
    if name and item.said_by and item.on and not under_its_day:
        name += (
            f"（{format_day(item.on, language)}）"
            if chinese
            else f" ({format_day(item.on, language)})"
        )
    colon = "：" if chinese and not item.speaker else ": "
    return f"{name}{colon}{text}" if name else text


_ROLES = {
    ZH: {Role.USER: "用户", Role.AGENT: "助手", Role.TOOL: "工具"},
    EN: {Role.USER: "User", Role.AGENT: "Assistant", Role.TOOL: "Tool"},
}


OVERDUE_MARKS = {ZH: "（已逾期）", EN: " (overdue)"}
"""Mark after the words of an overdue todo."""


def _format_overdue(due: date, text: DatedText, language: Language) -> str:
    """Return the mark of an overdue todo, without the day if the words have it."""
    chinese = language is ZH
    day = format_day(due, language)
    if day in text:
        return OVERDUE_MARKS[language]
    return f"（应于{day}完成，已逾期）" if chinese else f" (was due {day}, overdue)"
