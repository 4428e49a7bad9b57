"""The same right and wrong answers have one answer, in whatever layout, file or frame they are written.

Each data set is generated from its number. EVALSTATS_LAYOUTS=10000 is the long run.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats.tables.columns import ITEM_COLUMNS

N = int(os.environ.get("EVALSTATS_LAYOUTS", "200"))
# of the forms of each layout, so many are tried with each data set; those that take long are drawn seldom
FORMS_EACH, SELDOM = 3, {"ibis": 0.1, "dask": 0.1, "excel": 0.2, "duckdb": 0.5, "polars-lazy": 0.5}
Columns = dict[str, list[Any]]
MODELS = ("gpt", "Claude 3", "llama-8b", "m10", "m2", "A")


class Answers:
    """Right and wrong answers of several models to the same questions, and the labels that could stand behind them."""

    def __init__(self, number: int) -> None:
        rng = np.random.default_rng([25, number])
        self.number, self.rng = number, rng
        self.n, k = int(rng.choice([1, 2, 3, 4, 5, 12, 40, 80])), int(rng.choice([2, 2, 2, 3, 4]))
        self.models = [MODELS[i] for i in rng.permutation(len(MODELS))[:k]]
        skill = rng.choice([0.0, 0.3, 0.6, 0.6, 0.8, 1.0], k)
        self.right = rng.random((self.n, k)) < skill
        of_text = rng.random() < 0.5
        self.items = [f"q{i}" if of_text else i for i in rng.permutation(3 * self.n)[: self.n].tolist()]
        labels = [["no", "yes"], ["cat", "dog", "eel"], [0, 1], [-1, 0, 1]][rng.integers(4)]
        true = rng.integers(len(labels), size=self.n)
        other = (true[:, None] + rng.integers(1, len(labels), self.right.shape)) % len(labels)
        self.true = [labels[i] for i in true]
        self.predicted = [[labels[i] for i in row] for row in np.where(self.right, true[:, None], other)]
        self.item_column = str(rng.choice(ITEM_COLUMNS))

    @property
    def are_known(self) -> bool:
        """Whether every predicted label is a true one somewhere, as a column of predictions must show."""
        return {label for row in self.predicted for label in row} <= set(self.true)

    def long(self, values: list[list[Any]], name: str, **beside: list[Any]) -> Columns:
        """Return one row for each model and question, in any order."""
        order = self.rng.permutation(self.n * len(self.models)).tolist()
        at = [divmod(i, len(self.models)) for i in order]
        columns = {
            "model": [self.models[j] for _, j in at],
            self.item_column: [self.items[i] for i, _ in at],
            **{column: [own[i] for i, _ in at] for column, own in beside.items()},
            name: [values[i][j] for i, j in at],
        }
        return {column: columns[column] for column in self.rng.permutation(list(columns)).tolist()}

    def wide(self, values: list[list[Any]], **beside: list[Any]) -> Columns:
        """Return one row for each question, in any order."""
        order = self.rng.permutation(self.n).tolist()
        columns = {name: [own[i] for i in order] for name, own in beside.items()}
        columns |= {model: [values[i][j] for i in order] for j, model in enumerate(self.models)}
        return {self.item_column: [self.items[i] for i in order], **columns}

    @property
    def numbers(self) -> list[list[int]]:
        return [[int(right) for right in row] for row in self.right.tolist()]

    @property
    def words(self) -> list[list[str]]:
        return [["true" if right else "false" for right in row] for row in self.right.tolist()]

    def long_items(self) -> Columns:
        return self.long(self.numbers, "correct")

    def long_predictions(self) -> Columns:
        return self.long(self.predicted, "y_pred", y_true=self.true)


def _csv(columns: Columns) -> Any:
    lines = [list(columns), *zip(*columns.values(), strict=True)]
    return io.StringIO("\n".join(",".join(map(str, line)) for line in lines) + "\n")


def _json_lines(columns: Columns) -> Any:
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return io.StringIO("\n".join(map(json.dumps, rows)) + "\n")


def _json(columns: Columns) -> Any:
    return io.StringIO(
        json.dumps([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
    )


def _excel(columns: Columns) -> Any:
    file = io.BytesIO()
    _pandas(columns).to_excel(file, index=False)
    file.seek(0)
    return file


def _markdown(columns: Columns) -> Any:
    rows = [list(columns), ["---"] * len(columns), *zip(*columns.values(), strict=True)]
    return io.StringIO("\n".join(f"| {' | '.join(map(str, row))} |" for row in rows) + "\n")


def _pandas(columns: Columns) -> Any:
    return import_module("pandas").DataFrame(columns)


def _categories(columns: Columns) -> Any:
    return _pandas(columns).astype({name: "category" for name, own in columns.items() if isinstance(own[0], str)})


def _polars(columns: Columns) -> Any:
    return import_module("polars").DataFrame(columns)


def _polars_lazy(columns: Columns) -> Any:
    return _polars(columns).lazy()


def _arrow(columns: Columns) -> Any:
    return import_module("pyarrow").table(columns)


def _duckdb(columns: Columns) -> Any:
    return import_module("duckdb").from_arrow(_arrow(columns))


def _dask(columns: Columns) -> Any:
    return import_module("dask.dataframe").from_pandas(_pandas(columns), npartitions=2)


def _ibis(columns: Columns) -> Any:
    return import_module("ibis").memtable(_arrow(columns))


def _logs(answers: Answers, folder: Path) -> Any:
    """Write a log of OpenAI evals for each model."""
    paths = []
    for j, model in enumerate(answers.models):
        spec = {"spec": {"completion_fns": [model], "eval_name": "dataset"}}
        events = [
            {"sample_id": f"s.{item}", "type": "match", "data": {"correct": right, "expected": str(true)}}
            for item, right, true in zip(answers.items, answers.right[:, j].tolist(), answers.true, strict=True)
        ]
        paths.append(folder / f"{answers.number}-{j}.jsonl")
        paths[-1].write_text("\n".join(map(json.dumps, [spec, *events])) + "\n")
    return paths


CONTENTS: dict[str, Callable[[Answers], Columns]] = {
    "long": Answers.long_items,
    "long-words": lambda of: of.long(of.words, "is_correct"),
    "wide": lambda of: of.wide(of.numbers),
    "wide-words": lambda of: of.wide(of.words),
    "wide-booleans": lambda of: of.wide(of.right.tolist()),
    "predictions": Answers.long_predictions,
    "wide-predictions": lambda of: of.wide(of.predicted, y_true=of.true),
}
FORMS: dict[str, Callable[[Columns], Any]] = {
    "dict": lambda columns: columns,
    "pandas": _pandas,
    "categories": _categories,
    "polars": _polars,
    "polars-lazy": _polars_lazy,
    "arrow": _arrow,
    "duckdb": _duckdb,
    "ibis": _ibis,
    "dask": _dask,
    "csv": _csv,
    "json": _json,
    "json-lines": _json_lines,
    "markdown": _markdown,
    "excel": _excel,
}


def told(comparison: Any) -> dict[str, Any]:
    """Return what a comparison says, without what it says of the source."""
    record = comparison.to_dict()
    for name in ("source", "findings", "format", "left_out"):
        del record["table"][name]
    for name in ("options", "data_checksum"):
        del record[name]
    return {"type": type(comparison).__name__, "verdict": str(comparison), **record}


def outcomes(number: int, folder: Path) -> dict[str, str]:
    """Return what each layout of a data set says."""
    answers = Answers(number)
    # everything that may be asked beside the test goes the same way; it takes long
    choices = {"margin": 0.05, "rope": 0.05, "robustness": True} if number % 10 == 0 else {}
    found = {"long dict": _said(answers.long_items(), choices)}
    chances = np.array([SELDOM.get(form, 1.0) for form in FORMS])
    for content, columns in CONTENTS.items():
        if content == "wide-predictions" and not answers.are_known:
            continue
        for form in answers.rng.choice(list(FORMS), FORMS_EACH, replace=False, p=chances / chances.sum()).tolist():
            if answers.n > 1 or form != "json-lines":  # one line is a JSON object
                found[f"{content} {form}"] = _said(FORMS[form](columns(answers)), choices)
    found["logs"] = _said(_logs(answers, folder), choices)
    return found


def _said(source: Any, choices: dict[str, Any]) -> str:
    try:
        return repr(told(evalstats.compare(source, **choices)))
    except evalstats.EvalstatsError as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("number", range(N))
def test_layout_has_no_way_into_the_decision(number: int, tmp_path: Path) -> None:
    """Test, p-value, interval, verdict and record are the same for every layout, file and frame."""
    found = outcomes(number, tmp_path)

    assert set(found.values()) == {found["long dict"]}, found
