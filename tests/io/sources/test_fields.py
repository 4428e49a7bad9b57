"""Plain lines are read by pyarrow or NumPy, others one by one: cells, lines, numbers and messages are the same."""

from __future__ import annotations

import io
import itertools
import json
import math
import random
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats import EvalstatsError, TableError, read_predictions, read_table, report
from evalstats.io.options import given_together
from evalstats.io.sources import delimited, fields
from evalstats.io.sources.delimited import grid_of_text
from evalstats.io.sources.fields import columns_of_lines, plain_lines
from evalstats.io.sources.grid import NumberColumn
from evalstats.tables.categorical import CodedColumn, coded, distinct_cells

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


@pytest.fixture(autouse=True, params=["NumPy", "pyarrow"])
def _reads_numbers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each of the two read every text, whatever its size."""
    monkeypatch.setattr(fields, "MANY_CELLS", 0 if request.param == "pyarrow" else math.inf)


def cells_of(text: str, **options: Any) -> Any:
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
def test_blocks_and_lines_hold_the_same(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "BLOCK", block)
    for text in texts(block):
        in_blocks = cells_of(text)
        with monkeypatch.context() as lines_only:
            lines_only.setattr(delimited, "_regular", lambda *_: [])
            assert in_blocks == cells_of(text)


def test_plain_text_is_split_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line of it is read alone once the first ones were."""
    monkeypatch.setattr(delimited, "records_of", lambda lines, *_: [(n, line.split(",")) for n, line in lines])
    text = "dataset,NB,SVM\n" + "".join(f"data {i},0.{i},{i}\n" for i in range(100))

    header, columns, numbers, *_ = cells_of(text)

    assert (header, numbers) == (["dataset", "NB", "SVM"], list(range(2, 102)))
    assert columns[1][21:] == [f"0.{i}" for i in range(21, 100)]


def test_what_is_not_plain_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """From its block on."""
    monkeypatch.setattr(fields, "BLOCK", 4)

    stream = io.StringIO("a,1\nb,2\n" + 'a,"1"\nb,2\nc,3', newline="")

    lines, left = plain_lines(stream, "x,0\n", 2, ",", "x.csv", 1)

    assert (list(lines), left) == (["x,0", "a,1", "b,2"], ['a,"1"\n'])


@pytest.mark.parametrize(
    ("text", "delimiter", "is_plain"),
    [
        ("a,1\nb,2", ",", True),
        ("a,1\nb,2\n", ",", True),
        ("a,1\r\nb,2\r\n", ",", True),
        ("\u00e9,1\n\u4e2d,2\n", ",", True),
        ("a\u00a71\nb\u00a72\n", "\u00a7", True),
        ("\u00a0a,1\nb,2\n", ",", False),
        (" a,1\nb,2\n", ",", False),
        (",1\nb,2\n", ",", False),
        ("a,1\n,\n", ",", False),
        ("a,1\n\nb,2\n", ",", False),
        ("a,1\nb\n", ",", False),
        ("a,1,b\n2\n", ",", False),
        ("a,1\rb,2\n", ",", False),
        ("a\u00a71\nb\n", "\u00a7", False),
        ("\u00a71\nb\u00a72\n", "\u00a7", False),
    ],
)
def test_lines_that_need_no_rule(text: str, delimiter: str, is_plain: bool) -> None:
    lines, left = plain_lines(io.StringIO(text, newline=""), "", 2, delimiter, "x.csv", 1)

    assert len(lines) == len(list(lines)) == (2 if is_plain else 0)
    assert [lines[i] for i in range(len(lines))] == list(lines) == (text.splitlines() if is_plain else [])
    assert "".join(left) == ("" if is_plain else text)


def test_line_that_is_far_too_long_is_not_read_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "BLOCK", 4)
    monkeypatch.setattr(fields, "MAX_LINE_LENGTH", 20)
    stream = io.StringIO("a,1\nb," + "2" * 100 + "\n", newline="")

    lines, left = plain_lines(stream, "", 2, ",", "x.csv", 1)

    assert (list(lines), left) == (["a,1"], ["b," + "2" * 23])


def test_text_that_cannot_be_decoded_is_refused_near_its_line() -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"a,1\nb,2\n\xff"), "ascii", newline="")

    with pytest.raises(TableError, match=r"^x\.csv, near line 7: 'ascii' codec"):
        plain_lines(stream, "", 2, ",", "x.csv", 7)


