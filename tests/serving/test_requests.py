"""Only the page of this start may ask; what it sends is bounded, and leads to no place on the machine."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from evalstats.serving import requests
from evalstats.serving.requests import Denied, checked, file_name, received

GOOD = {"Host": "127.0.0.1:8000", "X-Evalstats-Token": "secret"}


def allowed(**changed: str) -> None:
    checked(GOOD | {name.replace("_", "-"): value for name, value in changed.items()}, 8000, "secret", is_post=True)


@pytest.mark.parametrize(
    "changed",
    [{}, {"Host": "localhost:8000"}, {"Origin": "http://127.0.0.1:8000"}, {"Sec_Fetch_Site": "same-origin"}],
)
def test_own_page_may_ask(changed: dict[str, str]) -> None:
    allowed(**changed)


def test_request_through_the_proxy_of_the_documentation_may_ask() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    host, port = re.search(r"proxy_set_header Host ([\d.]+:(\d+));", page).groups()
    origin = re.search(r"map \$http_origin \$known_origin \{\s+default \"(.+?)\";", page)[1]
    headers = {"Host": host, "Origin": origin, "Sec-Fetch-Site": "same-origin", "X-Evalstats-Token": "secret"}

    checked(headers, int(port), "secret", is_post=True)

    assert f"evalstats serve --port {port}" in page


@pytest.mark.parametrize(
    "changed",
    [
        {"Host": "evil.example:8000"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:8001"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8000"},
        {"Origin": "http://127.0.0.1:8001"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"X_Evalstats_Token": "wrong"},
        {"X_Evalstats_Token": ""},
        {"X_Evalstats_Token": "é"},
    ],
)
def test_others_may_not(changed: dict[str, str]) -> None:
    with pytest.raises(Denied) as denied:
        allowed(**changed)

    assert denied.value.status == 403


def test_page_itself_needs_no_token_but_the_name_of_this_machine() -> None:
    checked({"Host": "127.0.0.1:8000", "Sec-Fetch-Site": "none"}, 8000, "secret", is_post=False)

    with pytest.raises(Denied):
        checked({"Host": "rebound.example:8000"}, 8000, "secret", is_post=False)


def body_of(head: object, *contents: bytes) -> bytes:
    return json.dumps(head).encode() + b"\n" + b"".join(contents)


def read(body: bytes, folder: Path, **headers: str) -> requests.Received:
    stream = io.BytesIO(body)
    return received({"Content-Length": str(len(body)), **headers}, lambda n: stream.read(min(n, 7)), str(folder))


def test_body_is_what_was_sent(tmp_path: Path) -> None:
    files = [{"name": None, "size": 3}, {"name": "a.csv", "size": 4}, {"name": "b\n.csv", "size": 0}]

    found = read(body_of({"ask": "compare", "options": {"alpha": 1}, "files": files}, b"abc", b"a\n,b"), tmp_path)

    assert found.pasted == b"abc"
    assert [(Path(path).name, Path(path).read_bytes()) for path in found.paths] == [("a.csv", b"a\n,b"), ("b.csv", b"")]
    assert found.question == {"ask": "compare", "options": {"alpha": 1}, "is_pasted": True, "paths": found.paths}


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\x\\scores.csv", "scores.csv"),
        ("/absolute.csv", "absolute.csv"),
        ("..", "table"),
        (".", "table"),
        ("", "table"),
        ("a/", "table"),
        ("a\x00b\x1b.csv", "ab.csv"),
        ("naïve 表.csv", "naïve 表.csv"),
        ("<b>|*?.csv", "b.csv"),
        ("x" * 500 + ".parquet", "x" * 112 + ".parquet"),
        ("." + "x" * 500, "." + "x" * 119),
    ],
)
def test_name_of_a_file_leads_nowhere(name: str, last: str) -> None:
    assert file_name(name) == last


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"no json\n", 400),
        (b"[]\n", 400),
        (b"[" * 100_000 + b"\n", 400),
        (body_of({"ask": "compare", "paths": ["/etc/passwd"]}), 400),
        (body_of({"ask": "compare", "is_pasted": True}), 400),
        (body_of({"options": []}), 400),
        (body_of({"files": {}}), 400),
        (body_of({"files": [{"name": "a", "size": -1}]}), 400),
        (body_of({"files": [{"name": "a", "size": 5}]}, b"abc"), 400),
        (body_of({"files": [{"name": "a", "size": "5"}]}, b"abcde"), 400),
        (body_of({"files": [{"name": 7, "size": 0}]}), 400),
        (body_of({"files": ["a"]}), 400),
        (body_of({"files": [{"name": "x/a", "size": 0}, {"name": "y/a", "size": 0}]}), 400),
        (body_of({"files": [{"name": f"{i}", "size": 0} for i in range(501)]}), 400),
        (b'{"options": "' + b"x" * 2**21 + b'"}\n', 413),
    ],
)
def test_other_bodies_are_denied(tmp_path: Path, body: bytes, status: int) -> None:
    stream = io.BytesIO(body)
    with pytest.raises(Denied) as denied:
        received({"Content-Length": str(len(body))}, stream.read, str(tmp_path))

    assert denied.value.status == status
    assert all(path.parent == tmp_path for path in tmp_path.rglob("*"))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 411),
        ({"Content-Length": "-1"}, 411),
        ({"Content-Length": "1e3"}, 411),
        ({"Content-Length": "²"}, 411),
        ({"Content-Length": "5", "Transfer-Encoding": "chunked"}, 411),
        ({"Content-Length": str(requests.LARGEST_BODY + 1)}, 413),
    ],
)
def test_length_must_be_told_and_bounded(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    with pytest.raises(Denied) as denied:
        received(headers, lambda n: b"x" * n, str(tmp_path))

    assert denied.value.status == status


def test_body_that_ends_too_early_is_denied(tmp_path: Path) -> None:
    with pytest.raises(Denied, match="ends too early"):
        received({"Content-Length": "100"}, io.BytesIO(b'{"ask": "compare"}').read, str(tmp_path))
