"""Reader of learning curves: a row for each classifier, training size and repeat, or the output of scikit-learn."""

from __future__ import annotations

__all__ = ["LearningCurveScores", "read_learning_curves"]

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import listed
from evalstats._lexicon import simplified
from evalstats._types import FloatArray
from evalstats.io.reader.opening import grid_of
from evalstats.tables.errors import TableError, short

COLUMNS = {
    "classifier": ("classifier", "learner", "model", "algorithm", "estimator", "method"),
    "train_size": ("train_size", "n_train", "train_sizes", "training_size", "size"),
    "repeat": ("repeat", "split", "fold", "seed", "repetition", "run", "iteration"),
    "score": ("score", "test_score", "accuracy", "value"),
}


class LearningCurveScores(NamedTuple):
    """Scores of shape (n_sizes, n_repeats) of each classifier, and the training sizes in increasing order."""

    scores: dict[str, FloatArray]
    n_train: list[int]


def read_learning_curves(source: Any) -> LearningCurveScores:
    """Read the scores of learning curves, for `evalstats.reproducibility.learning_curve_test`.

    Parameters
    ----------
    source : path, data frame, dict of columns, or mapping of name to tuple
        A table with a row for each classifier, training size and repeat: the columns ``classifier``, ``train_size`` (or
        ``n_train``), ``repeat`` (or ``split``, ``fold``, ``seed``) and ``score``. Or, for each classifier, what
        `sklearn.model_selection.learning_curve` returned: the sizes, the training scores and the test scores.

    Returns
    -------
    LearningCurveScores
        ``scores`` and ``n_train``, the first arguments of `learning_curve_test`.

    Raises
    ------
    TableError
        If a column is missing, a training size is not an integer, a score is not a number, or a classifier has no score
        or two scores for a size and a repeat.

    Examples
    --------
    >>> from evalstats.io import read_learning_curves
    >>> table = {"classifier": ["a"] * 4, "train_size": [10, 10, 20, 20], "repeat": [1, 2, 1, 2], "score": [5, 6, 7, 8]}
    >>> scores, n_train = read_learning_curves(table)
    >>> n_train, scores["a"].tolist()
    ([10, 20], [[5.0, 6.0], [7.0, 8.0]])
    """
    if isinstance(source, Mapping) and source and all(isinstance(one, tuple) for one in source.values()):
        return _of_scikit_learn(source)
    grid = grid_of(source, None, "utf-8", None)
    names, columns = [simplified(name) for name in grid.header], {}
    for role, known in COLUMNS.items():
        at = [names.index(name) for name in known if name in names]
        if not at:
            raise TableError(f"the table must have a column {role}, but its columns are {listed(grid.header)}")
        columns[role] = [str(cell).strip() for cell in grid.columns[at[0]]]
    found: dict[tuple[str, int, str], float] = {}
    for row, (name, size, repeat, score) in enumerate(zip(*columns.values(), strict=True), start=1):
        key = (name, int(_number(size, "train_size", row, is_whole=True)), repeat)
        if key in found:
            raise TableError(f"row {row}: {short(name)} has two scores with {size} instances in repeat {short(repeat)}")
        found[key] = _number(score, "score", row)
    return _of_rows(found)


def _of_rows(found: dict[tuple[str, int, str], float]) -> LearningCurveScores:
    names, sizes, repeats = (list(dict.fromkeys(part)) for part in zip(*found, strict=True))
    sizes.sort()
    for key in ((name, size, repeat) for name in names for size in sizes for repeat in repeats):
        if key not in found:
            name, size, repeat = key
            raise TableError(f"{short(name)} has no score with {size} instances in repeat {short(repeat)}")
    scores = {name: np.array([[found[name, size, repeat] for repeat in repeats] for size in sizes]) for name in names}
    return LearningCurveScores(scores, sizes)


def _number(cell: str, role: str, row: int, *, is_whole: bool = False) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = np.nan
    if not np.isfinite(value) or (is_whole and value != int(value)):
        kind = "a whole number" if is_whole else "a number"
        raise TableError(f"row {row}: {role} must be {kind}, not {short(cell)}")
    return value


def _of_scikit_learn(source: Mapping[Any, Any]) -> LearningCurveScores:
    sizes = {name: np.asarray(one[0]).tolist() for name, one in source.items()}
    first = next(iter(sizes))
    for name, own in sizes.items():
        if len(source[name]) < 3:
            raise TableError(f"{short(str(name))} must have the sizes, the training scores and the test scores")
        if own != sizes[first]:
            raise TableError(f"{short(str(name))} has other training sizes than {short(str(first))}")
    return LearningCurveScores(
        {name: np.asarray(one[2], dtype=np.float64) for name, one in source.items()}, sizes[first]
    )
