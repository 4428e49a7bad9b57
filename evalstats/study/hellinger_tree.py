"""Decision tree with splits by the Hellinger distance, which is not affected by class proportions."""

from __future__ import annotations

__all__ = ["HellingerTree", "hellinger_distance"]

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import EvalstatsError, InvalidValueError, short
from evalstats._labels import same_labels
from evalstats._types import AnyArray, FloatArray
from evalstats.metrics import accuracy_score


def hellinger_distance(positives: ArrayLike, negatives: ArrayLike) -> Any:
    """Compute the Hellinger distance between two classes over the parts of a split.

    Parameters
    ----------
    positives, negatives : array_like of shape (..., n_parts)
        Numbers of instances of each class in each part. Leading axes are batch dimensions.

    Returns
    -------
    float or ndarray
        sqrt(sum (sqrt(p / P) - sqrt(n / N))^2) over the parts, with the totals P and N. The distance is 0 if both
        classes have the same distribution, and sqrt(2) if no part contains both classes.

    Raises
    ------
    ValueError
        If the shapes or the row labels differ, if a count is negative, or if a class has no instance.
    TypeError
        If counts are not numbers.

    References
    ----------
    Cieslak, D. A. & Chawla, N. V. (2008). Learning decision trees for unbalanced data. ECML PKDD, 241-256.

    Examples
    --------
    Nine of ten positive and ten of a hundred negative instances are in the left part. Ten times as many negative
    instances give the same value:

    >>> from evalstats.study import hellinger_distance
    >>> round(hellinger_distance([9, 1], [10, 90]), 4), round(hellinger_distance([9, 1], [100, 900]), 4)
    (0.8944, 0.8944)
    """
    same_labels(positives=positives, negatives=negatives)
    p, n = _counts(positives, "positives"), _counts(negatives, "negatives")
    if p.shape != n.shape or p.ndim == 0:
        raise InvalidValueError(f"positives and negatives must have one shape, but they have {p.shape} and {n.shape}")
    if not (p.sum(axis=-1) > 0).all() or not (n.sum(axis=-1) > 0).all():
        raise InvalidValueError("positives and negatives must count at least one instance of each class")
    distance = _distance(p, n)
    return float(distance) if distance.ndim == 0 else distance


def _counts(value: Any, name: str) -> FloatArray:
    array = _checks.finite(_checks.numbers(value, name), name)
    if array.size and array.min() < 0:
        raise InvalidValueError(f"{name} must be nonnegative counts, but one is {array.min():g}")
    return array


def _distance(p: FloatArray, n: FloatArray) -> FloatArray:
    apart = np.sqrt(p / p.sum(axis=-1, keepdims=True)) - np.sqrt(n / n.sum(axis=-1, keepdims=True))
    return np.asarray(np.sqrt((apart**2).sum(axis=-1)))


class _Node(NamedTuple):
    """Node of the tree: a split of a column at a threshold, or a leaf with its proportion of positives."""

    proportion: float
    column: int = -1
    threshold: float = 0.0
    left: int = -1
    right: int = -1


