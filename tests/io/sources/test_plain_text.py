"""A text is split in blocks, or line by line where it has to be: the cells, the lines and the messages are the same."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from evalstats import EvalstatsError, TableError, read_table
from evalstats.io.sources import delimited as text_table
from evalstats.io.sources import plain_text
from evalstats.io.sources.delimited import grid_of_text
from evalstats.io.sources.plain_text import plain_columns

# what makes a line odd, and what stands for nothing
ODD = (
    *("\n", "  \n", ",,\n", ", ,\n", 'a,"1\n2",3\n', '"a,b",1,2\n', 'a"b,1,2\n', "a,1\n", "a,1,2,3\n", "a,1,2,\n"),
    *(
        "a, 1,2\n",
        " a,1,2\n",
        "\ta,1,2\n",
        "a,1,2\r\n",
        "a,1,2\r",
        "é,1,2\n",
        "\xa0,1,2\n",
        "a,\x0b,\x0c\n",
        "\x1c,1,2\n",
    ),
    *("\xa0,\xa0,\xa0\n", "\x0b,\x0c,\x0b\n", "?,1,2\n", "\u3000a,1,2\n", "ä,.5,-7e-3\n"),
    *("a,1_0,2\n", "a,NA,2\n", "a,93%,2\n"),
    *('"a,1,2\n', "a,1,2\0\n", "a,\udc80,2\n", "Average of all\n", "a,1,2\u2028\n", ",1,2\n", f"a,{'9' * 200},1\n"),
)


def outcome(text: str, **options: Any) -> Any:
    """Return all that a grid says of a text, or why there is none."""
    try:
        grid = grid_of_text(io.StringIO(text, newline=""), "x.csv", None, "utf-8", **options)
    except TableError as error:
        return str(error)
    return grid.header, list(map(list, grid.columns)), list(grid.numbers), grid.delimiter, grid.findings


def texts(seed: int) -> Iterator[str]:
    """Yield texts of 40 lines in which one or two are odd, anywhere."""
    rng = np.random.default_rng(seed)
    for odd in itertools.chain(ODD, rng.choice(ODD, (len(ODD), 2)).tolist()):
        lines = [f"data {i},0.{i},{i}e-1\n" for i in range(40)]
        for one in [odd] if isinstance(odd, str) else odd:
            lines.insert(int(rng.integers(0, 41)), one)
        text = "dataset,NB,SVM\n" + "".join(lines)
        yield text if rng.random() < 0.7 else text.rstrip("\r\n")
        yield text.replace("\r\n", "\n").replace("\n", "\r\n")


@pytest.mark.parametrize("block", [16, 100, 400, 1 << 22])
@pytest.mark.parametrize("large", [0, 1 << 30])
def test_blocks_and_lines_hold_the_same(block: int, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So they do where columns of numbers are read at once, as those of a large text are."""
    monkeypatch.setattr(plain_text, "BLOCK", block)
    monkeypatch.setattr(plain_text, "LARGE", large)
    for text in texts(block):
        in_blocks = outcome(text)
        with monkeypatch.context() as lines_only:
            lines_only.setattr(text_table, "_regular", lambda *_: [])
            assert in_blocks == outcome(text)


def test_plain_text_is_split_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line of it is read alone once the first ones were."""
    monkeypatch.setattr(text_table, "records_of", lambda lines, *_: [(n, line.split(",")) for n, line in lines])
    text = "dataset,NB,SVM\n" + "".join(f"data {i},0.{i},{i}\n" for i in range(100))

    header, columns, numbers, *_ = outcome(text)

    assert (header, numbers) == (["dataset", "NB", "SVM"], list(range(2, 102)))
    assert columns[1][21:] == [f"0.{i}" for i in range(21, 100)]


def test_what_is_not_plain_is_left_to_others() -> None:
    columns, left = plain_columns(io.StringIO("b,2\nc,3", newline=""), 'a,"1"\n', 2, ",", "x.csv", 1)

    assert (columns, left) == ([[], []], ['a,"1"\n', "b,2\n", "c,3"])


def test_text_that_cannot_be_decoded_is_refused_near_its_line() -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"a,1\nb,2\n\xff"), "ascii", newline="")

    with pytest.raises(TableError, match=r"^x\.csv, near line 7: 'ascii' codec"):
        plain_columns(stream, "", 2, ",", "x.csv", 7)


def test_delimiters_and_spaces_alone_are_no_rows() -> None:
    with pytest.raises(EvalstatsError):
        read_table(io.StringIO("a,NB,SVM\n" + " , ,\n" * 30))