def test_delimiters_and_spaces_alone_are_no_rows() -> None:
    with pytest.raises(EvalstatsError):
        read_table(io.StringIO("a,NB,SVM\n" + " , ,\n" * 30))


# --- numbers ----------------------------------------------------------------------------------------------------------

WRITTEN = ("0", "1", "-0", "+.5", "5.", "007", "0.30000000000000004", "9007199254740993", "9" * 19, "-1.25", "1e-400")
# halfway between two floats, and as near to it as 64 bits come
HALFWAY = ("9007199254740993.0", "9007199254740995", "4503599627370497.5", "4503599627370496.75")


def bits(values: Any) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


def test_numbers_are_those_of_float() -> None:
    """To the last bit, the sign of zero too."""
    rng = np.random.default_rng(5)
    texts = [*WRITTEN, *HALFWAY, *map(repr, rng.random(20_000).tolist())]
    texts += [f"{x:.{digits}f}" for digits in range(18) for x in rng.normal(size=99)]
    texts += [f"{x:.{digits}e}" for digits in range(18) for x in np.exp(rng.normal(0, 99, size=99))]

    (column,) = columns_of_lines(texts, 1, ",")

    assert isinstance(column, NumberColumn)
    assert bits(column.numbers) == bits(map(float, texts))


def test_pyarrow_reads_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last bit, and by itself: NumPy is not asked."""
    monkeypatch.setattr(fields, "MANY_CELLS", 0)
    monkeypatch.setattr(np, "loadtxt", None)
    rng = np.random.default_rng(6)
    texts = [*(text for text in (*WRITTEN, *HALFWAY) if text[0] != "+"), *map(repr, rng.random(20_000).tolist())]
    texts += [f"{x:.{digits}f}" for digits in range(18) for x in rng.normal(size=99)]
    texts += [f"{x:.{digits}e}" for digits in range(18) for x in np.exp(rng.normal(0, 99, size=99))]

    (column,) = columns_of_lines(texts, 1, ",")

    assert bits(column.numbers) == bits(map(float, texts))


@given(st.lists(st.text(st.sampled_from("0123456789.+-eE_ x%\xe9\tna"), max_size=9), min_size=1, max_size=9))
def test_whatever_is_taken_for_numbers_is_so(texts: list[str]) -> None:
    """What NumPy takes for a number is one for `float`, and written with digits."""
    _, column = columns_of_lines([f"x,{text}" for text in ("0.5", *texts)], 2, ",")

    assert list(column) == ["0.5", *texts]
    if isinstance(column, NumberColumn):
        assert bits(column.numbers) == bits(map(float, column))
        assert not set("".join(texts)) & set("_x%\xe9na")


def test_one_cell_makes_its_column_texts_only() -> None:
    lines = [f"x,{i},{i},{i},1e999" for i in range(40)]
    lines[20] = "x,NA,20,nan,1e999"

    columns = columns_of_lines(lines, 5, ",")

    assert [type(column).__name__ for column in columns] == ["list", "list", "NumberColumn", "list", "NumberColumn"]
    assert (columns[1][20], columns[2].numbers[20], columns[4].numbers[0]) == ("NA", 20, np.inf)


def test_column_is_a_sequence_of_texts() -> None:
    texts = ["0.10", "1", "-2.5"]
    _, column = columns_of_lines([f"a,{text}" for text in texts], 2, ",")

    assert (list(column), len(column), column[1], column[-1], column.index("1")) == (texts, 3, "1", "-2.5", 1)
    assert (list(column[1:]), list(column.rows([2, 0]))) == (texts[1:], ["-2.5", "0.10"])
    assert list(column.rows([2, 0]).rows([1])) == ["0.10"]
    assert column.rows([2, 0]).numbers.tolist() == [-2.5, 0.1]


# --- texts ------------------------------------------------------------------------------------------------------------


def test_repeated_texts_are_kept_once_in_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order they come; texts that are hardly repeated stay a list."""
    monkeypatch.setattr(fields, "MANY_LINES", 100)
    monkeypatch.setattr(fields, "_AT_ONCE", 50)
    names = np.random.default_rng(0).choice(["", "a", "b\xe4", "c d"], 210).tolist()
    lines = [f"x{i},{name},{i % 7},y" for i, name in enumerate(names)]

    ids, column, numbers, same = columns_of_lines(lines, 4, ",")

    assert ids == [f"x{i}" for i in range(210)]
    assert isinstance(column, CodedColumn)
    assert column.values == coded(names).values
    assert column.codes.tolist() == coded(names).codes.tolist()
    assert (numbers[8], same.values) == ("1", ["y"])


