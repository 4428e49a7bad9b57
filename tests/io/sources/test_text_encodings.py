"""A text that is not UTF-8: the message shows its first word in each encoding that can decode the file."""

from __future__ import annotations

import io

import pytest

from evalstats import read_table
from evalstats.tables.errors import TableError

WORDS = {
    "grün": ("cp1252", "cp850"),
    "données": ("cp1252", "mac_roman", "cp850"),
    "данные": ("cp1251",),
    "データ": ("euc_jp",),
    "数据集": ("gbk",),
    "資料集": ("big5",),
    "δεδομένα": ("cp1253",),
}
SHOWN_LATER = {
    "grün": ("mac_roman",),
    "żółw": ("cp1250",),
    "Łódź": ("iso8859_2",),
    "данные": ("koi8_r", "cp866"),
    "データ": ("shift_jis",),
    "데이터": ("euc_kr",),
}


def refused(text: str | bytes, written_in: str, **options: str) -> str:
    data = text if isinstance(text, bytes) else text.encode(written_in)
    with pytest.raises(TableError) as error:
        read_table(io.BytesIO(data), **({"parsing": options} if options else {}))
    return str(error.value)


@pytest.mark.parametrize(("word", "encoding"), [(word, one) for word, own in WORDS.items() for one in own])
def test_first_word_is_shown_in_the_true_encoding_first(word: str, encoding: str) -> None:
    """The rest of the file may be in the next lines."""
    told = refused(f"dataset,NB,SVM\niris,1,2\n{word},1,2\nwine,2,3\n", encoding)

    assert told.startswith("the table, line 3, character ")
    assert f"The first word is '{word}' in {encoding}, " in told
    assert told.endswith(f"; choose its encoding, such as parsing={{'encoding': '{encoding}'}}")


@pytest.mark.parametrize(("word", "encoding"), [(word, one) for word, own in SHOWN_LATER.items() for one in own])
def test_true_encoding_is_among_those_that_are_shown(word: str, encoding: str) -> None:
    assert f"'{word}' in {encoding}" in refused(f"{word},NB,SVM\niris,1,2\n", encoding)


@pytest.mark.parametrize("encoding", ["cp1252", "shift_jis", "gbk", "euc_kr", "koi8_r"])
def test_file_is_read_in_the_encoding_of_the_message(encoding: str) -> None:
    word = {"cp1252": "grün", "shift_jis": "データ", "gbk": "数据集", "euc_kr": "데이터", "koi8_r": "данные"}[encoding]
    text = f"dataset,NB,SVM\n{word},1,2\nwine,2,3\n"

    assert word in read_table(io.BytesIO(text.encode(encoding)), parsing={"encoding": encoding}).datasets


def test_encoding_that_fails_later_in_the_file_is_not_shown() -> None:
    """Two bytes are a character of Shift-JIS, but the last row is not."""
    told = refused("dataset,NB,SVM\nデータ,1,2\n".encode("shift_jis") + b"\xfd\xfe,2,3\n", "")

    assert "shift_jis" not in told


def test_utf_8_is_shown_for_another_encoding_that_was_named() -> None:
    told = refused("dataset,NB,SVM\ngrün,1,2\n", "utf-8", encoding="ascii")

    assert "is not ascii. The first word is 'grün' in utf-8, " in told
