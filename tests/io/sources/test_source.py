from __future__ import annotations

import io
import json
import os
import zipfile

import pytest

from evalstats import TableError
from evalstats.io.sources.source import look

WIDE = "dataset,NB,SVM\niris,.9,.8\n"


class OnlyOnce(io.RawIOBase):
    """A stream like a pipe."""

    def __init__(self, content: bytes) -> None:
        self.content = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        data = self.content.read(min(len(buffer), 3))
        buffer[: len(data)] = data
        return len(data)


def packed(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (io.StringIO(WIDE), "text"),
        (io.BytesIO(b"\xef\xbb\xbf" + WIDE.encode()), "text"),
        (io.StringIO("[a],b\n1,2\n"), "text"),
        (io.StringIO('{"a": 1}'), "json"),
        (io.StringIO('[{"a": 1},\n {"a": 2}]'), "json"),
        (io.StringIO('{"a": 1}\n{"a": 2}\n'), "json-lines"),
        (io.BytesIO(packed(a=b"x")), "zip"),
        ({"a": [1, 2]}, "frame"),
        ({"a": {"b": 1}}, "document"),
        ([{"a": 1}], "document"),
        (["a.csv", "b.csv"], "files"),
        ([[1, 2], [3, 4]], "plain"),
        ([], "plain"),
        (object(), "object"),
        ("no such file", "plain"),
        ("a\0b", "plain"),
        (io.BytesIO(b"\xff\xfea\0"), "plain"),
    ],
)
def test_kind_of_a_source(source, kind) -> None:
    assert look(source).kind == kind


def test_pipe_is_held_in_memory() -> None:
    seen = look(io.BufferedReader(OnlyOnce(WIDE.encode())))

    assert seen.header == ("dataset", "NB", "SVM")
    assert seen.grid.columns[1] == [".9"]
    assert [line for _, line in seen.lines()] == WIDE.splitlines(keepends=True)


def test_stream_is_read_from_where_it_stands() -> None:
    stream = io.BytesIO(b"title\n" + WIDE.encode())
    stream.readline()

    seen = look(stream)

    assert seen.header == ("dataset", "NB", "SVM")
    assert [number for number, _ in seen.lines()] == [1, 2]
    assert seen.grid.header == ["dataset", "NB", "SVM"]


def test_directory_lists_its_files_in_order(tmp_path) -> None:
    for name in ("b/2.csv", "a.csv", "b/1.csv", "._a.csv", ".hidden/3.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(WIDE)

    seen = look(tmp_path)

    assert (seen.kind, seen.members) == ("directory", ("a.csv", "b/1.csv", "b/2.csv"))
    assert seen.member("b/1.csv").header == ("dataset", "NB", "SVM")


def test_loop_of_links_ends(tmp_path) -> None:
    (tmp_path / "a.csv").write_text(WIDE)
    os.symlink(tmp_path, tmp_path / "again")

    assert "a.csv" in look(tmp_path).members


def test_member_of_a_zip_is_looked_at() -> None:
    seen = look(io.BytesIO(packed(**{"x.json": b'{"a": 1}'})))

    assert seen.members == ("x.json",)
    assert seen.member("x.json").document == {"a": 1}


def test_bomb_is_not_unpacked() -> None:
    seen = look(io.BytesIO(packed(**{"x.json": b"0" * 10_000_000})))

    with pytest.raises(TableError, match=r"x.json would unpack to 10,000,000 bytes, which is not read"):
        seen.member("x.json")


def test_damaged_zip_is_told_by_its_reader() -> None:
    content = packed(**{"x.json": b'{"a": 1}' * 20})
    damaged = content[:40] + bytes([content[40] ^ 255]) + content[41:]

    with pytest.raises(TableError, match=r"cannot be read"):
        look(io.BytesIO(damaged)).member("x.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "is not valid JSON"), ("[" * 100_000, "nested too deeply"), ('{"a": \0}', "a NUL character")],
)
def test_broken_json_is_told(text, message) -> None:
    with pytest.raises(TableError, match=message):
        _ = look(io.StringIO(text)).document


def test_lines_of_json_have_numbers() -> None:
    seen = look(io.StringIO('{"a": 1}\n\n{"a": 2}\n{"a":\n'))

    records = seen.records()

    assert [next(records), next(records)] == [(1, {"a": 1}), (3, {"a": 2})]
    with pytest.raises(TableError, match=r"line 4 is not valid JSON"):
        next(records)


def test_what_a_document_shows_is_bounded() -> None:
    deep = {"a": {"b": {"c": {"d": 1}}}}

    assert look(deep).face.split("\n") == ["a", "b", "c"]
    assert len(look([{str(i): json.dumps(i) for i in range(1_000)}]).face.split("\n")) == 30


def test_document_may_be_one_long_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of a table may not be as long: that is not a table."""
    monkeypatch.setattr("evalstats.io.sources.delimited.MAX_LINE_LENGTH", 20)
    text = '{"a": "' + "x" * 50 + '"}'

    assert look(io.StringIO(text)).document == {"a": "x" * 50}
    with pytest.raises(TableError, match="line 1 has more than 20 characters"):
        list(look(io.StringIO(f"{text}\n{text}\n")).records())