class HellingerTree:
    """Decision tree for two classes that splits by the Hellinger distance (HDDT), without pruning.

    The class is a scikit-learn classifier, for example for `evalstats.run_study`, `GridSearchCV` and pipelines.

    Parameters
    ----------
    min_samples_leaf : int, default: 2
        Minimum number of instances in a leaf.
    max_depth : int, optional
        Maximum number of splits above a leaf. By default, there is no limit.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The two labels, sorted. The second label is the positive class.
    n_features_in_ : int
        Number of columns in the training data.

    References
    ----------
    Cieslak, D. A. & Chawla, N. V. (2008). Learning decision trees for unbalanced data. ECML PKDD, 241-256.

    Examples
    --------
    >>> from evalstats.study import HellingerTree
    >>> tree = HellingerTree().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> tree.predict([[1.5], [3.5]]).tolist(), tree.predict_proba([[1.5]]).round(2).tolist()
    (['a', 'b'], [[0.75, 0.25]])
    """

    classes_: AnyArray
    n_features_in_: int
    _estimator_type = "classifier"  # attribute that scikit-learn read before version 1.6

    def __init__(self, *, min_samples_leaf: int = 2, max_depth: int | None = None) -> None:
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth

    def __repr__(self) -> str:
        choices = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"HellingerTree({choices})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(multi_class=False),
        )

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        return {"min_samples_leaf": self.min_samples_leaf, "max_depth": self.max_depth}

    def set_params(self, **choices: Any) -> Self:
        """Set parameters by name."""
        for name, value in choices.items():
            if name not in self.get_params():
                raise InvalidValueError(
                    f"the parameters of HellingerTree are min_samples_leaf and max_depth, not {name}"
                )
            setattr(self, name, value)
        return self

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803  (the words of scikit-learn)
        """Grow the tree from instances of shape (n, n_features) and labels of two classes."""
        least = _checks.count(self.min_samples_leaf, "min_samples_leaf")
        deepest = np.inf if self.max_depth is None else _checks.count(self.max_depth, "max_depth")
        cases, labels = _matrix(X), _checks.regular(y, "y")
        if labels.shape != (len(cases),):
            raise InvalidValueError(
                f"y must have one label for each of {len(cases)} instances, not the shape {labels.shape}"
            )
        self.classes_ = np.unique(labels)
        if len(self.classes_) != 2:
            raise InvalidValueError(f"y must have labels of two classes, not {len(self.classes_)}")
        self._nodes = _grown(cases, labels == self.classes_[1], least, deepest)
        self.n_features_in_, self._columns = cases.shape[1], _columns(X)
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:  # noqa: N803 - scikit-learn calls it so
        """Return the probabilities of both classes: class proportions in the leaves, with Laplace smoothing."""
        if not hasattr(self, "_nodes"):
            raise EvalstatsError("HellingerTree must be trained with fit before it predicts")
        cases, columns = _matrix(X), _columns(X)
        if None not in (columns, self._columns) and columns != self._columns:
            raise InvalidValueError(
                f"X must have the columns of training, {short(self._columns)}, in that order, not {short(columns)}"
            )
        if cases.shape[1] != self.n_features_in_:
            raise InvalidValueError(f"X must have {self.n_features_in_} columns, as in training, not {cases.shape[1]}")
        positive = np.empty(len(cases))
        waiting = [(0, np.arange(len(cases)))]
        while waiting:
            number, rows = waiting.pop()
            node = self._nodes[number]
            if node.column < 0:
                positive[rows] = node.proportion
                continue
            is_left = cases[rows, node.column] <= node.threshold
            waiting += [(node.left, rows[is_left]), (node.right, rows[~is_left])]
        return np.column_stack([1 - positive, positive])

    def predict(self, X: ArrayLike) -> AnyArray:  # noqa: N803 - scikit-learn calls it so
        """Return the more probable label of each instance, or the first label if both probabilities are equal."""
        is_positive = self.predict_proba(X)[:, 1] > 0.5
        return np.asarray(self.classes_[is_positive.astype(np.intp)])

    # scikit-learn calls it X
    # scikit-learn calls them so
    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:  # noqa: N803 - as above
        """Return the accuracy."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))


def _columns(value: Any) -> list[Any] | None:
    """Return the names of the columns of a data frame."""
    columns = getattr(value, "columns", None)
    return None if columns is None else list(columns)


def _matrix(value: Any) -> FloatArray:
    array = _checks.finite(_checks.numbers(value, "X"), "X")
    if array.ndim != 2 or array.size == 0:
        raise InvalidValueError(f"X must have the shape (n, n_features), but its shape is {array.shape}")
    return array


def _grown(cases: FloatArray, is_positive: AnyArray, least: int, deepest: float) -> list[_Node]:
    """Grow the tree without recursion, and return its nodes with the root first."""
    nodes: list[_Node] = [_Node(0.0)]
    waiting: list[tuple[int, AnyArray, int]] = [(0, np.arange(len(cases)), 0)]
    while waiting:
        number, rows, depth = waiting.pop()
        own = is_positive[rows]
        share = (int(own.sum()) + 1) / (len(own) + 2)
        best = None if depth >= deepest or own.all() or not own.any() else _best_split(cases[rows], own, least)
        if best is None:
            nodes[number] = _Node(share)
            continue
        column, threshold = best
        is_left = cases[rows, column] <= threshold
        nodes[number] = _Node(share, column, threshold, len(nodes), len(nodes) + 1)
        waiting += [(len(nodes), rows[is_left], depth + 1), (len(nodes) + 1, rows[~is_left], depth + 1)]
        nodes += [_Node(0.0), _Node(0.0)]
    return nodes


def _best_split(cases: FloatArray, is_positive: AnyArray, least: int) -> tuple[int, float] | None:
    """Return the first column and threshold with the largest Hellinger distance."""
    order = np.argsort(cases, axis=0, kind="stable")
    values, positive = np.take_along_axis(cases, order, axis=0), is_positive[order]
    n = len(cases)
    p_left, size = np.cumsum(positive, axis=0)[:-1], np.arange(1, n)[:, None]
    p, q = int(is_positive.sum()), n - int(is_positive.sum())
    parts_p = np.stack([p_left, p - p_left], axis=-1).astype(np.float64)
    parts_q = np.stack([size - p_left, q - (size - p_left)], axis=-1).astype(np.float64)
    allowed = (values[1:] > values[:-1]) & (size >= least) & (n - size >= least)
    distance = np.where(allowed, _distance(parts_p, parts_q), 0.0)
    at, column = np.unravel_index(int(np.argmax(distance.round(12))), distance.shape)
    if not distance[at, column] > 1e-9:
        return None
    low, high = values[at, column], values[at + 1, column]
    middle = low + (high - low) / 2
    return int(column), float(middle if low <= middle < high else low)
