"""The command, whose bytes the page must give, and a server of the page."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from evalstats.cli import cli
from evalstats.serving.server import PageServer

SCORES = "dataset,NB,SVM,tree\niris,0.93,0.95,0.90\nglass,0.71,0.50,0.60\nwine,0.8,0.9,0.7\nzoo,0.6,0.8,0.5\n"


@pytest.fixture(scope="session")
def scores() -> bytes:
    """Return a table of three classifiers on four datasets."""
    return SCORES.encode()


@pytest.fixture
def file(tmp_path: Path, scores: bytes) -> str:
    """Return the path of that table in a file."""
    path = tmp_path / "scores.csv"
    path.write_bytes(scores)
    return str(path)


@pytest.fixture(scope="session")
def printed() -> Callable[..., bytes]:
    """Return what a command prints."""

    def printed(*arguments: str, content: bytes | None = None) -> bytes:
        done = CliRunner().invoke(cli, list(arguments), input=content, prog_name="evalstats")
        assert done.exit_code == 0, done.stderr
        return done.stdout_bytes

    return printed


class Client:
    """Ask a server as its page does."""

    def __init__(self, server: PageServer) -> None:
        self.server = server

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, dict, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)
        response = connection.getresponse()
        answer = response.status, dict(response.getheaders()), response.read()
        connection.close()
        return answer

    def post(self, body: bytes, **headers: str) -> tuple[int, dict, bytes]:
        return self.request("POST", "/ask", body, **{"X_Evalstats_Token": self.server.token} | headers)

    def ask(self, question: dict, *files: tuple[str | None, bytes]) -> dict:
        status, _, body = self.post(self.body(question, *files))
        assert status == 200, body
        return json.loads(body)

    @staticmethod
    def body(question: dict, *files: tuple[str | None, bytes]) -> bytes:
        sizes = [{"name": name, "size": len(content)} for name, content in files]
        return json.dumps(question | {"files": sizes}).encode() + b"\n" + b"".join(content for _, content in files)


@pytest.fixture(scope="session")
def server() -> Iterator[PageServer]:
    """Serve the page in a thread."""
    server = PageServer(time_limit=60)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def client(server: PageServer) -> Client:
    return Client(server)
