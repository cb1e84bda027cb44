"""Folders of a workspace: one for each scope, with names that any file system holds."""

import hashlib
import re
import unicodedata
from pathlib import PurePath
from urllib.parse import unquote

from pydantic import ValidationError

from palimpsest.model.identifiers import encode_length_prefixed
from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.scope import Scope

SHARED = "shared"
"""The folder of memories that all agents of a user see."""

PROJECTS = "projects"
CONTEXT = "context"

LONGEST_NAME = 150
"""Bytes of a folder's name. File systems hold 255."""

_CUT_CODE = re.compile("%.?$")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_@+")
_RESERVED = frozenset({SHARED, PROJECTS, CONTEXT}) | {
    *("con", "prn", "aux", "nul"),
    *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)),
}
"""Names of our own folders, and names that Windows takes for devices."""


def find_folder(scope: Scope) -> PurePath:
    """Return the folder of a scope below the workspace.

    `ada/shared` holds the memories of ada without an agent, `ada/poet` those of her agent poet, and
    `ada/poet/projects/book` those of that agent in a project. Files stand in `context` in each.
    """
    folder = PurePath(_encode(scope.user_id)) / (
        SHARED if scope.agent_id is None else _encode(scope.agent_id)
    )
    return folder if scope.project_id is None else folder / PROJECTS / _encode(scope.project_id)


def find_file(scope: Scope, file: MemoryFile) -> PurePath:
    """Return the path of a file of a scope below the workspace."""
    return find_folder(scope) / CONTEXT / file.value


def read_folder(path: PurePath) -> Scope | None:
    """Return the scope of a file's path below the workspace; None if no name tells it.

    A name that was shortened tells no id.
    """
    parts = path.parts
    if len(parts) not in {4, 6} or parts[-2] != CONTEXT:
        return None
    if parts[-1] not in set(MemoryFile) or (len(parts) == 6 and parts[2] != PROJECTS):
        return None
    ids = [None if part == SHARED else _decode(part) for part in (parts[0], parts[1])]
    project = _decode(parts[3]) if len(parts) == 6 else None
    try:
        scope = Scope.model_validate({"user_id": ids[0], "agent_id": ids[1], "project_id": project})
    except ValidationError:
        return None
    return scope if find_folder(scope) / CONTEXT / parts[-1] == path else None


def derive_place_name(scope: Scope) -> str:
    """Return the name under which the program keeps what it knows of a scope."""
    parts = encode_length_prefixed(scope.user_id, scope.agent_id, scope.project_id)
    return hashlib.sha256(parts).hexdigest()[:32]


def _encode(name: str) -> str:
    """Return an id as the name of a folder: letters that no file system changes stay readable."""
    last = len(name) - 1
    plain = "".join(
        letter if _stays(letter, is_inside=0 < place < last) else _quote(letter)
        for place, letter in enumerate(name)
    )
    if unicodedata.normalize("NFC", plain) != plain:
        plain = "".join(letter if letter in _PLAIN else _quote(letter) for letter in name)
    if plain.partition(".")[0] in _RESERVED:
        plain = _quote(plain[0]) + plain[1:]
    if len(plain.encode()) <= LONGEST_NAME:
        return plain
    digest = hashlib.sha256(name.encode()).hexdigest()[:20]
    beginning = plain.encode()[:60].decode(errors="ignore")
    return f"{_CUT_CODE.sub('', beginning)}~{digest}"


def _quote(letter: str) -> str:
    """Return a letter in codes. Their digits are capitals, which no other letter of a name is."""
    return "".join(f"%{byte:02X}" for byte in letter.encode())


def _stays(letter: str, *, is_inside: bool) -> bool:
    if letter in _PLAIN or (letter == "." and is_inside):
        return True
    is_letter = ord(letter) > 127 and letter.isalnum()
    return is_letter and unicodedata.normalize("NFKC", letter).casefold() == letter


def _decode(name: str) -> str:
    return unquote(unicodedata.normalize("NFC", name))
