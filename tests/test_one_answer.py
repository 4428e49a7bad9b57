"""The same right and wrong answers have one answer, in whatever layout, file, frame or log they are written.

Each data set is generated from its number. EVALSTATS_TRIALS=10000 is a run of hours.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from repetitions import repetitions

import evalstats
from evalstats._lexicon import ITEM_COLUMNS, NUMBER_COLUMNS, SAMPLE_COLUMNS, UNNAMED

N = repetitions(200)
# how many layouts each data set is written in, beside a plain long table; those that take long are drawn seldom
LAYOUTS_EACH, SELDOM = 5, {"ibis": 0.1, "dask": 0.1, "excel": 0.3, "duckdb": 0.3, "polars-lazy": 0.5}
DESIGNS = {"plain": 0.55, "clusters": 0.1, "samples": 0.1, "benchmarks": 0.1, "missing": 0.15}
Columns = dict[str, list[Any]]
MODELS = ("gpt", "Claude 3", "llama-8b", "m10", "m2", "A")
TIME = "2026-11-22T09-51-20.586200"


class Answers:
    """Right and wrong answers of several models to the same questions, and the labels that could stand behind them."""

    def __init__(self, number: int) -> None:
        rng = np.random.default_rng([25, number])
        self.number, self.rng = number, rng
        self.design = str(rng.choice(list(DESIGNS), p=list(DESIGNS.values())))
        self.n, k = int(rng.choice([1, 2, 3, 4, 5, 12, 40, 80])), int(rng.choice([2, 2, 2, 3, 4]))
        n_samples = int(rng.choice([2, 3])) if self.design == "samples" else 1
        self.models = [MODELS[i] for i in rng.permutation(len(MODELS))[:k]]
        skill = rng.choice([0.0, 0.3, 0.6, 0.6, 0.8, 1.0], k)
        # of each question, model and sample
        self.right = rng.random((self.n, k, n_samples)) < skill[:, None]
        of_text = rng.random() < 0.5
        self.items = [f"q{i}" if of_text else i for i in rng.permutation(3 * self.n)[: self.n].tolist()]
        labels = [["no", "yes"], ["cat", "dog", "eel"], [0, 1], [-1, 0, 1], [False, True], [0.0, 1.0]][rng.integers(6)]
        true = rng.integers(len(labels), size=self.n)
        other = (true[:, None] + rng.integers(1, len(labels), (self.n, k))) % len(labels)
        self.true = [labels[i] for i in true]
        self.predicted = [[labels[i] for i in row] for row in np.where(self.right[..., 0], true[:, None], other)]
        self.item_column = str(rng.choice(ITEM_COLUMNS))
        if self.design == "samples":
            known = [name for name in ITEM_COLUMNS if name not in (*SAMPLE_COLUMNS, *NUMBER_COLUMNS)]
            self.item_column = str(rng.choice(known))
        self.clusters = [f"p{i}" for i in rng.integers(max(2, self.n // 3), size=self.n)]
        self.benchmarks = [f"b{i}" for i in rng.integers(3, size=self.n)]
        # no model lacks everything
        lacks = (rng.random((self.n, k)) < 0.1) & (np.arange(self.n) > 0)[:, None]
        self.lacks = lacks if self.design == "missing" else np.zeros_like(lacks)

    @property
    def choices(self) -> dict[str, Any]:
        """What must be asked for, of every layout."""
        return {"clusters": {"cluster": "passage"}, "missing": {"missing": "drop-instances"}}.get(self.design, {})

    @property
    def are_known(self) -> bool:
        """Whether every predicted label is a true one somewhere, as a column of predictions must show."""
        kept = zip(self.predicted, self.lacks, strict=True)
        return {label for row, gone in kept if not gone.any() for label in row} <= set(self.true)

    @property
    def are_told_apart(self) -> bool:
        """Whether no column of labels marks where another model is right, as a column that was computed does."""
        labels, right = zip(*self.predicted, strict=True), self.right[..., 0].T.tolist()
        return not any(
            i != j and len(set(zip(own, told, strict=True))) == len(set(own)) == len(set(told))
            for i, own in enumerate(labels)
            for j, told in enumerate(right)
        )

    @property
    def beside(self) -> Columns:
        """What is told of each question."""
        return {"clusters": {"passage": self.clusters}, "benchmarks": {"benchmark": self.benchmarks}}.get(
            self.design, {}
        )

    def long(self, values: list[Any], name: str, **beside: list[Any]) -> Columns:
        """Return one row for each model, question and sample, in any order; what is missing is empty, or not there."""
        beside |= self.beside
        is_told = self.rng.random() < 0.5
        n_samples = self.right.shape[2]
        order = self.rng.permutation(self.right.size).tolist()
        at = [np.unravel_index(one, self.right.shape) for one in order]
        at = [(i, j, s) for i, j, s in at if is_told or not self.lacks[i, j]]
        columns = {
            "model": [self.models[j] for _, j, _ in at],
            self.item_column: [self.items[i] for i, *_ in at],
            **{column: [own[i] for i, *_ in at] for column, own in beside.items()},
            name: [None if self.lacks[i, j] else values[i][j][s] for i, j, s in at],
        }
        if n_samples > 1:
            free = [own for own in SAMPLE_COLUMNS if own not in ITEM_COLUMNS]
            columns[str(self.rng.choice(["sample", *free]))] = [int(s) for *_, s in at]
        return {column: columns[column] for column in self.rng.permutation(list(columns)).tolist()}

    def wide(self, values: list[Any], **beside: list[Any]) -> Columns:
        """Return one row for each question, in any order."""
        beside |= self.beside
        order = self.rng.permutation(self.n).tolist()
        columns = {name: [own[i] for i in order] for name, own in beside.items()}
        columns |= {
            model: [None if self.lacks[i, j] else values[i][j][0] for i in order] for j, model in enumerate(self.models)
        }
        return {self.item_column: [self.items[i] for i in order], **columns}

    @property
    def numbers(self) -> list[Any]:
        return self.right.astype(int).tolist()

    @property
    def words(self) -> list[Any]:
        return np.where(self.right, "true", "false").tolist()

    @property
    def floats(self) -> list[Any]:
        return self.right.astype(float).tolist()

    @property
    def labels(self) -> list[Any]:
        return [[[label] for label in row] for row in self.predicted]

    def cells(self) -> Iterator[tuple[int, str, list[tuple[int, int]]]]:
        """Yield each model with each benchmark, and the places of its questions and samples."""
        tasks = self.beside.get("benchmark", [UNNAMED["dataset"]] * self.n)
        for j in range(len(self.models)):
            of_task = sorted(range(self.n), key=lambda i: tasks[i])
            for task, own in groupby(of_task, key=lambda i: tasks[i]):
                yield j, task, [(i, s) for i in own for s in range(self.right.shape[2])]


# --- what a table holds -----------------------------------------------------------------------------------------------

ALL = frozenset(DESIGNS)
ONE_EACH = ALL - {"samples"}
WIDE = ONE_EACH
CONTENTS: dict[str, tuple[Callable[[Answers], Columns], frozenset[str]]] = {
    "long": (lambda of: of.long(of.numbers, "correct"), ALL),
    "long-words": (lambda of: of.long(of.words, "is_correct"), ALL),
    "long-booleans": (lambda of: of.long(of.right.tolist(), "passed"), ALL),
    "long-floats": (lambda of: of.long(of.floats, "correct"), ALL),
    "wide": (lambda of: of.wide(of.numbers), WIDE),
    "wide-words": (lambda of: of.wide(of.words), WIDE),
    "wide-booleans": (lambda of: of.wide(of.right.tolist()), WIDE),
    "wide-floats": (lambda of: of.wide(of.floats), WIDE),
    "predictions": (lambda of: of.long(of.labels, "y_pred", y_true=of.true), frozenset(("plain",))),
    "wide-predictions": (lambda of: of.wide(of.labels, y_true=of.true), frozenset(("plain",))),
}


# --- files and frames -------------------------------------------------------------------------------------------------


def _lines(columns: Columns) -> list[list[Any]]:
    cells = ([("" if cell is None else cell) for cell in row] for row in zip(*columns.values(), strict=True))
    return [list(columns), *map(list, cells)]


def _text(lines: list[list[Any]], **style: Any) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n", **style).writerows(lines)
    return file.getvalue()


def _csv(columns: Columns, path: Path) -> Any:
    return io.StringIO(_text(_lines(columns)))


def _tsv(columns: Columns, path: Path) -> Any:
    return io.StringIO(_text(_lines(columns), delimiter="\t"))


def _semicolons(columns: Columns, path: Path) -> Any:
    """Write the CSV of a country with a decimal comma."""
    with_comma = {
        name: [str(cell).replace(".", ",") if isinstance(cell, float) else cell for cell in own]
        for name, own in columns.items()
    }
    lines = _lines(with_comma)
    return io.BytesIO(b"\xef\xbb\xbf" + _text(lines, delimiter=";").encode())


def _csv_file(columns: Columns, path: Path) -> Any:
    path.with_suffix(".csv").write_text(_text(_lines(columns)), encoding="utf-8")
    return path.with_suffix(".csv")


def _gzip(columns: Columns, path: Path) -> Any:
    path.with_suffix(".csv.gz").write_bytes(gzip.compress(_text(_lines(columns)).encode(), 1))
    return path.with_suffix(".csv.gz")


def _rows(columns: Columns) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _json_lines(columns: Columns, path: Path) -> Any:
    return io.StringIO("\n".join(map(json.dumps, _rows(columns))) + "\n")


def _json(columns: Columns, path: Path) -> Any:
    return io.StringIO(json.dumps(_rows(columns)))


def _json_file(columns: Columns, path: Path) -> Any:
    path.with_suffix(".json").write_text(json.dumps(_rows(columns), indent=1))
    return path.with_suffix(".json")


def _markdown(columns: Columns, path: Path) -> Any:
    header, *rows = _lines(columns)
    lines = [header, ["---"] * len(columns), *rows]
    return io.StringIO("\n".join(f"| {' | '.join(map(str, row))} |" for row in lines) + "\n")


def _html(columns: Columns, path: Path) -> Any:
    header, *rows = _lines(columns)
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "\n".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return io.StringIO(f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n")


def _arff(columns: Columns, path: Path) -> Any:
    """Write ARFF, in which a question mark is missing and text is quoted."""
    own = {name: {type(cell) for cell in cells} - {type(None)} for name, cells in columns.items()}
    kinds = {name: "numeric" if types <= {int, float} else "string" for name, types in own.items()}
    quoted = {
        name: ["?" if cell is None else f"'{cell}'" if kinds[name] == "string" else str(cell) for cell in cells]
        for name, cells in columns.items()
    }
    header = [f"@attribute '{name}' {kind}" for name, kind in kinds.items()]
    rows = map(",".join, zip(*quoted.values(), strict=True))
    return io.StringIO("\n".join(["@relation answers", "", *header, "", "@data", *rows]) + "\n")


def _excel(columns: Columns, path: Path) -> Any:
    book = import_module("openpyxl").Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in [list(columns), *zip(*columns.values(), strict=True)]:
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return io.BytesIO(file.getvalue())


def _pandas(columns: Columns, path: Path) -> Any:
    return import_module("pandas").DataFrame(columns)


def _categories(columns: Columns, path: Path) -> Any:
    chosen = {name: "category" for name, own in columns.items() if any(isinstance(cell, str) for cell in own)}
    return _pandas(columns, path).astype(chosen)


def _all_categories(columns: Columns, path: Path) -> Any:
    return _pandas(columns, path).astype("category")


def _nullable(columns: Columns, path: Path) -> Any:
    return _pandas(columns, path).convert_dtypes()


def _polars(columns: Columns, path: Path) -> Any:
    return import_module("polars").DataFrame(columns)


def _polars_lazy(columns: Columns, path: Path) -> Any:
    return _polars(columns, path).lazy()


def _arrow(columns: Columns, path: Path) -> Any:
    return import_module("pyarrow").table(columns)


def _dictionaries(columns: Columns, path: Path) -> Any:
    table = _arrow(columns, path)
    for j, name in enumerate(table.column_names):
        if isinstance(next((cell for cell in columns[name] if cell is not None), None), str):
            table = table.set_column(j, name, table[name].dictionary_encode())
    return table


def _parquet(columns: Columns, path: Path) -> Any:
    import_module("pyarrow.parquet").write_table(_arrow(columns, path), path.with_suffix(".parquet"))
    return path.with_suffix(".parquet")


def _feather(columns: Columns, path: Path) -> Any:
    import_module("pyarrow.feather").write_feather(_arrow(columns, path), str(path.with_suffix(".feather")))
    return path.with_suffix(".feather")


def _duckdb(columns: Columns, path: Path) -> Any:
    return import_module("duckdb").from_arrow(_arrow(columns, path))


def _dask(columns: Columns, path: Path) -> Any:
    return import_module("dask.dataframe").from_pandas(_pandas(columns, path), npartitions=2)


def _ibis(columns: Columns, path: Path) -> Any:
    return import_module("ibis").memtable(_arrow(columns, path))


FORMS: dict[str, Callable[[Columns, Path], Any]] = {
    "dict": lambda columns, _: columns,
    "pandas": _pandas,
    "categories": _categories,
    "all-categories": _all_categories,
    "nullable": _nullable,
    "polars": _polars,
    "polars-lazy": _polars_lazy,
    "arrow": _arrow,
    "dictionaries": _dictionaries,
    "duckdb": _duckdb,
    "ibis": _ibis,
    "dask": _dask,
    "csv": _csv,
    "csv-file": _csv_file,
    "tsv": _tsv,
    "semicolons": _semicolons,
    "gzip": _gzip,
    "parquet": _parquet,
    "feather": _feather,
    "arff": _arff,
    "json": _json,
    "json-file": _json_file,
    "json-lines": _json_lines,
    "markdown": _markdown,
    "html": _html,
    "excel": _excel,
}


# --- logs of evaluation programs, as the samples of tests/data/formats are --------------------------------------------


def _write_lines(path: Path, lines: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return path


def _openai_evals(of: Answers, folder: Path) -> Any:
    paths = []
    for j, task, at in of.cells():
        spec = {"spec": {"completion_fns": [of.models[j]], "eval_name": task, "split": "dev"}}
        events: list[Any] = []
        for i, s in at:
            about = {"run_id": "2611", "event_id": len(events), "sample_id": f"{task}.dev.{of.items[i]}"}
            events.append({**about, "type": "sampling", "data": {"prompt": "1+1?", "sampled": ["2"]}})
            if not of.lacks[i, j]:
                data = {"correct": bool(of.right[i, j, s]), "expected": str(of.true[i])}
                events.append({**about, "type": "match", "data": data})
        paths.append(_write_lines(folder / f"{j}-{task}.jsonl", [spec, *events]))
    return paths


def _inspect_documents(of: Answers) -> Iterator[tuple[str, dict[str, Any]]]:
    for j, task, at in of.cells():
        samples: list[dict[str, Any]] = []
        for i, s in at:
            grade = {} if of.lacks[i, j] else {"match": {"value": "CI"[not of.right[i, j, s]], "answer": "2"}}
            sample = {"id": of.items[i], "epoch": s + 1, "input": f"What is {of.items[i]}?", "target": str(of.true[i])}
            samples.append({**sample, "scores": grade, "metadata": {"passage": of.clusters[i]}})
        about = {"eval_id": "Wx4R", "run_id": "eVgA", "task": task, "model": of.models[j], "config": {"epochs": 1}}
        about["dataset"] = {"name": task, "sample_ids": [of.items[i] for i, s in at if s == 0]}
        yield f"{j}-{task}", {"version": 2, "status": "success", "eval": about, "samples": samples}


def _inspect_json(of: Answers, folder: Path) -> Any:
    folder.mkdir()
    for name, document in _inspect_documents(of):
        (folder / f"{name}.json").write_text(json.dumps(document))
    return folder


def _inspect_eval(of: Answers, folder: Path) -> Any:
    folder.mkdir()
    for name, document in _inspect_documents(of):
        with zipfile.ZipFile(folder / f"{name}.eval", "w") as file:
            file.writestr("summaries.json", json.dumps(document.pop("samples")))
            file.writestr("header.json", json.dumps(document))
    return folder


def _lm_eval(of: Answers, folder: Path) -> Any:
    for j, task, at in of.cells():
        lines = [
            {
                "doc_id": of.items[i],
                "doc": {"question": f"{i}?", "passage": of.clusters[i]},
                "target": "0",
                "resps": [[["0.0", "False"]]],
                "filtered_resps": [["0.0", "False"]],
                "filter": "none",
                "metrics": ["acc"],
                "doc_hash": f"{i:064x}",
                "acc": float(of.right[i, j, 0]),
            }
            for i, _ in at
            if not of.lacks[i, j]
        ]
        _write_lines(folder / f"model{j}" / f"samples_{task}_{TIME}.jsonl", lines)
        about = {"results": {task: {"acc,none": 0.5}}, "model_name": of.models[j], "config": {}, "versions": {task: 1}}
        _write_lines(
            folder / f"model{j}" / f"results_{TIME}.json", [about | {"higher_is_better": {task: {"acc": True}}}]
        )
    return folder


def _helm(of: Answers, folder: Path) -> Any:
    for j, task, at in of.cells():
        records = []
        for i, s in at:
            stat = {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": float(of.right[i, j, s])}
            stats = [{"name": {"name": "num_output_tokens", "split": "test"}, "count": 1, "mean": 1.0}]
            stats += [] if of.lacks[i, j] else [stat]
            records.append({"instance_id": f"id{of.items[i]}", "train_trial_index": s, "stats": stats})
        _write_lines(folder / f"{task},model={j}" / "per_instance_stats.json", [records])
        spec = {"name": f"{task}:model={j}", "adapter_spec": {"model": of.models[j]}}
        _write_lines(folder / f"{task},model={j}" / "run_spec.json", [spec])
    return folder


def _promptfoo_results(of: Answers) -> list[dict[str, Any]]:
    return [
        {
            "testIdx": i,
            "promptIdx": j,
            "provider": {"id": f"mock:{j}", "label": of.models[j]},
            "vars": {"n": of.items[i]},
            "prompt": {"raw": "1+1?", "label": "What is {{n}}?"},
            "success": bool(of.right[i, j, s]),
            "score": int(of.right[i, j, s]),
            "namedScores": {},
            "failureReason": 2 if of.lacks[i, j] else int(not of.right[i, j, s]),
            "testCase": {"vars": {"n": of.items[i]}, "assert": [{"type": "equals", "value": str(of.true[i])}]},
        }
        for j, _, at in of.cells()
        for i, s in at
    ]


def _promptfoo(of: Answers, folder: Path) -> Any:
    return _write_lines(folder / "results.json", [{"evalId": "eval-1", "results": {"results": _promptfoo_results(of)}}])


def _promptfoo_lines(of: Answers, folder: Path) -> Any:
    return _write_lines(folder / "results.jsonl", _promptfoo_results(of))


def _deepeval(of: Answers, folder: Path) -> Any:
    paths = []
    for j, _, at in of.cells():
        cases = []
        for i, s in at:
            right = bool(of.right[i, j, s])
            data = {"name": "Exact", "threshold": 0.5, "success": right, "score": float(right)}
            data |= {"success": False, "score": None, "error": "no connection"} if of.lacks[i, j] else {}
            case = {"name": f"test_case_{i}", "input": f"What is {of.items[i]}?", "expectedOutput": str(of.true[i])}
            cases.append({**case, "success": right, "metricsData": [data]})
        document = {"testCases": cases, "hyperparameters": {"model": of.models[j]}}
        paths.append(_write_lines(folder / f"{j}.json", [document]))
    return paths


def _every_eval_ever(of: Answers, folder: Path) -> Any:
    for j, task, at in of.cells():
        lines = [
            {
                "schema_version": "0.3.0",
                "evaluation_id": f"{task}/{j}",
                "model_id": of.models[j],
                "evaluation_name": task,
                "sample_id": of.items[i],
                "interaction_type": "single_turn",
                "input": {"raw": f"{of.items[i]}?", "reference": [str(of.true[i])]},
                "answer_attribution": [],
                "evaluation": {"score": float(of.right[i, j, s]), "is_correct": bool(of.right[i, j, s])},
                **({"error": "no connection"} if of.lacks[i, j] else {}),
            }
            for i, s in at
        ]
        _write_lines(folder / f"{j}-{task}_samples.jsonl", lines)
    return folder


def _nemo_evaluator(of: Answers, folder: Path) -> Any:
    for j, task, at in of.cells():
        lines = [
            {"problem_idx": of.items[i], "reward": float(of.right[i, j, s]), "repeat": s, "expected_answer": "0"}
            for i, s in at
            if not of.lacks[i, j]
        ]
        _write_lines(folder / str(j) / task / "results.jsonl", lines)
        bundle = {"config": {"model": of.models[j]}, "benchmark": {"name": task, "samples": 1, "scores": {}}}
        _write_lines(folder / str(j) / task / f"eval-{task}.json", [bundle])
    return folder


def _lighteval(of: Answers, folder: Path) -> Any:
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    for j, task, at in of.cells():
        rows = [
            {
                "doc": {"id": str(of.items[i]), "query": f"{of.items[i]}?", "task_name": task},
                "metric": {"acc": float(of.right[i, j, 0])},
                "model_response": {"text": ["2"]},
            }
            for i, _ in at
            if not of.lacks[i, j]
        ]
        path = folder / "details" / of.models[j] / TIME / f"details_{task}_0_{TIME}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return folder


LOGS: dict[str, tuple[Callable[[Answers, Path], Any], frozenset[str]]] = {
    "openai-evals": (_openai_evals, ALL - {"clusters"}),
    "inspect-json": (_inspect_json, ALL),
    "inspect-eval": (_inspect_eval, ALL),
    "lm-eval": (_lm_eval, ONE_EACH),
    "helm": (_helm, ALL - {"clusters"}),
    "promptfoo": (_promptfoo, ALL - {"clusters", "benchmarks"}),
    "promptfoo-lines": (_promptfoo_lines, ALL - {"clusters", "benchmarks"}),
    "deepeval": (_deepeval, ALL - {"clusters", "benchmarks"}),
    "every-eval-ever": (_every_eval_ever, ALL - {"clusters"}),
    "nemo-evaluator": (_nemo_evaluator, ALL - {"clusters"}),
    "lighteval": (_lighteval, ONE_EACH - {"clusters"}),
}


# --- what is said of them ---------------------------------------------------------------------------------------------


# "answers": names of questions, which predictions with labels and lazy frames do not keep
OF_THE_SOURCE = {"source", "findings", "format", "left_out", "options", "data_checksum", "columns", "answers"}
# what the only benchmark is called
ONLY = {UNNAMED["dataset"], "all questions", "tests", "test cases"}


def told(record: Any) -> Any:
    """Return what a record says, without what it says of the source."""
    if isinstance(record, dict):
        return {told(name): told(value) for name, value in record.items() if name not in OF_THE_SOURCE}
    if isinstance(record, list):
        return [told(value) for value in record]
    return UNNAMED["dataset"] if isinstance(record, str) and record in ONLY else record


def _said(source: Any, choices: dict[str, Any]) -> str:
    try:
        comparison = evalstats.compare(source, **choices)
    except evalstats.EvalstatsError as error:
        return f"{type(error).__name__}: {error}"
    names = "|".join(sorted(ONLY))
    verdict = re.sub(f"about ({names}) only", "about this dataset only", str(comparison))
    verdict = re.sub(f"^On ({names}):", "On these questions:", verdict)
    return repr((type(comparison).__name__, verdict, told(comparison.to_dict())))


def layouts(answers: Answers) -> list[tuple[str, str]]:
    """Return what a data set can be written as: a content in a form, or a log."""
    found = [(content, form) for content, (_, own) in CONTENTS.items() if answers.design in own for form in FORMS]
    return found + [("log", log) for log, (_, own) in LOGS.items() if answers.design in own]


def drawn(answers: Answers) -> list[tuple[str, str]]:
    """Draw some of the layouts of a data set."""
    known = layouts(answers)
    chances = np.array([SELDOM.get(form, 4.0 if content == "log" else 1.0) for content, form in known])
    rng = np.random.default_rng([26, answers.number])
    chosen = rng.choice(len(known), LAYOUTS_EACH, replace=False, p=chances / chances.sum())
    return [known[i] for i in chosen]


def outcomes(number: int, folder: Path) -> dict[str, str]:
    """Return what each drawn layout of a data set says."""
    answers = Answers(number)
    choices = dict(answers.choices)
    if number % 10 == 0 and answers.design == "plain":
        # everything that may be asked beside the test goes the same way; it takes long
        choices |= {"margin": 0.05, "rope": 0.05, "robustness": True}
    found = {"long dict": _said(CONTENTS["long"][0](answers), choices)}
    for content, form in drawn(answers):
        if content == "wide-predictions" and not (answers.are_known and answers.are_told_apart):
            continue
        if answers.n == 1 and form == "json-lines":
            continue  # one line is a JSON object
        path = folder / f"{number}-{content}-{form}"
        if content == "log":
            found[f"log {form}"] = _said(LOGS[form][0](answers, path), choices)
        else:
            found[f"{content} {form}"] = _said(FORMS[form](CONTENTS[content][0](answers), path), choices)
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(N))
def test_layout_has_no_way_into_the_decision(number: int, tmp_path: Path) -> None:
    """Test, p-value, interval, verdict and record are the same for every layout, file, frame and log."""
    found = outcomes(number, tmp_path)

    assert set(found.values()) == {found["long dict"]}, found


def test_every_layout_is_met() -> None:
    """The drawn data sets have every design, content, form and log."""
    known = [Answers(number) for number in range(200)]
    met = {name for answers in known for pair in drawn(answers) for name in (*pair, answers.design)}

    assert met == {*CONTENTS, *FORMS, *LOGS, *DESIGNS, "log"}
