"""Style sheets, scripts and pictures of the page, at addresses that change with their content."""

import hashlib
from functools import cached_property
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response

FOLDER = Path(__file__).with_name("static")

_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOR_A_YEAR = {"cache-control": "public, max-age=31536000, immutable"}


class StaticFiles:
    """Files in memory. All share one version, so that scripts can import each other by name."""

    @cached_property
    def _files(self) -> dict[str, bytes]:
        return {
            file.relative_to(FOLDER).as_posix(): file.read_bytes()
            for file in sorted(FOLDER.rglob("*"))
            if file.suffix in _MEDIA_TYPES
        }

    @cached_property
    def _version(self) -> str:
        digest = hashlib.sha256()
        for name, content in self._files.items():
            digest.update(name.encode() + b"\0" + content)
        return digest.hexdigest()[:12]

    def address(self, name: str) -> str:
        """Return the path of a file; raises KeyError if there is none."""
        if name not in self._files:
            raise KeyError(name)
        return f"/page/static/{self._version}/{name}"

    def has(self, name: str) -> bool:
        return name in self._files

    def answer(self, version: str, name: str) -> Response:
        """Return a file; a browser keeps it for as long as the version stays."""
        if version != self._version or name not in self._files:
            raise HTTPException(404)
        media_type = _MEDIA_TYPES[Path(name).suffix]
        return Response(self._files[name], headers=_FOR_A_YEAR, media_type=media_type)
