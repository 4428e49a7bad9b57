"""Validation and content of requests. Only a page that this server process sent may send requests."""

from __future__ import annotations

__all__ = ["LARGEST_BODY", "Denied", "Headers", "Received", "checked", "received"]

import hmac
import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

LARGEST_BODY = 256 * 2**20
LARGEST_HEAD = 2**20
MOST_FILES = 500
LONGEST_NAME = 120
_CHUNK = 2**20


class Headers(Protocol):
    """Headers of a request, with case-insensitive names."""

    def get(self, name: str, /) -> str | None:
        """Return the value of a header, or None if it is missing."""


class Denied(Exception):  # noqa: N818  (it is an answer, not a mistake of the program)
    """Rejection of a request, with the HTTP status and the reason in one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


@dataclass(frozen=True, kw_only=True)
class Received:
    """Request of the web interface, with its pasted text and the paths of its uploaded files."""

    question: dict[str, Any]
    pasted: bytes = b""
    paths: list[str] = field(default_factory=list)


def checked(headers: Headers, port: int, token: str, *, is_post: bool) -> None:
    """Raise an error for a request that does not come from a page of this server process on this computer.

    Parameters
    ----------
    headers : Headers
        Headers of the request. The host must be a name of this computer, because another site can make its own name
        resolve to this computer (DNS rebinding). The origin must be a page of this server with the token.
    port : int
        Port of the server.
    token : str
        Token of this server process.
    is_post : bool
        Whether the request is a POST request. Only a POST request needs the token.

    Raises
    ------
    Denied
        If the request is not accepted. The status is 403.
    """
    hosts = {f"127.0.0.1:{port}", f"localhost:{port}"} | ({"127.0.0.1", "localhost"} if port == 80 else set())
    if (headers.get("Host") or "").lower() not in hosts:
        raise Denied(403, "this page is available only on this computer, as 127.0.0.1")
    origin, site = headers.get("Origin"), headers.get("Sec-Fetch-Site")
    if (origin is not None and origin.lower() not in {f"http://{host}" for host in hosts}) or (
        is_post and site not in (None, "same-origin")
    ):
        raise Denied(403, "the request came from another page; evalstats serve accepts requests from its own page only")
    given = headers.get("X-Evalstats-Token") or ""
    if is_post and not hmac.compare_digest(given.encode("utf-8", "replace"), token.encode()):
        raise Denied(
            403, "this page was opened by an earlier run of evalstats serve; open the address that was printed last"
        )


def received(headers: Headers, read: Callable[[int], bytes], folder: str) -> Received:
    """Read the body of a request.

    The first line is JSON with the request and the sizes of the files. The contents of the files follow.

    Parameters
    ----------
    headers : Headers
        Headers of the request.
    read : callable
        ``read(n)`` returns at most n bytes, or no bytes if the client closed the connection.
    folder : str
        Directory for the uploaded files. Each file keeps its name without the directories.

    Raises
    ------
    Denied
        If the body is too large or incomplete, or does not have the format of the page.
    """
    if headers.get("Transfer-Encoding") is not None:
        raise Denied(411, "the request must state its length")
    length = headers.get("Content-Length") or ""
    if not (length.isascii() and length.isdigit()):
        raise Denied(411, "the request must state its length")
    if int(length) > LARGEST_BODY:
        most = LARGEST_BODY // 2**20
        raise Denied(413, f"the page accepts at most {most} MB at once; evalstats compare FILE reads files of any size")
    body = _Body(read, int(length))
    head = _head(body)
    files = head.pop("files", [])
    if not isinstance(files, list) or len(files) > MOST_FILES:
        raise Denied(
            400, f"the page accepts at most {MOST_FILES} files at once; evalstats compare FOLDER reads a whole folder"
        )
    pasted, paths = b"", []
    for file in files:
        name, size = (file.get("name"), file.get("size")) if isinstance(file, dict) else (None, None)
        if type(size) is not int or not 0 <= size <= body.left or not isinstance(name, str | None):
            raise Denied(400, "the sizes of the files differ from the announced sizes")
        if name is None:
            pasted = b"".join(body.chunks(size))
            head["is_pasted"] = True
            continue
        path = os.path.join(folder, file_name(name))
        if path in paths:
            raise Denied(400, f"two files are called {file_name(name)!r}; rename one of them")
        with open(path, "xb") as kept:
            for chunk in body.chunks(size):
                kept.write(chunk)
        paths.append(path)
    return Received(question=head | {"paths": paths}, pasted=pasted, paths=paths)


def file_name(name: str) -> str:
    """Return the file name in a path that a client sent, without the directories."""
    last = "".join(c for c in name.replace("\\", "/").rsplit("/", 1)[-1] if c.isprintable() and c not in '<>:"|?*')
    last = last.strip().strip(".") if not last.strip(" .") else last.strip().rstrip(".")
    stem, suffix = os.path.splitext(last)
    while len(f"{stem}{suffix}".encode()) > LONGEST_NAME:
        stem, suffix = (stem[:-1], suffix) if stem else ("", suffix[:-1])
    return f"{stem}{suffix}" or "table"


def _head(body: _Body) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        head = json.loads(body.line(LARGEST_HEAD))
        known = {"ask", "options", "files", "question", "kind"}
        if isinstance(head, dict) and set(head) <= known and isinstance(head.get("options", {}), dict):
            return head
    raise Denied(400, "the request is not valid for this page")


class _Body:
    """Body of a request, which is read in chunks."""

    def __init__(self, read: Callable[[int], bytes], length: int) -> None:
        self._read, self.left, self._before = read, length, b""

    def line(self, longest: int) -> bytes:
        line = b""
        while b"\n" not in line:
            if len(line) > longest:
                raise Denied(413, "there are too many fields")
            if not self.left:
                return line
            line += self._some(min(_CHUNK, self.left))
        line, _, self._before = line.partition(b"\n")
        self.left += len(self._before)
        return line

    def chunks(self, size: int) -> Any:
        while size > 0:
            chunk = self._some(min(size, _CHUNK))
            size -= len(chunk)
            yield chunk

    def _some(self, most: int) -> bytes:
        if self._before:
            chunk, self._before = self._before[:most], self._before[most:]
        elif not (chunk := self._read(most)):
            raise Denied(400, "the request ends too early")
        self.left -= len(chunk)
        return chunk
