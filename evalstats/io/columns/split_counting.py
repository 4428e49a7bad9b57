"""Repeats and folds of an experiment that numbers its splits consecutively."""

from __future__ import annotations

__all__ = ["counted_splits", "splits_by_cases", "told_folds"]

from collections.abc import Sequence
from typing import Any

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._findings import Finding, warning
from evalstats.io.options import Asked
from evalstats.tables.errors import TableError
from evalstats.tables.names import natural_order

# up to this number, splits are usually the folds of one cross-validation
MOST_FOLDS = 10


def splits_by_cases(tests: Sequence[Any]) -> tuple[list[int], list[int]]:
    """Return the repeat and the fold of each split, from the instances that it tests.

    The test sets of consecutive folds of a cross-validation hold every instance once. If there are no such folds, each
    split is treated as a repeat with one fold.

    Parameters
    ----------
    tests : sequence of array_like of int
        The instances that each split tests.

    Examples
    --------
    >>> from evalstats.io.columns.split_counting import splits_by_cases
    >>> splits_by_cases([[0, 1], [2, 3], [0, 2], [1, 3]])
    ([1, 1, 2, 2], [1, 2, 1, 2])
    >>> splits_by_cases([[0, 1], [0, 2]])
    ([1, 2], [1, 1])
    """
    n, sets = len(tests), [np.asarray(one).ravel() for one in tests]
    k = next((k for k in range(2, n + 1) if n % k == 0 and _is_partition(sets, k)), 1)
    return [i // k + 1 for i in range(n)], [i % k + 1 for i in range(n)]


def told_folds(
    name: str, folds: Sequence[str], datasets: Sequence[str], asked: Asked
) -> tuple[dict[str, list[Any]], list[Finding]]:
    """Return columns of repeats and folds. Consecutive fold numbers are split into several repeats.

    Parameters
    ----------
    name : str
        Name of the source in messages.
    folds, datasets : sequence of str
        The fold and the dataset in each row.
    asked : Asked
        Options of the caller. `n_folds` is the number of folds in a repeat.
    """
    distinct = sorted(set(folds), key=natural_order)
    is_one = len(set(datasets)) == 1
    repeats, numbers, findings = counted_splits(name, len(distinct), asked, is_one_dataset=is_one)
    at = {fold: i for i, fold in enumerate(distinct)}
    columns: dict[str, list[Any]] = {"fold": [numbers[at[fold]] for fold in folds]}
    if max(repeats, default=1) > 1:
        columns["repeat"] = [repeats[at[fold]] for fold in folds]
    return columns, findings


def _is_partition(sets: list[Any], k: int) -> bool:
    """Return whether every k consecutive sets hold the same instances, each once."""
    groups = [np.sort(np.concatenate(sets[i : i + k])) for i in range(0, len(sets), k)]
    once = (np.diff(groups[0]) > 0).all()
    return bool(once) and all(np.array_equal(group, groups[0]) for group in groups[1:])


def counted_splits(
    name: str, n: int, asked: Asked, *, is_one_dataset: bool, hint: str = ""
) -> tuple[list[int], list[int], list[Finding]]:
    """Return the repeat and the fold of each of n splits, with a finding about the assumption.

    Parameters
    ----------
    name : str
        Name of the source in messages.
    n : int
        Number of splits.
    asked : Asked
        Options of the caller. `n_folds` is the number of folds in a repeat.
    is_one_dataset : bool
        Whether a test will depend on which splits form a repeat. The mean over all splits does not.
    hint : str
        Other information that identifies the folds.
    """
    k = asked.n_folds
    if k is not None and (k < 1 or n % k):
        raise InvalidValueError(
            f"n_folds must divide the number of splits, but {name} has {n} splits, and n_folds is {k}"
        )
    findings = []
    if k is None and is_one_dataset and n > 1:
        if n > MOST_FOLDS:
            problem = f"{name} has {n} splits, but does not show which splits are folds of one cross-validation{hint}"
            raise TableError(problem, "pass {}, the number of folds in each repeat", "n_folds")
        words = (
            f"The {n} splits are treated as the folds of one cross-validation, although the table does not state "
            f"this{hint}."
        )
        if n_repeats := next((d for d in range(2, n) if n % d == 0), 0):
            n_folds = n // n_repeats
            words += f" If they are {n_repeats} repeats of {n_folds} folds, pass n_folds={n_folds}."
        findings.append(warning("folds-assumed", words))
    k = k or n
    return [i // k + 1 for i in range(n)], [i % k + 1 for i in range(n)], findings