def test_distinct_texts_of_folds_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are written, so 1 and 01 are two, and a column of scores has none."""
    monkeypatch.setattr(fields, "MANY_LINES", 100)
    monkeypatch.setattr(fields, "_AT_ONCE", 50)
    lines = [f"x,{i % 3},{'0' * (i % 2)}1,{i / 7},{i}" for i in range(210)]

    _, folds, ones, scores, rows = columns_of_lines(lines, 5, ",")

    assert (coded(folds).values, coded(ones).values) == (["0", "1", "2"], ["1", "01"])
    assert list(coded(folds)) == list(folds)
    assert coded(folds) is distinct_cells(folds)
    assert scores.coded is rows.coded is None
    assert list(coded(folds.rows([5, 3]))) == ["2", "0"]


@pytest.mark.sampled
@pytest.mark.parametrize(("decimal", "delimiter"), [(".", ","), (",", ";")])
@pytest.mark.parametrize(("written", "name"), [("{}", "clf 7"), ("**{}**", "clf 7"), ("{}", "Bäume")])
def test_long_table_of_many_rows(tmp_path: Path, decimal: str, delimiter: str, written: str, name: str) -> None:
    """Bold names and scores, decimal commas and names beyond ASCII are understood as in a small table."""
    n, k = 1050, 100
    names = [f"clf {j}" if j != 7 else name for j in range(k)]
    scores = np.random.default_rng(0).random((n, k)).round(3)
    lines = [delimiter.join(("dataset", "classifier", "accuracy"))]
    for i, row in enumerate(scores.tolist()):
        for j, score in enumerate(row):
            shown = written if j == 7 else "{}"
            cells = f"d{i}", shown.format(names[j]), shown.format(str(score).replace(".", decimal))
            lines.append(delimiter.join(cells))
    path = tmp_path / "long.csv"
    path.write_text("\n".join(lines), encoding="utf-8")

    table = read_table(path)

    assert list(table.datasets) == [f"d{i}" for i in range(n)]
    at = [table.classifiers.index(one) for one in names]
    np.testing.assert_array_equal(table.scores[:, at], scores)


# --- whole tables, both ways ------------------------------------------------------------------------------------------

_REGULAR = delimited._regular
STYLES: dict[str, Callable[[random.Random], str]] = {
    "digits": lambda rng: f"{rng.random():.4f}",
    "all digits": lambda rng: repr(rng.random()),
    "whole": lambda rng: str(rng.randrange(100)),
    "bits": lambda rng: rng.choice("01"),
    "bits with points": lambda rng: rng.choice(("0.0", "1.0", "0.00")),
    "exponents": lambda rng: f"{rng.random():.3e}",
    "percent": lambda rng: f"{100 * rng.random():.1f}%",
    "comma": lambda rng: f"{rng.random():.3f}".replace(".", ","),
    "thousands": lambda rng: f"{rng.randrange(10**6):,}",
    "spread": lambda rng: f"{90 * rng.random():.1f} ± 0.{rng.randrange(10)}",
    "parentheses": lambda rng: f"{90 * rng.random():.1f} (0.{rng.randrange(10)})",
    "ranks": lambda rng: str(rng.randrange(1, 4)),
    "sometimes missing": lambda rng: rng.choice(("NA", "-", "", "?", *[f"{rng.random():.2f}"] * 20)),
    "sometimes huge": lambda rng: rng.choice(("1e999", "inf", *["0.5"] * 40)),
}
HEADERS = (
    *(["dataset", "NB", "SVM", "C4.5"], ["", "NB", "SVM", "n_train"], ["dataset", "NB", "NB time", "SVM"]),
    *(["fold", "NB", "SVM", "C4.5"], ["dataset", "fold", "NB", "SVM"], ["classifier", "iris", "glass", "wine"]),
    *(["dataset", "classifier", "score", "n"], ["dataset", "classifier", "fold", "accuracy"], ["a", "b", "c", "d"]),
    *(["row", "y_true", "NB", "SVM"], ["model", "question_id", "correct", "id"], ["dataset", "rank", "NB", "Average"]),
    *(["id", "y_true", "y_pred", "y_score"], ["dataset", "NB test", "NB train", "x"], ["dataset", "NB", "SVM", "diff"]),
)
FAULTS = (
    *("Average;0.5;0.6;0.7", "iris;0.5;0.6", "", "glass;0.5;0.6;0.7;0.8", '"a;b";1;2;3', "Wins;1/2/3;4/5/6;7/8/9"),
    *("x; 0.5;0.6;0.7", "é;0.5;0.6;0.7", "x;--1;2;3", "x;1_0;2;3", "x;NaN;2;3", "x;.;2;3", "x;1\r;2;3", "Std;1;2;3"),
    *("x;0.5**;1;2", "x;$1$;2;3", "x;\u22121;2;3", "x;1e5;+2;-3", "x;991;2;3", ";1;2;3", "x;0;0;0", "Note: see below"),
)
OPTIONS: tuple[dict[str, Any], ...] = (
    *[{}] * 10,
    *({"missing": "drop-datasets"}, {"missing": "skillings-mack"}, {"decimal": ","}, {"decimal": "."}),
    *({"transpose": True}, {"transpose": False}, {"layout": "wide"}, {"layout": "long"}, {"layout": "predictions"}),
    *({"drop": "SVM"}, {"keep": "Average"}, {"dataset": "dataset"}, {"metric": "accuracy"}, {"header_rows": 1}),
)


def written(rng: random.Random) -> str:
    """Return a table in which each column has its own style, and which may have a fault or two."""
    header, n = rng.choice((*HEADERS, *HEADERS[:3] * 4)), rng.randrange(24, 60)
    usual = rng.choice(list(STYLES))
    styles = [STYLES[usual if rng.random() < 0.9 else rng.choice(list(STYLES))] for _ in header]
    first = rng.choice((*[lambda i: f"data {i}"] * 5, lambda i: f"data {i % 8}", str, lambda i: f"{i}.5"))
    second = rng.choice((*[None] * 4, lambda i: f"m{i % 3}", lambda i: str(i % 5)))
    lines = []
    for i in range(n):
        cells = [first(i), *(style(rng) for style in styles[1:])]
        if second is not None:
            cells[1] = second(i)
        lines.append(";".join(cells))
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        lines.insert(rng.choice((n, n, rng.randrange(n))), rng.choice(FAULTS))
    text = ";".join(header) + "\n" + "\n".join(lines) + rng.choice(("\n", ""))
    delimiter = rng.choice(",;\t")
    text = text.replace(",", ".") if delimiter == "," and rng.random() < 0.7 else text
    return text.replace(";", delimiter).replace("\n", rng.choice(("\n", "\n", "\r\n")))


def outcome(text: str, options: dict[str, Any], read: Any) -> tuple[str, str]:
    """Return what came of a text, with everything that it holds and says."""
    try:
        found = read(io.BytesIO(text.encode()), **given_together(options))
    except EvalstatsError as error:
        return "refused", str(error)
    if read is read_predictions:
        return "read", repr((found, found.findings, read_table(found).scores.tobytes() if found.source else None))
    left = [one.to_dict() for one in found.left_out]
    spread = None if found.spread is None else found.spread.tobytes()
    return "read", repr((found.scores.tobytes(), spread, left, found.findings, json.loads(report.json(found))))


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore::evalstats._errors.EvalstatsWarning")
@pytest.mark.parametrize("start", range(0, 600, 100))
def test_both_ways_tell_the_same(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the cells are: scores, messages, findings, and what was left out."""
    kinds: Counter[str] = Counter()
    for seed in range(start, start + repetitions(100)):
        rng = random.Random(seed)
        text, options = written(rng), rng.choice(OPTIONS)
        read: Any = read_predictions if not options and rng.random() < 0.3 else read_table
        outcomes = []
        for regular in (_REGULAR, lambda *_: []):
            monkeypatch.setattr(delimited, "_regular", regular)
            outcomes.append(outcome(text, options, read))
        assert outcomes[0] == outcomes[1], (seed, text)
        kinds[outcomes[0][0]] += 1
    assert set(kinds) == {"read", "refused"}
