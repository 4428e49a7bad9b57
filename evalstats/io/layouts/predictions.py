"""Reader of long tables of predictions, which checks that all classifiers predict the same instances."""

from __future__ import annotations

__all__ = ["CaseKeys", "case_numbers", "predictions_of", "sorted_rows"]

import itertools
import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evalstats import _lexicon
from evalstats._errors import EvalstatsWarning, listed
from evalstats._findings import Finding
from evalstats._types import AnyArray, FloatArray, IndexArray, IntArray
from evalstats.io.columns import roles
from evalstats.io.columns.computed import one_spelling, refuse_contradictions
from evalstats.io.layouts.labels import (
    checked_labels,
    labels_in,
    positive_labels,
    unconfirmed_labels,
    words_for_missing,
)
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import not_a_number, number_in, numbers_in
from evalstats.tables import categorical
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of, texts_of, two_writings
from evalstats.tables.predictions import CountedCases, Predictions, _fixed


class CaseKeys(NamedTuple):
    """Integer keys of each row, such as dataset, classifier and instance. `case` is 0 if instances have no names."""

    dataset: IndexArray
    classifier: IndexArray
    repeat: IndexArray
    case: IndexArray
    fold: IndexArray
    label: IndexArray  # the true one
    n_instances: IntArray | None  # number of predictions that each row represents; None: one

    @property
    def columns(self) -> tuple[IndexArray, ...]:
        """The keys, most significant first."""
        return self.dataset, self.classifier, self.repeat, self.case, self.fold, self.label

    def sorted_by(self, order: IndexArray | None) -> CaseKeys:
        """Return the keys in the given row order."""
        if order is None:
            return self
        # a value that is the same in all rows takes no memory
        return CaseKeys._make((*(key if key.strides == (0,) else key[order] for key in self.columns), None))


def sorted_rows(keys: CaseKeys, y_pred: IndexArray | None, y_score: FloatArray | None) -> IndexArray | None:
    """Return the row order by dataset, classifier, repeat and instance, or None if the rows have this order.

    Labels and scores are the last sort keys, so the result does not depend on the order of the source.
    """
    columns = [*keys.columns] if y_pred is None else [*keys.columns, y_pred]
    joint = _joint_key(columns)
    if joint is None:
        last = [] if y_score is None else [y_score]
        return np.lexsort((*last, *reversed(columns)))
    step = np.diff(joint)
    if (step > 0).all() or (y_score is None and (step >= 0).all()):
        return None
    order = np.argsort(joint, kind="stable")
    if y_score is not None and (np.diff(joint[order]) == 0).any():
        return np.lexsort((y_score, joint))
    return order


def _joint_key(columns: Sequence[IndexArray]) -> IndexArray | None:
    """Join columns to one integer key that has the same order. Return None if the key exceeds 64 bits."""
    joint, size = columns[0], int(columns[0].max()) + 1
    for column in columns[1:]:
        n = int(column.max()) + 1
        size *= n
        if size > categorical.LARGEST_KEY:
            return None
        if n > 1:
            joint = joint * n + column
    return joint


def _check_cases(
    grid: Grid,
    keys: CaseKeys,
    order: IndexArray | None,
    datasets: Sequence[str],
    classifiers: Sequence[str],
    *,
    has_cases: bool,
    is_told: bool,
) -> None:
    """Reject duplicate instances, and classifiers that were not tested on the same instances.

    `order` is the result of `sorted_rows`. Only a failed check searches for the rows of the message. If
    `is_told`, the warning about different folds is not issued again.
    """
    if has_cases and _are_same(keys.sorted_by(order)):
        return
    if has_cases:
        _check_keys(grid, keys, datasets, classifiers)
    tested = (keys.dataset, keys.repeat, keys.case, keys.label)
    if at := _first_difference(tested, keys):
        dataset, with_it, without = datasets[keys.dataset[at[0]]], classifiers[at[1]], classifiers[at[2]]
        problem = f"{grid.name}: the classifiers of dataset {short(dataset)} must be tested on the same instances"
        place = f"the instance of {grid.word} {grid.numbers[at[0]]}" if has_cases else "the true labels"
        held = f"but {place} of {short(with_it)} is not among the instances of {short(without)}"
        if not has_cases:
            held = f"but {short(with_it)} and {short(without)} have different counts of the true labels"
        raise TableError(f"{problem} in each repeat, {held}{two_writings(classifiers, datasets)}")
    if not is_told and (at := _first_difference((*tested, keys.fold), keys)):
        warnings.warn(
            f"{grid.name}: {short(classifiers[at[1]])} and {short(classifiers[at[2]])} were tested in different folds "
            f"of dataset {short(datasets[keys.dataset[at[0]]])}: their difference is partly a difference between the "
            "folds",
            EvalstatsWarning,
            stacklevel=2,
        )


