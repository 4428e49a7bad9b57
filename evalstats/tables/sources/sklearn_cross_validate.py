"""What did scikit-learn's cross_validate return for several classifiers, on one dataset or on several?"""

from __future__ import annotations

__all__ = ["FORMAT"]

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats.tables.grid import TableError, listed, short
from evalstats.tables.seen import Seen
from evalstats.tables.source_format import Asked, Format, Found, chosen_metric, scores_found
from evalstats.tables.told_splits import counted_splits, splits_by_cases

EXAMPLE = """
cv = StratifiedKFold(10, shuffle=True, random_state=0)
evalstats.compare({
    "logistic": cross_validate(LogisticRegression(), X, y, cv=cv, return_indices=True),
    "forest": cross_validate(RandomForestClassifier(), X, y, cv=cv, return_indices=True),
})
""".lstrip()

TEST, TIMES, INDICES = "test_", {"fit_time", "score_time"}, "indices"
# where the splits are not counted only, their indices tell everything
HINT = ", unless cross_validate has return_indices=True"


def _recognises(seen: Seen) -> bool:
    if seen.kind == "frame":
        return set(seen.header) >= TIMES and any(name.startswith(TEST) for name in seen.header)
    document = _document(seen)
    if not isinstance(document, Mapping) or not document:
        return False
    return (
        _is_result(document)
        or all(map(_is_result, document.values()))
        or all(isinstance(own, Mapping) and own and all(map(_is_result, own.values())) for own in document.values())
    )


def _document(seen: Seen) -> Any:
    """Return the dict that was given, or written as JSON."""
    return seen.document if seen.kind in ("json", "document") else seen.source


def _is_result(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and any(isinstance(key, str) and key.startswith(TEST) for key in value)
        and not any(isinstance(own, Mapping) for key, own in value.items() if key != INDICES)
    )


def _read(seen: Seen, asked: Asked) -> Found:
    document = _document(seen)
    if not isinstance(document, Mapping) or not _recognises(seen) or _is_result(document):
        raise TableError(
            f"{seen.name} must be a dict of what cross_validate returned, by the names of classifiers: one result is "
            "that of one classifier"
        )
    is_one = all(map(_is_result, document.values()))
    datasets = {"dataset": document} if is_one else document
    results = [(str(d), str(c), result) for d, own in datasets.items() for c, result in own.items()]
    if asked.metric is not None:
        asked = replace(asked, metric=asked.metric.removeprefix(TEST))
    metric = chosen_metric(seen, asked, _scorers(results))
    columns: dict[str, list[Any]] = {name: [] for name in ("dataset", "classifier", "repeat", "fold", "score")}
    sizes: dict[str, list[Any]] = {"n_train": [], "n_test": []}
    findings: dict[str, Any] = {}
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
