"""Check that the classifiers of each dataset were tested on the same instances."""

from __future__ import annotations

__all__ = ["CaseKeys", "check_cases", "sorted_rows"]

import itertools
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evalstats._checks import EvalstatsWarning
from evalstats._lexicon import UNNAMED
from evalstats._types import FloatArray, IndexArray, IntArray
from evalstats.io.sources.grid import Grid
from evalstats.tables.categorical import LARGEST_KEY, joined
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import two_writings


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
        if size > LARGEST_KEY:
            return None
        if n > 1:
            joint = joint * n + column
    return joint


def check_cases(
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
    first, key = joined([keys.dataset, keys.classifier, keys.repeat, keys.fold, keys.case])
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
    first, key = joined([keys.dataset, keys.case])
    if (different := keys.label[first][key] != keys.label).any():
        i = int(np.flatnonzero(different)[0])
        rows = f"{grid.word}s {grid.numbers[first[key[i]]]} and {grid.numbers[i]}"
        place = f"the instance of {rows} of dataset {short(datasets[keys.dataset[i]])}"
        problem = f"{grid.name}: each instance must have one true label, but {place} has two"
        raise TableError(problem, *_way_out(datasets))


def _way_out(datasets: Sequence[str]) -> tuple[str, ...]:
    if list(datasets) != [UNNAMED["dataset"]]:
        return ()
    return "if the instances belong to several datasets, name the column of the datasets with {}", "dataset"


def _first_difference(columns: Sequence[IndexArray], keys: CaseKeys) -> tuple[int, int, int] | None:
    """Return a row whose key occurs more often for one classifier than for another, and both classifiers."""
    first, key = joined(columns)
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
