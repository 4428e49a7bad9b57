"""A packed file is what it holds, as long as that is not larger than it may be."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile

import pytest

from evalstats._errors import EvalstatsError
from evalstats.io.reader.tables import read_table
from evalstats.io.sources import compressed as packed
from evalstats.io.sources.compressed import opened, refuse_bomb
from evalstats.tables.errors import TableError

CSV = b"dataset,NB,SVM\niris,0.9,0.8\nglass,0.7,0.6\n"
SCORES = [[0.9, 0.8], [0.7, 0.6]]


def zipped(**files: bytes) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    file.seek(0)
    return file


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_table_is_the_table(pack) -> None:
    assert read_table(io.BytesIO(pack(CSV))).scores.tolist() == SCORES
    assert read_table(io.BytesIO(pack(pack(CSV)))).scores.tolist() == SCORES


def test_zip_of_one_file_is_the_file() -> None:
    assert read_table(zipped(**{"folder/scores.csv": CSV, "__MACOSX/x": b"y"})).scores.tolist() == SCORES


def test_zip_of_several_files_is_refused() -> None:
    with pytest.raises(TableError, match=r"must hold one table, but holds 2 files: 'a.csv', 'b.csv'"):
        read_table(zipped(**{"a.csv": CSV, "b.csv": CSV}))
    with pytest.raises(TableError, match=r"must hold one table, but holds no file"):
        read_table(zipped(**{"folder/": b""}))


def test_name_of_a_file_in_a_zip_may_be_empty() -> None:
    """Python's own zipfile fails to say whether such a file is a folder."""
    raw = bytearray(zipped(x=CSV).getvalue())
    listing, end = raw.rindex(b"PK\x01\x02"), raw.rindex(b"PK\x05\x06")
    raw[end + 12] -= 1  # the size of the listing
    raw[listing + 28] = 0  # the length of the name
    del raw[listing + 46]

    with pytest.raises(EvalstatsError):
        read_table(io.BytesIO(bytes(raw)))


def test_way_to_pack_that_is_not_known_is_named() -> None:
    raw = bytearray(zipped(x=CSV).getvalue())
    for start, at in ((raw.index(b"PK\x03\x04"), 8), (raw.rindex(b"PK\x01\x02"), 10)):
        raw[start + at] = 97

    with pytest.raises(TableError, match=r"is compressed with a method that Python does not support"):
        read_table(io.BytesIO(bytes(raw)))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_every_cut_of_a_packed_file_is_refused_in_one_line(pack) -> None:
    whole = pack(CSV)

    for end in range(8, len(whole) - 1, 5):
        with pytest.raises(TableError, match=r"cannot be unpacked: ") as caught:
            read_table(io.BytesIO(whole[:end]))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lambda text: zipped(a=text).getvalue()])
def test_bomb_is_refused(pack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "ALWAYS_ALLOWED", 10_000)
    bomb = io.BytesIO(pack(b"a,1\n" * 200_000))

    with pytest.raises(TableError, match=r"unpacks to more than [\d,]+ bytes, more than 100 times its own size"):
        opened(bomb, "t", bomb.getvalue()[:8])


def test_size_of_a_workbook_is_that_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    book = zipped(**{"xl/a.xml": b"x" * 50_000})

    assert refuse_bomb(book, "t") == 50_000
    monkeypatch.setattr(packed, "ALWAYS_ALLOWED", 10_000)
    with pytest.raises(TableError, match=r"t unpacks to 50,000 bytes, more than 100 times its own size"):
        refuse_bomb(book, "t")


def test_text_is_not_packed() -> None:
    assert opened(io.BytesIO(CSV), "t", CSV[:8]) is None
