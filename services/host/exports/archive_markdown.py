"""The Markdown of an archive: memories by kind, and conversations, for people to read."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from palimpsest.api.exports import ExportedMemory, ExportedTurn, ExportLine
from palimpsest.model.memory import Memory, Status
from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import Language
from services.host.exports.archive_format import ArchiveManifest

_WORDS: Mapping[Language, Mapping[str, str]] = {
    Language.ENGLISH: {
        "memories": "Memories",
        "conversations": "Conversations",
        "since": "since",
        "until": "until",
        "user": "User",
        "agent": "Agent",
        "tool": "Tool",
    },
    Language.CHINESE: {
        "memories": "记忆",
        "conversations": "对话",
        "since": "自",
        "until": "至",
        "user": "用户",
        "agent": "智能体",
        "tool": "工具",
    },
}
_SPEAKERS = {Role.USER: "user", Role.AGENT: "agent", Role.TOOL: "tool"}


def describe_memories(lines: Iterable[ExportLine], manifest: ArchiveManifest) -> Iterator[str]:
    """Yield a page of memories; they come by kind, the oldest first."""
    language = manifest.settings.language or Language.ENGLISH
    words = _WORDS[language]
    yield f"# {words['memories']}: {_inline(manifest.user_id)}\n"
    shown = ""
    for line in lines:
        if not isinstance(line, ExportedMemory):
            continue
        heading = line.memory.kind.properties.section.in_language(language)
        if heading != shown:
            shown = heading
            yield f"\n## {heading}\n\n"
        yield _describe_memory(line.memory, words)


def describe_conversations(lines: Iterable[ExportLine], manifest: ArchiveManifest) -> Iterator[str]:
    """Yield a page of conversations; messages come by conversation, in their order."""
    words = _WORDS[manifest.settings.language or Language.ENGLISH]
    yield f"# {words['conversations']}: {_inline(manifest.user_id)}\n"
    session_id = None
    for line in lines:
        if not isinstance(line, ExportedTurn):
            continue
        turn = line.turn
        if turn.session_id != session_id:
            session_id = turn.session_id
            yield f"\n## {_inline(session_id)}\n\n"
        yield _describe_turn(turn, words)


PAGES: Mapping[
    str, tuple[str, Callable[[Iterable[ExportLine], ArchiveManifest], Iterator[str]]]
] = {
    "memories.md": ("memory", describe_memories),
    "conversations.md": ("turn", describe_conversations),
}
"""The pages, each with the kind of record that it shows."""


def _describe_memory(memory: Memory, words: Mapping[str, str]) -> str:
    times = [f"{words['since']} {memory.valid_from:%Y-%m-%d}"]
    if memory.valid_until is not None:
        times.append(f"{words['until']} {memory.valid_until:%Y-%m-%d}")
    if memory.status is not Status.ACTIVE:
        times.append(memory.status.value)
    quotes = dict.fromkeys(piece.quote for piece in memory.evidence if piece.quote.strip())
    said = "".join(f"  > {_inline(quote)}\n" for quote in quotes if quote != memory.content)
    return f"- {_inline(memory.content)} ({', '.join(times)})\n{said}"


def _describe_turn(turn: Turn, words: Mapping[str, str]) -> str:
    speaker = _inline(turn.speaker or words[_SPEAKERS[turn.role]])
    text = "".join(f"> {line}\n" for line in turn.text.splitlines() or [""])
    return f"**{speaker}** {turn.occurred_at:%Y-%m-%d %H:%M}\n\n{text}\n"


def _inline(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())
