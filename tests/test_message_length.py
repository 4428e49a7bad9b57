"""No message fills a screen, however long or many the cells, the names and the labels are that it tells of."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import evalstats
from evalstats import EvalstatsError, EvalstatsWarning, InvalidValueError, TableError
from evalstats._errors import LONGEST_MESSAGE, bounded, examples, listed
from evalstats._findings import Finding
from evalstats.cli import cli
from evalstats.io.options import given_together

# a screen holds about 2,000 characters; the longest sentence that is meant lists all formats
MOST = 700
LONG, N = 100_000, 1_500
CELLS: dict[str, Any] = {
    "letters": "x" * LONG,
    "digits": "9" * LONG,
    "unseen": "\x1b" * LONG,
    "percent": "5%" * LONG,
    "number": 10**5_000,
    "bytes": b"z" * LONG,
    "list": list(range(N)),
    "dict": {i: i for i in range(N)},
    "nothing": None,
    "fraction": 0.5,
}
MANY = [f"name {i} {'y' * 30}" for i in range(N)]
READERS: dict[str, Callable[[Any], Any]] = {
    "compare": evalstats.compare,
    "read_predictions": evalstats.read_predictions,
    "which_test": evalstats.which_test,
}
WIDE: dict[str, list[Any]] = {"dataset": ["a", "b", "c"], "NB": [0.1, 0.2, 0.3], "SVM": [0.3, 0.4, 0.5]}
LONG_TABLE: dict[str, list[Any]] = {
    "dataset": ["a", "a", "b", "b"],
    "classifier": ["u", "v", "u", "v"],
    "metric": ["auc"] * 4,
    "fold": [1, 1, 1, 1],
    "score": [0.1, 0.2, 0.3, 0.4],
}
ANSWERS: dict[str, list[Any]] = {
    "dataset": ["d"] * 4,
    "model": ["u", "u", "v", "v"],
    "case": [1, 2, 1, 2],
    "fold": [1, 1, 1, 1],
    "y_true": ["a", "b", "a", "b"],
    "y_pred": ["a", "a", "b", "b"],
}


def with_one_cell(cell: Any) -> Iterator[Any]:
    """Put a cell into each column of each kind of table, and above one of them."""
    for rows in (WIDE, LONG_TABLE, ANSWERS):
        for name, column in rows.items():
            yield rows | {name: [*column[:-1], cell]}
            yield rows | {name: [cell] * len(column)}
        if isinstance(cell, str):
            for name, column in rows.items():
                yield {cell if other == name else other: cells for other, cells in rows.items()} | {"more": column}


def of_many_rows() -> Iterator[Any]:
    half = [name for name in MANY[: N // 2] for _ in range(2)]
    scores = {f"c{j}": [(7 * i + j) % 11 / 10 for i in range(N)] for j in range(3)}
    for cell in ("", "?", "x", "nan", "-1e400"):
        yield {"dataset": MANY, **scores, "c1": [cell] * N}
    yield {"dataset": ["same"] * N, **scores}
    yield {"dataset": half, **scores}
    yield {"dataset": MANY, "classifier": ["a", "b"] * (N // 2), "score": [0.5] * N}
    yield {"dataset": ["a"] * N, "classifier": ["u"] * N, "metric": MANY, "score": [1.0] * N}
    yield {"dataset": ["a"] * N, "classifier": ["u"] * N, "score": [1.0] * N}
    yield {"dataset": half, "classifier": ["u", "v"] * (N // 2), "fold": MANY, "score": [0.4] * N}
    yield {"model": ["u"] * N, "case": range(N), "y_true": MANY, "y_pred": ["1"] * N}
    yield {"model": ["u"] * N, "case": range(N), "y_true": MANY, "y_score": [0.1] * N}
    yield {"model": ["u", "v"] * (N // 2), "case": range(N), "y_true": MANY, "y_pred": MANY}
    yield {"model": MANY, "case": range(N), "y_true": ["a"] * N, "y_pred": ["a"] * N}


def of_many_columns() -> Iterator[Any]:
    for cell in (0.1, "p", None, 10**400):
        yield {"dataset": ["a", "b"], **{name: [0.2, cell] for name in MANY}}
    yield {"y_true": [1, 0] * 5, **{name: ["p", "q"] * 5 for name in MANY}}
    yield {"y_true": [1, 0] * 5, **{name: [1, 0.5] * 5 for name in MANY}, "z": [1, 0] * 5}
    yield {name: ["a", "b"] for name in MANY}


TEXTS = {
    "one line": "a," * (LONG // 2),
    "header": f"dataset,{'x' * LONG},b\na,1,2\n",
    "headers that repeat": f"dataset{',u' * N}\n" + f"a{',1' * N}\n" * 2,
    "names that repeat": "dataset,u,v\n" + "a,1,2\n" * N,
    "fields": f"dataset,a,b\nx{',1' * LONG}\n",
    "cell": f"dataset,a,b\nx,{'x' * LONG},2\n",
    "open quote": f'dataset,a,b\n"x,{"x" * LONG}',
    "NUL": "\0" * LONG,
    "uneven": "dataset,a,b\n" + "x,1\n" * N,
    "nested": "[" * LONG,
    "keys": '{"a":' * N,
    "records": '[{"dataset":"' + "x" * LONG + '"}]',
    "Markdown": f"|a|b|\n|--|--|\n|{'x' * LONG}|x|\n",
    "LaTeX": r"\begin{tabular}{ll}" + "x" * LONG + r"& 1\\\end{tabular}",
    "HTML": f"<table><tr><td>{'x' * LONG}</td></tr></table>",
    "words": " ".join(MANY),
    "lines": "\n".join(MANY),
    "semicolons": ";".join(MANY) + "\n" + ";".join(["1"] * N),
    "ARFF": "@relation " + "x" * LONG + "\n@attribute Key_Dataset {" + ",".join(MANY) + "}\n@data\nq\n",
}
OPTIONS = (
    *("layout", "format", "missing", "metric", "classifier", "dataset", "score", "drop", "keep", "rows", "header_rows"),
    *("pos_label", "decimal", "encoding", "delimiter", "sheet", "aggregate", "undefined", "unit", "transpose"),
    *("y_true", "y_pred", "y_score", "instance", "question", "fold", "repeat", "n_folds", "greater_is_better"),
)
VALUES = (CELLS["letters"], CELLS["unseen"], CELLS["number"], CELLS["list"], MANY, dict.fromkeys(MANY))


def told(ask: Callable[[], Any]) -> list[str]:
    """Return the refusal, the warnings, and whatever was found in the source."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = ask()
        except EvalstatsError as error:
            return [str(error)]
    of_warnings = [str(one.message) for one in caught if isinstance(one.message, EvalstatsWarning)]
    table = getattr(found, "table", found)
    return [*of_warnings, *(one.sentence for one in getattr(table, "findings", ()))]


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", CELLS)
def test_one_cell(kind: str, reader: str) -> None:
    for rows in with_one_cell(CELLS[kind]):
        assert all(len(message) <= MOST for message in told(lambda rows=rows: READERS[reader](rows)))


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
def test_many_rows_or_columns(reader: str) -> None:
    for rows in (*of_many_rows(), *of_many_columns()):
        assert all(len(message) <= MOST for message in told(lambda rows=rows: READERS[reader](rows)))


