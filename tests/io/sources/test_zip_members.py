"""A file in a zip is read if it is whole and of a sane size; everything else is one line."""

from __future__ import annotations

import io
import sys
import zipfile
import zlib

import pytest
from later_zipfile import zstd

from evalstats.io.sources import compressed
from evalstats.io.sources.compressed import unpacked
from evalstats.tables.errors import TableError


def packed(content: bytes, method: int = zipfile.ZIP_DEFLATED, library: object = zipfile) -> io.BytesIO:
    file = io.BytesIO()
    with library.ZipFile(file, "w", method) as archive:
        archive.writestr("a.json", content)
    file.seek(0)
    return file


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_member_is_read(method: int) -> None:
    assert unpacked(packed(b"[1, 2]", method), "a.json", "x.eval") == b"[1, 2]"


def test_zstandard_is_read() -> None:
    assert unpacked(packed(b"[1, 2]" * 99, zstd.ZIP_ZSTANDARD, zstd), "a.json", "x.eval") == b"[1, 2]" * 99


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python 3.14 reads Zstandard itself")
def test_zstandard_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    file = packed(b"[1, 2]", zstd.ZIP_ZSTANDARD, zstd)
    monkeypatch.setitem(sys.modules, "backports.zstd", None)

    with pytest.raises(TableError, match=r"x\.eval is packed by a method .*pip install \"classifier-evalstats\[insp"):
        unpacked(file, "a.json", "x.eval")


def test_missing_member() -> None:
    with pytest.raises(TableError, match=r"x\.eval holds no 'b\.json'"):
        unpacked(packed(b"1"), "b.json", "x.eval")


def test_bomb_is_not_unpacked() -> None:
    with pytest.raises(TableError, match=r"a\.json would unpack to 9,000,000 bytes, which is not read"):
        unpacked(packed(bytes(9_000_000)), "a.json", "x.eval")


def test_large_member_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compressed, "MAX_BYTES", 99)

    with pytest.raises(TableError, match="would unpack to 100 bytes"):
        unpacked(packed(bytes(100)), "a.json", "x.eval")


@pytest.mark.parametrize("library", [zipfile, zstd])
def test_damage_anywhere_is_one_line(library: object) -> None:
    method = zipfile.ZIP_DEFLATED if library is zipfile else zstd.ZIP_ZSTANDARD
    whole = packed(b'{"a": 1}' * 20 + zlib.compress(bytes(range(200))), method, library).getvalue()
    answers = [
        answer_of(damaged)
        for at in range(len(whole))
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
    ]

    assert {answer.partition(" ")[0] for answer in answers} <= {"x.eval", "x.eval:", ""}
    assert sum(map(bool, answers)) > len(whole)


def answer_of(content: bytes) -> str:
    """Return what is refused, empty where nothing is: the time in a zip may be any."""
    try:
        unpacked(io.BytesIO(content), "a.json", "x.eval")
    except TableError as error:
        return str(error)
    return ""


def test_encrypted_member_is_one_line() -> None:
    content = bytearray(packed(b"[1]").getvalue())
    content[6] |= 1
    content[content.rindex(b"PK\x01\x02") + 8] |= 1

    with pytest.raises(TableError, match=r"x\.eval cannot be read as a zip file"):
        unpacked(io.BytesIO(bytes(content)), "a.json", "x.eval")
