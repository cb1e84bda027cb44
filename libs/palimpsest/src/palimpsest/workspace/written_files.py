"""A file as it is to be written: its memories, with the person's own text. No I/O."""

from dataclasses import dataclass

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.workspace.decide_edits import Decision
from palimpsest.workspace.file_contents import KeptText, Snapshot, digest_words
from palimpsest.workspace.file_marks import ID_COMMENT, describe_refusal
from palimpsest.workspace.read_files import FileVersion
from palimpsest.workspace.render_file import render_file


@dataclass(frozen=True)
class WrittenFile:
    file: MemoryFile
    snapshot: Snapshot
    text: str
    before: bytes | None
    """The content on disk; None if there is no file."""

    @property
    def is_changed(self) -> bool:
        """False if the file says the same already, whatever its line ends are."""
        if self.before is None:
            return True
        return self.before.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n") != (
            self.text.encode()
        )


def render_version(version: FileVersion, snapshot: Snapshot, decision: Decision) -> WrittenFile:
    """Return the file with these lines, with everything else that stood in it."""
    parsed = version.compared.parsed if version.compared else None
    kept = list(parsed.kept if parsed else ())
    for matched, reason in decision.refused:
        if matched.file is version.file:
            line = matched.line
            raw = tuple(ID_COMMENT.sub("", line.raw).rstrip().split("\n"))
            note = describe_refusal(digest_words([line.text]), reason)
            kept.append(KeptText(anchor=line.anchor, lines=raw, note=note))
    asked = decision.asked.get(version.file, frozenset())
    text = render_file(version.file, snapshot, kept=kept, asked=sorted(asked))
    return WrittenFile(version.file, snapshot, text, version.content)
