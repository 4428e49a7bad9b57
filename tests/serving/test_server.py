"""The page comes from this machine and answers its own page only, many at once, and leaves nothing behind."""

from __future__ import annotations

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evalstats import EvalstatsError
from evalstats.serving import server as module
from evalstats.serving.requests import LARGEST_BODY
from evalstats.serving.server import STATIC, PageServer

HIGHER = {"higher_is_better": True}
LARGEST_PAGE = 60_000  # bytes of HTML, style and script


def head_of(client, length: int) -> bytes:
    """Return the beginning of a request that the page would send."""
    host = f"127.0.0.1:{client.server.port}"
    token = f"X-Evalstats-Token: {client.server.token}"
    return f"POST /ask HTTP/1.1\r\nHost: {host}\r\n{token}\r\nContent-Length: {length}\r\n\r\n".encode()


def test_page_and_its_parts_are_sent_with_a_policy(client) -> None:
    for path in STATIC:
        status, headers, body = client.request("GET", path)

        assert (status, bool(body)) == (200, True)
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in headers


def test_page_is_small_and_loads_nothing_from_elsewhere(client) -> None:
    parts = {path: client.request("GET", path)[2].decode() for path in STATIC}

    assert sum(len(part.encode()) for part in parts.values()) < LARGEST_PAGE
    assert not [path for path, part in parts.items() if "http://" in part or "https://" in part]
    assert "<script>" not in parts["/"]
    assert " style=" not in parts["/"]
    assert "Nothing leaves this machine" in parts["/"]


def test_token_is_in_no_part_of_the_page(client) -> None:
    assert not [path for path in STATIC if client.server.token.encode() in client.request("GET", path)[2]]


def test_head_has_no_body(client) -> None:
    assert client.request("HEAD", "/")[2] == b""


@pytest.mark.parametrize("path", ["/x", "/../pyproject.toml", "/page.py", "/%2e%2e/x"])
def test_there_is_nothing_else(client, path: str) -> None:
    assert client.request("GET", path)[0] == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH"])
def test_other_methods_are_not_known(client, method: str) -> None:
    assert client.request(method, "/ask")[0] == 501


def test_table_is_compared(client, scores: bytes) -> None:
    pasted = client.ask({"ask": "compare", "options": HIGHER}, (None, scores))
    chosen = client.ask({"ask": "compare", "options": HIGHER}, ("scores.csv", scores))

    assert pasted["answer"]["command"] == "evalstats compare - --higher-is-better"
    assert chosen["answer"]["command"] == "evalstats compare scores.csv --higher-is-better"
    assert pasted["answer"]["body"] != chosen["answer"]["body"]  # the name of the file


def test_file_is_sent_as_a_download(client, scores: bytes) -> None:
    question = {"ask": "download", "question": "compare", "kind": "json", "options": HIGHER}

    status, headers, body = client.post(client.body(question, (None, scores)))

    assert (status, headers["Content-Type"]) == (200, "application/octet-stream")
    assert headers["Content-Disposition"] == 'attachment; filename="comparison.json"'
    assert json.loads(body)


def test_mistake_is_an_answer(client) -> None:
    answer = client.ask({"ask": "preview", "options": {}}, ("../x.csv", b"dataset,a,b\nx,1\n"))

    assert answer["error"]["sentence"].startswith("x.csv, line 2")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Origin": "http://evil.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"X_Evalstats_Token": "x"},
    ],
)
def test_others_may_not_ask(client, headers: dict[str, str]) -> None:
    status, _, body = client.post(client.body({"ask": "start"}), **headers)

    assert status == 403
    assert json.loads(body)["error"]["sentence"]


def test_page_under_another_name_is_not_shown(client) -> None:
    assert client.request("GET", "/", Host="rebound.example")[0] == 403


def test_body_over_the_limit_is_told_while_it_is_sent(client) -> None:
    with socket.create_connection(("127.0.0.1", client.server.port), timeout=30) as connection:
        connection.sendall(head_of(client, LARGEST_BODY + 1))
        connection.sendall(b"x" * 5_000_000)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk

    assert answer.startswith(b"HTTP/1.0 413")
    assert b"accepts at most 256 MB at once" in answer


