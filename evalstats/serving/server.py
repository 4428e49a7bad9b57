"""HTTP server of the web interface, which accepts local connections only."""

from __future__ import annotations

__all__ = ["PageServer"]

import contextlib
import io
import json
import secrets
import select
import shutil
import socket
import tempfile
import threading
import time
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any

from evalstats import _checks
from evalstats.serving.languages import language_of, page
from evalstats.serving.requests import Denied, checked, received
from evalstats.serving.worker_pool import Gone, TooLong, Workers

HOST = "127.0.0.1"
# seconds to receive a complete request, and to send a result
TIME_TO_ASK, TIME_TO_TAKE = 60.0, 60.0
MOST_AT_ONCE = 200
# seconds after which a connection without a valid request may be closed if the maximum number is reached
TIME_TO_SPARE = 1.0
STATIC = {
    "/": ("evalstats.serving", "page.html", "text/html"),
    "/page.css": ("evalstats.serving", "page.css", "text/css"),
    "/page.js": ("evalstats.serving", "page.js", "text/javascript"),
    "/report.css": ("evalstats.report.formats", "page.css", "text/css"),
    "/report.js": ("evalstats.report.formats", "page.js", "text/javascript"),
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class PageServer(ThreadingHTTPServer):
    """Server of the web interface on this computer.

    Parameters
    ----------
    port : int
        Port of the server; 0 selects a free port.
    time_limit : float
        Maximum time of an analysis in seconds. It must be finite and greater than 0.

    Raises
    ------
    ValueError
        If the time limit is not finite or not greater than 0.
    OSError
        If the port cannot be used.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 2048
    allow_reuse_address = True

    def __init__(self, port: int = 0, *, time_limit: float = 300.0) -> None:
        time_limit = _checks.duration(time_limit, "time_limit")
        self.token = secrets.token_urlsafe(24)
        self._is_ending = False
        self._slots = threading.BoundedSemaphore(MOST_AT_ONCE)
        # connections without a valid request of the page, the oldest first, with their start times
        self._unproven: dict[Any, float] = {}
        self._lock = threading.Lock()
        self.folder = tempfile.mkdtemp(prefix="evalstats-serve-")
        self.workers = Workers(time_limit=time_limit)
        super().__init__((HOST, port), _Handler)  # if the port is in use, this closes the opened socket

    @property
    def port(self) -> int:
        """Port of the server."""
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        """Return the address that the browser opens."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    def server_bind(self) -> None:
        """Bind the socket without looking up the name of this computer, because the lookup may take seconds."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = HOST, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Handle a request in a thread. Further requests wait in the queue of the operating system."""
        while not self._slots.acquire(blocking=False):
            if self._is_ending:
                self.shutdown_request(request)
                return
            self._make_room()
            if self._slots.acquire(timeout=0.05):
                break
        with self._lock:
            self._unproven[request] = time.monotonic()
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # the system has no thread left
            self._leave(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Handle one request, and then release its slot."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._leave(request)

    def trust(self, request: Any) -> None:
        """Protect a connection with a valid token from being closed while it is idle."""
        with self._lock:
            self._unproven.pop(request, None)

    def _leave(self, request: Any) -> None:
        self.trust(request)
        self._slots.release()

    def _make_room(self) -> None:
        """Close the oldest connection without a valid request to make room for new connections."""
        with self._lock:
            oldest, since = next(iter(self._unproven.items()), (None, 0.0))
            if oldest is None or time.monotonic() - since < TIME_TO_SPARE:
                return
            del self._unproven[oldest]
        with contextlib.suppress(OSError):  # it has just ended by itself
            oldest.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error, unless the client closed the connection or the worker process ended."""
        import sys

        if not isinstance(sys.exception(), OSError | Gone):
            super().handle_error(request, client_address)

    def shutdown(self) -> None:
        """Stop the loop that accepts requests, even if it waits for a free slot."""
        self._is_ending = True
        super().shutdown()

    def server_close(self) -> None:
        """Stop listening, stop the processes, and delete the uploaded files."""
        super().server_close()
        self.workers.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Handler(BaseHTTPRequestHandler):
    """Handler of one request."""

    server: PageServer
    server_version, sys_version = "evalstats", ""

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        self._patient = _Patient(self.connection, time.monotonic() + TIME_TO_ASK)
        self.rfile = io.BufferedReader(self._patient, 1 << 16)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (named by the standard library)
        """Write no log: the terminal shows only messages for the user."""

    def do_GET(self) -> None:
        """Send the page or one of its static files."""
        try:
            checked(self.headers, self.server.port, self.server.token, is_post=False)
            path = self.path.split("?")[0]
            if path not in STATIC:
                raise Denied(404, "this address has no page")
        except Denied as denied:
            self._deny(denied)
            return
        room, name, kind = STATIC[path]
        if path == "/":
            body = page(language_of(self.path, self.headers.get("Accept-Language", "")))
        else:
            body = _static(room, name)
        self._send(200, f"{kind}; charset=utf-8", body)

    do_HEAD = do_GET  # noqa: N815  (named by the standard library)

    def do_POST(self) -> None:
        """Send the response to a request of the web interface."""
        folder = None
        try:
            checked(self.headers, self.server.port, self.server.token, is_post=True)
            self.server.trust(self.connection)
            if self.path != "/ask":
                raise Denied(404, "this address has no page")
            folder = tempfile.mkdtemp(dir=self.server.folder)
            asked = received(self.headers, self.rfile.read1, folder)
            head, body = self.server.workers.ask(asked.question, asked.pasted, self._is_here)
        except Denied as denied:
            self._deny(denied)
            return
        except TooLong:
            limit = f"{self.server.workers.time_limit:g}"
            self._deny(Denied(503, f"the analysis took longer than {limit} s; set a longer time with --time-limit"))
            return
        except Gone:
            self._deny(Denied(503, "the analysis was stopped"))
            return
        finally:
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)
        self._send(200, head["type"], body, name=head.get("name"))

    def _is_here(self) -> bool:
        """Return whether the client is still connected."""
        try:
            readable, _, _ = select.select([self.connection], [], [], 0)
            return not readable or bool(self.connection.recv(1, socket.MSG_PEEK))
        except (OSError, ValueError):
            return False

    def _deny(self, denied: Denied) -> None:
        answer = json.dumps({"error": {"sentence": denied.sentence}}).encode()
        self._send(denied.status, "application/json", answer)
        with contextlib.suppress(OSError):  # a client that is still sending would not read the response
            self.connection.shutdown(socket.SHUT_WR)
            self._patient.until = time.monotonic() + 2
            while self.rfile.read1(1 << 20):
                pass

    def _send(self, status: int, kind: str, body: bytes, *, name: str | None = None) -> None:
        self.connection.settimeout(TIME_TO_TAKE)
        self.send_response(status)
        for header, value in HEADERS.items():
            self.send_header(header, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if name is not None:
            self.send_header("Content-Disposition", f'attachment; filename="{name}"')
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class _Patient(io.RawIOBase):
    """Input stream of a connection that must receive the whole request before a deadline."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self._connection, self.until = connection, until

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


@cache
def _static(room: str, name: str) -> bytes:
    return files(room).joinpath(name).read_bytes()