def _are_same(keys: CaseKeys) -> bool:
    """Return whether classifiers have the same instances, labels and folds, each instance once. Rows are sorted."""
    starts = np.flatnonzero((np.diff(keys.dataset) != 0) | (np.diff(keys.classifier) != 0)) + 1
    blocks = [slice(a, b) for a, b in itertools.pairwise([0, *starts.tolist(), len(keys.case)])]
    first: dict[int, slice] = {}
    for block in blocks:
        other = first.setdefault(int(keys.dataset[block.start]), block)
        own = (keys.repeat, keys.case, keys.fold, keys.label)
        if other is block and not _each_once(*(key[block] for key in own)):
            return False
        if other is not block and not all(np.array_equal(key[block], key[other]) for key in own):
            return False
    return True


def _each_once(repeat: IndexArray, case: IndexArray, fold: IndexArray, label: IndexArray) -> bool:
    is_next = (np.diff(repeat) != 0) | (np.diff(case) != 0) | (np.diff(fold) != 0)
    label_of = np.full(int(case.max()) + 1, -1, dtype=np.intp)
    label_of[case] = label
    return bool(is_next.all() and np.array_equal(label_of[case], label))


def _check_keys(grid: Grid, keys: CaseKeys, datasets: Sequence[str], classifiers: Sequence[str]) -> None:
    first, key = categorical.joined([keys.dataset, keys.classifier, keys.repeat, keys.fold, keys.case])
    if (again := first[key] != np.arange(len(key))).any():
        i = int(np.flatnonzero(again)[0])
        rows = f"{grid.word}s {grid.numbers[first[key[i]]]} and {grid.numbers[i]}"
        who = f"{short(datasets[keys.dataset[i]])} / {short(classifiers[keys.classifier[i]])}"
        problem = f"{grid.name}: each instance must be predicted once in a fold, but {rows} are the same for {who}"
        of_datasets, *argument = _way_out(datasets) or ("",)
        clusters = (
            "if several instances belong to one patient or document, name the column of these clusters with {cluster}"
        )
        raise TableError(problem, f"{of_datasets}; {clusters}" if of_datasets else clusters, *argument)
    first, key = categorical.joined([keys.dataset, keys.case])
    if (different := keys.label[first][key] != keys.label).any():
        i = int(np.flatnonzero(different)[0])
        rows = f"{grid.word}s {grid.numbers[first[key[i]]]} and {grid.numbers[i]}"
        place = f"the instance of {rows} of dataset {short(datasets[keys.dataset[i]])}"
        problem = f"{grid.name}: each instance must have one true label, but {place} has two"
        raise TableError(problem, *_way_out(datasets))


def _way_out(datasets: Sequence[str]) -> tuple[str, ...]:
    if list(datasets) != [_lexicon.UNNAMED["dataset"]]:
        return ()
    return "if the instances belong to several datasets, name the column of the datasets with {}", "dataset"