def test_files_that_were_sent_are_deleted(client, scores: bytes) -> None:
    client.ask({"ask": "compare", "options": HIGHER}, ("scores.csv", scores))

    assert list(Path(client.server.folder).iterdir()) == []
    assert Path(client.server.folder).stat().st_mode & 0o077 == 0


def test_client_that_hangs_up_leaves_nothing_behind(client, scores: bytes, capfd: pytest.CaptureFixture) -> None:
    body = client.body({"ask": "compare", "options": HIGHER}, ("scores.csv", scores))
    head = head_of(client, len(body))
    for sent in (b"", head[:20], head, head + body[:-10], head + body):
        connection = socket.create_connection(("127.0.0.1", client.server.port))
        connection.sendall(sent)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        connection.close()  # with a reset

    assert "answer" in client.ask({"ask": "start"})
    for _ in range(50):
        if not list(Path(client.server.folder).iterdir()):
            break
        time.sleep(0.1)
    assert list(Path(client.server.folder).iterdir()) == []
    assert capfd.readouterr().err == ""


def test_client_that_is_slow_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIME_TO_ASK", 0.3)
    server = PageServer()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(b"POST /ask HTTP/1.1\r\nHost")

        assert connection.recv(100) == b""
    server.shutdown()
    server.server_close()


@pytest.mark.sampled
@pytest.mark.parametrize("sent", [b"", b"POST /ask HTTP/1.1\r\nHost", None], ids=["nothing", "half a head", "no token"])
def test_thousand_connections_that_ask_nothing_keep_nobody_out(client, scores: bytes, sent: bytes | None) -> None:
    if sent is None:
        sent = head_of(client, 1000).replace(client.server.token.encode(), b"x") + b"{"
    idle = []
    try:
        for _ in range(1000):
            idle.append(socket.create_connection(("127.0.0.1", client.server.port), timeout=30))
            idle[-1].sendall(sent)
        started = time.monotonic()

        answer = client.ask({"ask": "preview", "options": HIGHER}, (None, scores))

        assert "answer" in answer
        assert time.monotonic() - started < 30
    finally:
        for connection in idle:
            connection.close()


def test_connection_that_knows_the_token_may_take_its_time(
    client, scores: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others come in great numbers while its file is sent."""
    monkeypatch.setattr(module, "TIME_TO_SPARE", 0.05)
    body = client.body({"ask": "preview", "options": HIGHER}, (None, scores))
    idle = []
    with socket.create_connection(("127.0.0.1", client.server.port), timeout=30) as connection:
        connection.sendall(head_of(client, len(body)) + body[:20])
        time.sleep(0.3)
        for _ in range(2 * module.MOST_AT_ONCE):
            idle.append(socket.create_connection(("127.0.0.1", client.server.port), timeout=30))
        time.sleep(0.5)
        connection.sendall(body[20:])
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    for one in idle:
        one.close()

    assert answer.startswith(b"HTTP/1.0 200")


@pytest.mark.parametrize("time_limit", [float("nan"), float("inf"), 0, -1, "x"])
def test_time_limit_must_end(time_limit: object) -> None:
    with pytest.raises(EvalstatsError, match="time_limit must be "):
        PageServer(time_limit=time_limit)


def test_analysis_that_takes_too_long_is_a_sentence(client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client.server.workers, "time_limit", 0.5)
    question = {"ask": "plan", "options": {"test": "wilcoxon", "datasets": 2000, "simulations": 100_000_000}}

    status, _, body = client.post(client.body(question))

    assert status == 503
    assert json.loads(body)["error"]["sentence"] == (
        "the analysis took longer than 0.5 s; set a longer time with --time-limit"
    )


@pytest.mark.long
def test_thousand_posts_at_once_are_all_answered(client, scores: bytes) -> None:
    body = client.body({"ask": "preview", "options": HIGHER}, (None, scores))
    barrier = threading.Barrier(250)

    def ask(i: int) -> int:
        if i < 250:
            barrier.wait(60)
        status, _, answer = client.post(body)
        return status if b'"n_datasets": 4' in answer else 0

    with ThreadPoolExecutor(250) as pool:
        assert list(pool.map(ask, range(1000))) == [200] * 1000


def test_port_that_is_taken_leaves_nothing_behind(server: PageServer) -> None:
    with pytest.raises(OSError, match="in use"):
        PageServer(server.port)


def test_close_deletes_the_folder() -> None:
    server = PageServer()

    server.server_close()

    assert not Path(server.folder).exists()
