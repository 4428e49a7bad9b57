"""Results of scikit-learn: dicts from cross_validate, and cv_results_ of a search."""

from __future__ import annotations

__all__ = ["FORMATS"]

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from evalstats._errors import listed
from evalstats._findings import Finding, note
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called
from evalstats.io.columns.roles import counted_splits, splits_by_cases
from evalstats.io.formats.format import (
    Format,
    Found,
    Rows,
    Sign,
    chosen_metric,
    column_called,
    file_stem,
    rows_of,
    scores_found,
)
from evalstats.io.layouts.orientation import nested_order
from evalstats.io.options import Asked
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of

EXAMPLE_OF_CROSS_VALIDATE = """
cv = StratifiedKFold(10, shuffle=True, random_state=0)
evalstats.compare({
    "logistic": cross_validate(LogisticRegression(), X, y, cv=cv, return_indices=True),
    "forest": cross_validate(RandomForestClassifier(), X, y, cv=cv, return_indices=True),
})
""".lstrip()

TABLES = ("frame", "text")
TEST, TIMES, INDICES = "test_", {"fit_time", "score_time"}, "indices"
# values of cross_validate in addition to scores and times
_BESIDE = ("train_", "estimator", INDICES)
# if the result has the indices of the splits, they give all facts
HINT = ", unless cross_validate has return_indices=True"


def _is_cross_validate(seen: Seen) -> bool:
    if seen.kind in TABLES:
        return set(seen.header) >= TIMES and any(name.startswith(TEST) for name in seen.header)
    document = _document(seen)
    return _is_result(document) or _holds_results(document)


def _document(seen: Seen) -> Any:
    """Return the dict of results that was passed as an object or as JSON."""
    return seen.document if seen.kind in ("json", "document") else seen.source


def _holds_results(document: Any) -> bool:
    """Return whether a dict contains results of cross_validate, or dicts of such results."""
    if not isinstance(document, Mapping) or not document:
        return False
    return all(map(_is_result, document.values())) or all(
        isinstance(own, Mapping) and own and all(map(_is_result, own.values())) for own in document.values()
    )


def _is_result(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and any(isinstance(key, str) and key.startswith(TEST) for key in value)
        and not any(isinstance(own, Mapping) for key, own in value.items() if key != INDICES)
    )


def _read_cross_validate(seen: Seen, asked: Asked) -> Found:
    document = _in_table(seen) if seen.kind in TABLES else _document(seen)
    if not _holds_results(document):
        raise TableError(
            f"{seen.name} must be a dict that maps classifier names to results of cross_validate: each result belongs "
            "to one classifier"
        )
    findings: dict[str, Any] = {}
    datasets: Mapping[Any, Any] = {"dataset": document}
    if not all(map(_is_result, document.values())):
        datasets, assumed = _by_dataset(document, asked.transpose)
        findings |= {finding.code: finding for finding in assumed}
    results = [(str(d), str(c), result) for d, own in datasets.items() for c, result in own.items()]
    if asked.metric is not None:
        asked = replace(asked, metric=asked.metric.removeprefix(TEST))
    metric = chosen_metric(seen, asked, _scorers(results))
    columns: dict[str, list[Any]] = {name: [] for name in ("dataset", "classifier", "repeat", "fold", "score")}
    sizes: dict[str, list[Any]] = {"n_train": [], "n_test": []}
    for dataset, classifier, result in results:
        place = f"{short(dataset)} / {short(classifier)}"
        scores: list[float] = np.ma.filled(np.ma.asarray(result[TEST + metric], dtype=float), np.nan).ravel().tolist()
        tests = _indices(result, len(scores), place)
        if tests is None:
            told = counted_splits(seen.name, len(scores), asked, is_one_dataset=len(datasets) == 1, hint=HINT)
            repeats, folds = told[:2]
            findings |= {finding.code: finding for finding in told[2]}
        else:
            repeats, folds = splits_by_cases(tests["test"])
            sizes = {name: own + list(map(len, tests[name[2:]])) for name, own in sizes.items()}
        rows: tuple[list[Any], ...] = ([dataset] * len(scores), [classifier] * len(scores), repeats, folds, scores)
        for name, own in zip(columns, rows, strict=True):
            columns[name] += own
    _refuse_other_splits(datasets)
    columns |= {name: own for name, own in sizes.items() if len(own) == len(columns["score"]) and all(own)}
    return scores_found(seen, columns, metric=metric, greater_is_better=True, findings=list(findings.values()))