def _first_difference(columns: Sequence[IndexArray], keys: CaseKeys) -> tuple[int, int, int] | None:
    """Return a row whose key occurs more often for one classifier than for another, and both classifiers."""
    first, key = categorical.joined(columns)
    n = int(keys.classifier.max()) + 1
    tested = np.unique(keys.dataset * n + keys.classifier)
    n_tested = np.bincount(tested // n)[keys.dataset[first]]
    # existing pairs only, because the product of keys and classifiers may be far larger than the table
    pairs, pair_of = np.unique(key * n + keys.classifier, return_inverse=True)
    # sums of counts are exact in floats: none is as large as 2^53
    counts = np.bincount(pair_of, keys.n_instances).astype(np.intp)
    starts = np.flatnonzero(np.diff(pairs // n, prepend=-1))
    is_even = np.maximum.reduceat(counts, starts) == np.minimum.reduceat(counts, starts)
    different = np.flatnonzero(~is_even | (np.diff(starts, append=len(pairs)) != n_tested))
    if not different.size:
        return None
    i = different[np.argmin(first[different])]
    own = slice(starts[i], starts[i + 1] if i + 1 < len(starts) else None)
    times = np.zeros(n, dtype=np.intp)
    times[pairs[own] % n] = counts[own]
    concerned = tested[tested // n == keys.dataset[first[i]]] % n
    of_concerned = times[concerned]
    return int(first[i]), int(concerned[of_concerned.argmax()]), int(concerned[of_concerned.argmin()])


# up to this number, rows of an engine are fetched to check that names differ; for more rows, it is assumed
MOST_FETCHED = 2_000_000


def predictions_of(
    grid: Grid,
    decimal: str,
    pos_label: Any,
    columns: Mapping[str, str | None],
    *,
    one_by_one: bool = False,
) -> Predictions:
    """Read the predictions in a grid. Unless `one_by_one`, an engine may count them instead.

    `columns` maps each role to the name of its column, or to None if the column must be recognized.
    """
    at = _places(grid, dict(columns))
    refuse_contradictions(grid, at["y_true"], at["y_pred"])
    understood = partial(_understood, decimal, pos_label, (*_unnamed(grid, at), *_possible_clusters(grid, at)))
    if not grid.is_held:
        return understood(grid, at, None)
    from evalstats.io.engines.counted_predictions import held_predictions

    return held_predictions(
        grid, at, understood, one_by_one=one_by_one or at["subgroup"] is not None or at["cluster"] is not None
    )


def _places(grid: Grid, columns: dict[str, str | None]) -> dict[str, int | None]:
    """Return the position of the column of each role."""
    dataset, classifier = columns.pop("dataset"), columns.pop("classifier")
    groups = {name: columns.pop(name, None) for name in categorical.GROUPINGS}
    if columns["y_true"] is None and not roles.columns_of(grid, "y_true"):
        # a table of scores: it lacks more than a column of classifiers
        _refuse_without(grid, {"y_true": None, "y_pred": next(iter(roles.columns_of(grid, "y_pred")), None)})
    d = roles.key_column_if_any(grid, dataset, "dataset", _lexicon.DATASET_COLUMNS)
    c = roles.key_column_if_any(grid, classifier, "classifier", _lexicon.CLASSIFIER_COLUMNS)
    given = {name: roles.column_named(grid, column, name) for name, column in columns.items() if column is not None}
    g = {name: None if column is None else roles.column_named(grid, column, name) for name, column in groups.items()}
    at = {
        name: roles.column_of(grid, name, columns[name], {d, c, *given.values()})
        for name in _lexicon.PREDICTION_COLUMNS
    }
    s = at["y_score"]
    if None not in (s, at["y_pred"]) and columns["y_score"] is None and _holds_vectors(grid, s):
        at["y_score"] = None  # of all classes; the predicted labels are compared
    _refuse_without(grid, at)
    if at["repeat"] is None:
        at["repeat"] = _seeds(grid, (d, c), {d, c, *g.values(), *at.values()})
    if columns["instance"] is None and at["instance"] is not None and at["instance"] == g["cluster"]:
        keys = [j for j in (d, c, at["repeat"], at["fold"], g["cluster"]) if j is not None]
        if _n_distinct(grid, keys) < len(grid.numbers):
            at["instance"] = None  # a document or an image, of which there are several instances
    if at["instance"] is None:
        at["instance"] = _numbers_of_cases(grid, (d, c, at["repeat"]), {d, c, *g.values(), *at.values()})
    if c is None and any(map(partial(_holds_names, grid), _unused(grid, (d, *g.values(), *at.values())))):
        roles.key_column(grid, None, "classifier", _lexicon.CLASSIFIER_COLUMNS)
    return {"dataset": d, "classifier": c, **at, **g}


def _holds_vectors(grid: Grid, j: int | None) -> bool:
    """Return whether the first cell of a column is a list in text, such as ``[0.1,0.9]``."""
    return j is not None and not grid.is_held and len(grid.numbers) > 0 and text_of(grid.columns[j][0]).startswith("[")


def _seeds(grid: Grid, keys: Iterable[int | None], others: set[int | None]) -> int | None:
    """Return a column of seeds if a classifier has several seeds on a dataset; the seeds are its repeats."""
    found = [j for j in roles.columns_called(grid, _lexicon.SEED_COLUMNS) if j not in others]
    if len(found) != 1 or not len(grid.numbers) or (grid.is_held and len(grid.numbers) > MOST_FETCHED):
        return None
    told = [j for j in keys if j is not None]
    return found[0] if _n_distinct(grid, [*told, found[0]]) > _n_distinct(grid, told) else None


def _n_distinct(grid: Grid, columns: Sequence[int]) -> int:
    """Return how many combinations of names the columns hold, or 0 if a name in the last column is empty."""
    if not columns:
        return 1
    if grid.is_held:
        grid.columns.load(columns)  # type: ignore[attr-defined]  # is_held: they are HeldColumns
    names = [categorical.names_in(grid.columns[j]) for j in columns]
    return len(categorical.joined([one.codes for one in names])[0]) if all(names[-1].names) else 0


def _numbers_of_cases(grid: Grid, keys: Iterable[int | None], others: set[int | None]) -> int | None:
    """Return a column ``id`` that identifies the instances of each classifier, or None if there is no such column."""
    found = [j for j in roles.columns_called(grid, _lexicon.NUMBER_COLUMNS) if j not in others]
    n = len(grid.numbers)
    if len(found) != 1 or not n:
        return None
    if grid.is_held and n > MOST_FETCHED:
        return found[0]
    return found[0] if _n_distinct(grid, [*(j for j in keys if j is not None), found[0]]) == n else None


def _unused(grid: Grid, at: Iterable[int | None]) -> list[int]:
    used = set(at)
    return [j for j, name in enumerate(grid.header) if j not in used and name]


def _holds_names(grid: Grid, j: int) -> bool:
    """Return whether a column without a role may contain classifier names."""
    from evalstats.io.engines.held import HeldColumns

    if isinstance(grid.columns, HeldColumns):
        return grid.columns.engine.kind(grid.columns.engine.header[j]) not in ("integer", "float")
    names = texts_of(categorical.distinct_cells(grid.columns[j]).values)
    if 2 < len(names) == len(grid.numbers):
        return False  # of instances
    return any(number_in(name, ".") is None and name.casefold() not in _lexicon.TRUTHS for name in names)


def _unnamed(grid: Grid, at: Mapping[str, int | None]) -> tuple[Finding, ...]:
    """Return findings about unused weights, a missing dataset or classifier column, and unused columns."""
    missing = [what for what in _lexicon.UNNAMED if at[what] is None]
    unused = [grid.header[j] for j in _unused(grid, at.values())]
    weights = [name for name in unused if _lexicon.is_called(name, _lexicon.word_list("columns.weight"))]
    words = f"{listed(weights)} {'is' if len(weights) == 1 else 'are'} not used: every row counts once."
    findings = (Finding(code="weights", severity="warning", sentence=words),) if weights else ()
    if not missing:
        return findings
    sentence = f"No column names {' or '.join(f'{what}s' for what in missing)}: "
    sentence += f"all predictions belong to one {' and one '.join(missing)}."
    sentence += f" Not used: {listed(unused)}." if unused else ""
    return (*findings, Finding(code="unnamed", severity="note", sentence=sentence))


def _possible_clusters(grid: Grid, at: Mapping[str, int | None]) -> tuple[Finding, ...]:
    """Return a warning if several instances of one dataset share a value of an unused column, such as a patient."""
    if at["cluster"] is not None or (grid.is_held and len(grid.numbers) > MOST_FETCHED):
        return ()
    return roles.possible_clusters(grid, _unused(grid, at.values()), partial(_n_instances, grid, at))


def _n_instances(grid: Grid, at: Mapping[str, int | None]) -> int:
    """Return the number of instances of one dataset, or 0 for several datasets, which are then the sample."""
    if at["dataset"] is not None and _n_distinct(grid, [at["dataset"]]) > 1:
        return 0
    if at["instance"] is not None:
        return _n_distinct(grid, [at["instance"]])
    of_run = [j for j in (at["classifier"], at["repeat"]) if j is not None]
    return len(grid.numbers) // max(_n_distinct(grid, of_run), 1)  # each classifier has all instances


def _understood(
    decimal: str,
    pos_label: Any,
    findings: tuple[Finding, ...],
    grid: Grid,
    at: Mapping[str, int | None],
    n_instances: IntArray | None,
    *,
    is_told: bool = False,
) -> Predictions:
    """Convert a grid to predictions; each row represents `n_instances` predictions, if given."""
    if not len(grid.numbers):
        raise TableError(f"{grid.name} has no row of predictions")
    datasets, dataset_of = _names(grid, at["dataset"], "dataset")
    classifiers, classifier_of = _names(grid, at["classifier"], "classifier")
    if len(datasets) * len(classifiers) > max(1_000_000, 100 * len(dataset_of)):
        size = f"{len(datasets):,} datasets and {len(classifiers):,} classifiers"
        problem = f"{grid.name} has {size}, but only {len(dataset_of):,} predictions"
        raise TableError(problem, "check which columns name them")
    repeats, repeat_of = _names(grid, at["repeat"], "repeat")
    folds, fold_of = _names(grid, at["fold"], "fold")
    # an engine that counts the rows compares texts
    labels, y_true, y_pred, spelled = _labels(grid, at["y_true"], at["y_pred"], is_exact=n_instances is not None)
    findings = (*findings, *spelled, *words_for_missing(labels, y_true))
    of_datasets = checked_labels(grid, at["y_pred"], datasets, dataset_of, labels, y_true, y_pred)
    cases = case_numbers(grid, at["instance"])
    keys = CaseKeys(dataset_of, classifier_of, repeat_of, cases, fold_of, y_true, n_instances)
    y_score = None if at["y_score"] is None else _scores(grid, at["y_score"], decimal)
    g, u = at["subgroup"], at["cluster"]
    subgroup = None if g is None else categorical.subgroups_in(grid.header[g], grid.columns[g])
    cluster = None if u is None else categorical.subgroups_in(grid.header[u], roles.row_names(grid, u, "cluster"))
    if grid.is_held:  # millions of rows: each column is kept once from here on
        grid.columns.forget()  # type: ignore[attr-defined]  # is_held: they are HeldColumns
    order = sorted_rows(keys, y_pred, y_score)
    _check_cases(grid, keys, order, datasets, classifiers, has_cases=at["instance"] is not None, is_told=is_told)
    columns: dict[str, Any] = {"dataset": dataset_of, "classifier": classifier_of, "repeat": repeat_of, "fold": fold_of}
    columns |= {
        "y_true": y_true,
        "y_pred": y_pred,
        "y_score": y_score,
        "instance": None if at["instance"] is None else cases,
    }
    positives = positive_labels(pos_label, datasets, of_datasets)
    del keys, dataset_of, classifier_of, repeat_of, fold_of, y_true, y_pred, y_score, cases
    return Predictions(
        datasets=tuple(datasets),
        classifiers=tuple(classifiers),
        repeats=tuple(repeats),
        folds=tuple(folds),
        labels=tuple(labels),
        positives=positives,
        **{name: _in_order(columns.pop(name), order) for name in tuple(columns)},
        source=grid.file,
        findings=findings,
        _subgroup=subgroup if subgroup is None or order is None else subgroup.at(order),
        _cluster=cluster if cluster is None or order is None else cluster.at(order),
        _unconfirmed=unconfirmed_labels(pos_label, datasets, of_datasets),
        _has_seeds=at["repeat"] is not None and _lexicon.is_called(grid.header[at["repeat"]], _lexicon.SEED_COLUMNS),
        _counted=None
        if n_instances is None
        else CountedCases(_in_order(n_instances, order), None, _nothing_else, False),
    )


def _nothing_else() -> Predictions:
    raise AssertionError("only the engine has the rows")


def _refuse_without(grid: Grid, at: Mapping[str, int | None]) -> None:
    free, true, predicted = roles.without_role(grid), at["y_true"], at["y_pred"]
    if true is None:
        problem = f"{grid.name}: none of the columns {roles.headers(grid)} is known to hold the true labels"
        offered = _with_labels(grid, free, predicted) or free
        raise TableError(problem, "choose one with {}", "y_true", next(iter(offered), ""))
    if predicted is None and at["y_score"] is None:
        problem = f"{grid.name}: none of the columns {roles.headers(grid)} is known to hold predicted labels or scores"
        offered = _with_labels(grid, free, true) or free
        raise TableError(problem, "choose one with {}", "y_pred", next(reversed(offered), ""))


def _with_labels(grid: Grid, names: Sequence[str], j: int | None) -> list[str]:
    """Return the names of the columns that hold some of the labels of a column."""
    if j is None:
        return []
    labels = {text_of(cell) for cell in categorical.distinct_cells(grid.columns[j]).values}
    columns = {name: categorical.distinct_cells(grid.columns[grid.header.index(name)]).values for name in names}
    return [name for name, cells in columns.items() if not labels.isdisjoint(map(text_of, cells))]


def _names(grid: Grid, j: int | None, what: str) -> categorical.Names:
    """Return the sorted names in a column. Without a column, all rows have one default name."""
    if j is None:
        return categorical.Names([_lexicon.UNNAMED.get(what, "")], np.broadcast_to(np.intp(0), len(grid.numbers)))
    return roles.checked_names(grid, j, what)


def case_numbers(grid: Grid, j: int | None) -> IndexArray:
    """Return the instance number of each row. Integers are not converted to names, to save memory."""
    column = None if j is None else grid.columns[j]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        cells = categorical.coded(column)
        return categorical.number_codes(np.asarray(cells.values), cells.codes)
    return _names(grid, j, "instance").codes


def _labels(
    grid: Grid, true: int | None, predicted: int | None, *, is_exact: bool
) -> tuple[Sequence[str], IndexArray, IndexArray | None, tuple[Finding, ...]]:
    """Return the sorted labels, the codes of the true and the predicted labels, and a note about equal numbers.

    Unless `is_exact`, whole numbers in two spellings are one label.
    """
    assert true is not None
    of_true = labels_in(grid, true, "true")
    of_predicted = None if predicted is None else labels_in(grid, predicted, "predicted")
    distinct = list(dict.fromkeys([*of_true.names, *(() if of_predicted is None else of_predicted.names)]))
    plain, told = ({}, ()) if is_exact else one_spelling(distinct)
    if of_predicted is None and not plain:
        return *categorical.naturally_ordered(of_true), None, ()
    distinct = list(dict.fromkeys(plain.get(name, name) for name in distinct))
    names, number = categorical.naturally_ordered(categorical.Names(distinct, np.arange(len(distinct))))
    number_of = dict(zip(distinct, number.tolist(), strict=True))
    y_true, y_pred = (
        None
        if own is None
        else np.array([number_of[plain.get(name, name)] for name in own.names], dtype=np.intp)[own.codes]
        for own in (of_true, of_predicted)
    )
    assert y_true is not None
    return names, y_true, y_pred, told


def _scores(grid: Grid, j: int, decimal: str) -> FloatArray:
    column = grid.columns[j]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf" and np.isfinite(column).all():
        return column.astype(np.float64)
    values = numbers_in(column, decimal)
    numbers = np.array(values, dtype=np.float64)
    if None not in values and np.isfinite(numbers).all():
        return numbers
    i = next(i for i, value in enumerate(values) if value is None or not math.isfinite(value))
    value = values[i]
    if value is not None and math.isnan(value):
        raise TableError(f"{grid.place(i, j)}: the score is missing")
    raise not_a_number(grid.place(i, j), column[i], decimal, is_text=False)


def _in_order(array: AnyArray | None, order: IndexArray | None) -> Any:
    """Return a read-only array in the given order, or None if there is no array."""
    if array is None or array.strides == (0,):  # a constant array needs no copy
        return array
    return _fixed(array.copy() if order is None else array[order])
