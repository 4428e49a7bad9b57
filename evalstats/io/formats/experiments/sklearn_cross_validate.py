"""What did scikit-learn's cross_validate return for several classifiers, on one dataset or on several?"""

from __future__ import annotations

__all__ = ["FORMAT"]

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from evalstats._errors import listed
from evalstats._findings import Finding, note
from evalstats._lexicon import CLASSIFIER_COLUMNS, is_called
from evalstats.io.columns.split_counting import counted_splits, splits_by_cases
from evalstats.io.formats.format import Format, Found, chosen_metric, scores_found
from evalstats.io.layouts.orientation import nested_order
from evalstats.io.options import Asked
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of

EXAMPLE = """
cv = StratifiedKFold(10, shuffle=True, random_state=0)
evalstats.compare({
    "logistic": cross_validate(LogisticRegression(), X, y, cv=cv, return_indices=True),
    "forest": cross_validate(RandomForestClassifier(), X, y, cv=cv, return_indices=True),
})
""".lstrip()

TABLES = ("frame", "text")
TEST, TIMES, INDICES = "test_", {"fit_time", "score_time"}, "indices"
# what cross_validate returns beside scores and times
_BESIDE = ("train_", "estimator", INDICES)
# where the splits are not counted only, their indices tell everything
HINT = ", unless cross_validate has return_indices=True"


def _recognises(seen: Seen) -> bool:
    if seen.kind in TABLES:
        return set(seen.header) >= TIMES and any(name.startswith(TEST) for name in seen.header)
    document = _document(seen)
    return _is_result(document) or _holds_results(document)


def _document(seen: Seen) -> Any:
    """Return the dict that was given, or written as JSON."""
    return seen.document if seen.kind in ("json", "document") else seen.source


def _holds_results(document: Any) -> bool:
    """Tell whether a dict holds results, or dicts of results."""
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


def _read(seen: Seen, asked: Asked) -> Found:
    document = _in_table(seen) if seen.kind in TABLES else _document(seen)
    if not _holds_results(document):
        raise TableError(
            f"{seen.name} must be a dict of what cross_validate returned, by the names of classifiers: one result is "
            "that of one classifier"
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
    """Return the results by the names beside them, as ``pd.concat`` of their frames has them; empty if there is none.

    The column that counts the splits tells their order.
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
            f"{seen.name} must have a column of classifiers, one of datasets if there are several, and one that counts "
            f"the splits of each, beside what cross_validate returned, but has {listed(grid.header[j] for j in beside)}"
        )
    rows: dict[tuple[str, ...], dict[int, int]] = {}
    for i in range(len(grid.numbers)):
        own = rows.setdefault(tuple(text_of(grid.columns[j][i]) for j in keys), {})
        split = int(grid.columns[counters[0]][i])
        if own.setdefault(split, i) != i:
            raise TableError(f"{grid.place(i, counters[0])}: the split {split} stands there again")
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
    """Return dicts of results by datasets and then by classifiers, and what was assumed."""
    inner = list(dict.fromkeys(chain(*document.values())))
    outer = list(map(str, document))
    if is_outer_dataset is None:
        is_outer_dataset = nested_order(outer, list(map(str, inner)))
    if is_outer_dataset is None:
        words = f"The outer names, {listed(outer)}, are taken for datasets; transpose=False takes them for classifiers."
        return document, [note("outer-names", words)]
    if is_outer_dataset:
        return document, []
    return {name: {key: own[name] for key, own in document.items() if name in own} for name in inner}, []


def _scorers(results: list[tuple[str, str, Any]]) -> list[str]:
    """Return the scorers that all results have."""
    common = [
        key.removeprefix(TEST)
        for key in results[0][2]
        if isinstance(key, str) and key.startswith(TEST) and all(key in result for _, _, result in results)
    ]
    if not common:
        first = listed([key for key in results[0][2] if isinstance(key, str) and key.startswith(TEST)])
        raise TableError(f"the results of cross_validate have no scorer in common; those of the first are {first}")
    return common


def _indices(result: Mapping[str, Any], n: int, place: str) -> Mapping[str, Any] | None:
    """Return the cases of the training set and of the test set of each split, where the result has them."""
    indices = result.get(INDICES)
    if indices is None:
        return None
    if not isinstance(indices, Mapping) or any(len(indices.get(part, ())) != n for part in ("train", "test")):
        raise TableError(f"{place}: the indices must be a dict of train and test, with {n} lists of cases each")
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


FORMAT = Format(
    name="sklearn-cross-validate",
    title="scikit-learn, a dict of what cross_validate returned",
    description="Scores of the folds by classifier, or by dataset and classifier; indices tell repeats and sizes.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