def _in_table(seen: Seen) -> Mapping[Any, Any]:
    """Return the results by the first index level of a frame from ``pd.concat``; return {} if there is no such index.

    The column of split numbers gives the order of the splits.
    """
    grid = seen.grid
    measured = [j for j, name in enumerate(grid.header) if name in TIMES or name.startswith((TEST, *_BESIDE))]
    scored = [j for j in measured if grid.header[j].startswith(TEST)]
    beside = [j for j in range(len(grid.header)) if j not in measured]
    counters = [j for j in beside if _are_counts(grid.columns[j])]
    keys = sorted((j for j in beside if j not in counters), key=lambda j: is_called(grid.header[j], CLASSIFIER_COLUMNS))
    if not keys:
        return {}
    if len(keys) > 2 or len(counters) != 1:
        raise TableError(
            f"{seen.name} must have a column of classifiers, a column of split numbers and, for several datasets, a "
            f"column of datasets next to the results of cross_validate, but has "
            f"{listed(grid.header[j] for j in beside)}"
        )
    rows: dict[tuple[str, ...], dict[int, int]] = {}
    for i in range(len(grid.numbers)):
        own = rows.setdefault(tuple(text_of(grid.columns[j][i]) for j in keys), {})
        split = int(grid.columns[counters[0]][i])
        if own.setdefault(split, i) != i:
            raise TableError(f"{grid.place(i, counters[0])}: the split {split} occurs twice")
    found: dict[str, Any] = {}
    for names, own in rows.items():
        result = {grid.header[j]: [_number(grid, own[split], j) for split in sorted(own)] for j in scored}
        if len(names) == 2:
            found.setdefault(names[0], {})[names[1]] = result
        else:
            found[names[0]] = result
    return found


def _number(grid: Grid, i: int, j: int) -> float:
    value = number_in(grid.columns[j][i], ".")
    if value is None:
        raise TableError(f"{grid.place(i, j)}: {short(grid.columns[j][i])} is not a number")
    return value


def _are_counts(column: Any) -> bool:
    return all(text_of(cell).isdecimal() for cell in column)


def _by_dataset(
    document: Mapping[Any, Mapping[Any, Any]], is_outer_dataset: bool | None
) -> tuple[Mapping[Any, Any], list[Finding]]:
    """Return the results by dataset and then by classifier, and a finding if the order was assumed."""
    inner = list(dict.fromkeys(chain(*document.values())))
    outer = list(map(str, document))
    if is_outer_dataset is None:
        is_outer_dataset = nested_order(outer, list(map(str, inner)))
    if is_outer_dataset is None:
        words = f"The outer keys, {listed(outer)}, are treated as datasets; transpose=False treats them as classifiers."
        return document, [note("outer-names", words)]
    if is_outer_dataset:
        return document, []
    return {name: {key: own[name] for key, own in document.items() if name in own} for name in inner}, []


def _scorers(results: list[tuple[str, str, Any]]) -> list[str]:
    """Return the names of the scorers that all results have, or raise an error if there is none."""
    common = [
        key.removeprefix(TEST)
        for key in results[0][2]
        if isinstance(key, str) and key.startswith(TEST) and all(key in result for _, _, result in results)
    ]
    if not common:
        first = listed([key for key in results[0][2] if isinstance(key, str) and key.startswith(TEST)])
        raise TableError(
            f"the results of cross_validate have no scorer in common; the scorers of the first are {first}"
        )
    return common


def _indices(result: Mapping[str, Any], n: int, place: str) -> Mapping[str, Any] | None:
    """Return the training and test indices of each split, or None if the result has none."""
    indices = result.get(INDICES)
    if indices is None:
        return None
    if not isinstance(indices, Mapping) or any(len(indices.get(part, ())) != n for part in ("train", "test")):
        raise TableError(f"{place}: the indices must be a dict of train and test, each with {n} lists of instances")
    return indices


def _refuse_other_splits(datasets: Mapping[Any, Any]) -> None:
    for dataset, of_classifiers in datasets.items():
        first: tuple[Any, Any] | None = None
        for classifier, result in of_classifiers.items():
            tests = None if result.get(INDICES) is None else [np.asarray(own) for own in result[INDICES]["test"]]
            if first is None:
                first = classifier, tests
            elif tests is None or first[1] is None:
                continue
            elif len(tests) != len(first[1]) or not all(map(np.array_equal, tests, first[1])):
                raise TableError(
                    f"{short(str(dataset))}: the splits of {short(str(first[0]))} and {short(str(classifier))} differ: "
                    "pass one cv with a fixed random_state to cross_validate"
                )


CROSS_VALIDATE = Format(
    name="sklearn-cross-validate",
    title="scikit-learn, a dict of results of cross_validate",
    description="Scores of the folds by classifier, or by dataset and classifier. return_indices=True provides the repeats and the sizes of the training and test sets.",
    example=EXAMPLE_OF_CROSS_VALIDATE,
    recognises=(
        Sign("columns", ("test_*", "fit_time", "score_time")),
        Sign("keys", ("test_", "_time")),
    ),
    confirms=_is_cross_validate,
    read=_read_cross_validate,
    takes=("n_folds",),
)


EXAMPLE_OF_SEARCH = """
param_max_depth,params,split0_test_score,split1_test_score,split2_test_score,mean_test_score,std_test_score,rank_test_score
2,{'max_depth': 2},0.90,0.94,0.92,0.92,0.016,2
4,{'max_depth': 4},0.93,0.95,0.94,0.94,0.008,1
""".lstrip()