@pytest.mark.sampled
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", TEXTS)
def test_texts(kind: str, reader: str) -> None:
    assert all(len(message) <= MOST for message in told(lambda: READERS[reader](io.StringIO(TEXTS[kind]))))


@pytest.mark.parametrize("option", OPTIONS)
def test_options(option: str) -> None:
    for rows in (WIDE, ANSWERS):
        for value in VALUES:
            messages = told(
                lambda rows=rows, value=value: evalstats.read_table(rows, **given_together({option: value}))
            )
            assert all(len(message) <= MOST for message in messages)


def test_names_that_are_asked_for() -> None:
    table = evalstats.read_table({"dataset": ["a", "b"], **{name: [0.1, 0.2] for name in MANY}})

    for value in VALUES[:3]:
        for ask in (lambda own: evalstats.compare(table, control=own), lambda own: table.select([own, "z"])):
            with pytest.raises(EvalstatsError) as error:
                ask(value)
            assert len(str(error.value)) <= MOST


@pytest.mark.sampled
@pytest.mark.parametrize("command", ["compare", "metrics", "which-test"])
def test_commands(command: str, tmp_path: Path) -> None:
    for i, text in enumerate(TEXTS.values()):
        path = tmp_path / f"{i}.csv"
        path.write_text(text, encoding="utf-8")
        assert len(CliRunner().invoke(cli, [command, str(path)]).stderr) <= LONGEST_MESSAGE + 100
    for option in ("--alpha", "--format", "--metric", "--x" + "x" * LONG, "--sheet"):
        found = CliRunner().invoke(cli, [command, str(path), option, "x" * LONG])
        assert found.exit_code
        assert len(found.stderr) <= LONGEST_MESSAGE + 100


def test_whatever_is_told_is_bounded() -> None:
    """The middle goes: the beginning says what is wrong, the end what to do."""
    long = f"begin {'x' * LONG} end"
    many = [f"name {i}" for i in range(N)]

    for error in (InvalidValueError(long), TableError(long, "pass {}", "drop", "x"), EvalstatsWarning(long)):
        assert str(error).startswith("begin")
        assert len(str(error)) <= LONGEST_MESSAGE
    assert str(TableError(long, "pass {}", "drop", "x")).endswith("end; pass drop='x'")
    assert Finding(code="x", severity="note", sentence=long).sentence.endswith("end")
    assert bounded("short") == "short"
    assert listed(many) == f"{', '.join(repr(name) for name in many[:10])} and 1,490 more"
    assert listed(iter(["a", 1])) == "'a', 1"
    assert examples(["a", "b"], 1) == "a and 1 more"
