"""The files of the pages, held in memory: a page asks for fifty at once, which is no work for threads and a disk."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_LEAST = 500  # bytes from which on a file is sent packed


@dataclass(frozen=True, slots=True)
class _File:
    saved: tuple[int, int]  # time and size of what was read
    body: bytes
    packed: bytes | None  # gzip; None where it is not worth it
    etag: str
    type: str


class Pages:
    """An ASGI app over the files of a folder. Browsers keep them and ask again (etag), so an update is seen at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._paths = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
        self._files: dict[str, _File] = {}
        for name in self._paths:
            self.file(name)

    def file(self, name: str) -> _File:
        """A file by its path in the folder, read again where it has changed; 404 for another."""
        if name not in self._paths:
            raise HTTPException(404)
        path = self._paths[name]
        try:
            stat = path.stat()
            saved = stat.st_mtime_ns, stat.st_size
            if name not in self._files or self._files[name].saved != saved:
                self._files[name] = _read(path, saved)
        except OSError:
            raise HTTPException(404) from None
        return self._files[name]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/")
        await self.answer(name, scope)(scope, receive, send)

    def answer(self, name: str, scope: Scope) -> Response:
        """The file, packed where the browser takes that, or word that it has not changed."""
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        file, asked = self.file(name), Headers(scope=scope)
        headers = {"ETag": file.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        known = [tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")]
        if file.etag in known:
            return Response(status_code=304, headers=headers)
        if file.packed is not None and "gzip" in asked.get("accept-encoding", ""):
            return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.type)
        return Response(file.body, headers=headers, media_type=file.type)


def _read(path: Path, saved: tuple[int, int]) -> _File:
    body = path.read_bytes()
    packed = gzip.compress(body, 9, mtime=0) if len(body) >= _LEAST else None
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    return _File(saved, body, packed if packed is not None and len(packed) < len(body) else None, etag, kind)