_SPLIT = re.compile(r"split(\d+)_test_(.+)")


def _columns_of_search(seen: Seen) -> Mapping[str, Any]:
    """Return the columns of a JSON document that pandas wrote, or {} if it has a different form."""
    document = seen.document
    if isinstance(document, list) and document and all(isinstance(record, Mapping) for record in document):
        return {name: [record.get(name) for record in document] for name in document[0]}
    if not isinstance(document, Mapping) or not all(isinstance(own, Mapping | list) for own in document.values()):
        return {}
    return {name: list(own.values() if isinstance(own, Mapping) else own) for name, own in document.items()}


def _is_search(seen: Seen) -> bool:
    if seen.kind in TABLES:
        return True
    names = _columns_of_search(seen)
    return any(map(_SPLIT.fullmatch, names)) and any(name.startswith("mean_test_") for name in names)


def _rows_of_search(seen: Seen) -> Rows:
    if seen.kind in TABLES:
        return rows_of(seen, (), "cv_results_")
    columns = {name: list(own) for name, own in _columns_of_search(seen).items()}
    if not columns:
        raise TableError(f"{seen.name} has no columns of a search")
    n = min(map(len, columns.values()))
    return Rows(seen.name, columns, list(range(1, n + 1)), "candidate")


def _read_search(seen: Seen, asked: Asked) -> Found:
    rows = _rows_of_search(seen)
    matches = {name: match for name in rows.columns if (match := _SPLIT.fullmatch(name))}
    wanted = asked if asked.metric is None else _without_prefix(asked)
    metric = chosen_metric(seen, wanted, list(dict.fromkeys(match[2] for match in matches.values())))
    splits = sorted((int(match[1]), name) for name, match in matches.items() if match[2] == metric)
    rows, findings = _of_one_iteration(rows)
    names, n = _candidates(rows), len(rows.numbers)
    column = column_called(rows.columns, DATASET_COLUMNS)
    datasets = [file_stem(seen, "dataset")] * n if column is None else rows.texts(column)
    repeats, folds, assumed = counted_splits(seen.name, len(splits), asked, is_one_dataset=len(set(datasets)) == 1)
    columns: dict[str, list[Any]] = {
        "dataset": datasets * len(splits),
        "classifier": names * len(splits),
        "repeat": [repeat for repeat in repeats for _ in range(n)],
        "fold": [fold for fold in folds for _ in range(n)],
        "score": [cell for _, split in splits for cell in rows[split]],
    }
    words = "The search selected among these candidates by these scores, so the best score is optimistic for new data."
    findings += [note("candidates", words), *assumed]
    return scores_found(
        seen,
        columns,
        metric=metric,
        greater_is_better=True,
        numbers=rows.numbers * len(splits),
        findings=findings,
    )


def _without_prefix(asked: Asked) -> Asked:
    return replace(asked, metric=str(asked.metric).removeprefix("test_"))


def _of_one_iteration(rows: Rows) -> tuple[Rows, list[Finding]]:
    """Return the candidates of the last iteration with two or more candidates in a halving search."""
    if "iter" not in rows:
        return rows, []
    iterations = rows.values("iter")
    n_candidates = Counter(own for own in iterations if not math.isnan(own))
    last = max((own for own, n in n_candidates.items() if n > 1), default=max(n_candidates, default=0))
    kept = rows.at([at for at, own in enumerate(iterations) if own == last])
    words = (
        f"Only the {len(kept.numbers)} candidates of iteration {last:g} are compared: the other candidates had fewer "
        "resources."
    )
    return kept, [note("one-iteration", words)]


def _candidates(rows: Rows) -> list[str]:
    """Return the name of each candidate: the parameters that vary, or all parameters if none varies."""
    parameters = {name.removeprefix("param_"): rows.texts(name) for name in rows.columns if name.startswith("param_")}
    if (column := column_called(rows.columns, CLASSIFIER_COLUMNS)) is not None:  # results of several searches
        parameters = {column: rows.texts(column), **parameters}
    varied = {name: own for name, own in parameters.items() if len(set(own)) > 1} or parameters
    n = len(rows.numbers)
    if not varied:
        return rows.texts("params") if "params" in rows else [f"candidate {i + 1}" for i in range(n)]
    return [
        ", ".join(f"{name}={text_of(own[i])}" for name, own in varied.items() if own[i] not in ("", "--"))
        or f"candidate {i + 1}"
        for i in range(n)
    ]


SEARCH = Format(
    name="sklearn-search",
    title="scikit-learn, cv_results_ of a search as dict, frame, CSV or JSON",
    description="Scores of candidates in the splits. n_folds states the number of folds of a repeated cross-validation.",
    example=EXAMPLE_OF_SEARCH,
    recognises=(Sign("columns", ("split*_test_*", "mean_test_*")), Sign("keys", ("split0_test_", "mean_test_"))),
    confirms=_is_search,
    read=_read_search,
    takes=("n_folds",),
)

FORMATS = (CROSS_VALIDATE, SEARCH)
