"""Permutation test for the cross-validated accuracy of a classifier, with randomly permuted labels."""

from __future__ import annotations

__all__ = ["LabelPermutationTestResult", "label_permutation_test"]

import os
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._array_conversion import is_other_array
from evalstats._canonical_order import content_order
from evalstats._errors import EvalstatsError, InvalidTypeError, InvalidValueError, short
from evalstats._labels import same_labels
from evalstats._result import HypothesisTestResult
from evalstats._types import AnyArray, FloatArray, IndexArray
from evalstats.study.single_run import end_with

ONE_CLASS = "all instances have the same label, so a permutation changes nothing"


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelPermutationTestResult(HypothesisTestResult):
    """Result of `label_permutation_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float
        Cross-validated accuracy with the true labels.
    pvalue : float
        Proportion of the permutations of the labels, including the true labels, with at least the observed accuracy.
    method : str
        ``'monte-carlo'``.
    null_scores : ndarray of shape (n_resamples,)
        Accuracy after each permutation and retraining.
    expected_score : float
        Mean of `null_scores`: the expected accuracy if labels and instances are independent.
    n_instances, n_folds : int
        Numbers of instances and folds.
    n_resamples : int
        Number of permutations.
    seed : int or None
        Seed of the folds and permutations, or None if `rng` was a Generator.
    """

    null_scores: FloatArray
    expected_score: float
    n_instances: int
    n_folds: int
    n_resamples: int
    seed: int | None


def label_permutation_test(
    classifier: Any,
    X: ArrayLike,  # noqa: N803  (the name that every scikit-learn classifier uses)
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    n_folds: int = 10,
    n_resamples: int = 99,
    rng: Any = None,
    n_jobs: int | None = None,
) -> LabelPermutationTestResult:
    """Test whether the cross-validated accuracy is higher with the true labels than with permuted labels.

    The null hypothesis is that labels and instances are independent. The test permutes the labels at random among the
    instances. It then trains and tests the classifier again on folds that are stratified by the permuted labels. It
    compares the resulting accuracies with the accuracy for the true labels. In contrast to a comparison with the
    majority class, this test shows how well a classifier fits random data of the same size.

    Parameters
    ----------
    classifier : estimator
        A scikit-learn classifier, or any object with ``fit``, ``predict`` and ``get_params``. The function clones this
        object and replaces every ``random_state`` in it by a seed.
    X : array_like of shape (n, n_features)
        The instances.
    y : array_like of shape (n,)
        Labels of the instances.
    groups : array_like of shape (n,), optional
        Group of each instance. Labels are permuted only within a group. Pass groups if labels of different groups are
        not exchangeable.
    n_folds : int, default: 10
        Number of folds, to which the instances of each class are assigned in turn.
    n_resamples : int, default: 99
        Number of permutations. Each permutation takes as long as a cross-validation.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    n_jobs : int, optional
        Number of worker processes of joblib. The number -1 uses all processors.

    Returns
    -------
    LabelPermutationTestResult

    Raises
    ------
    ValueError
        If lengths differ, if there are fewer instances than folds, or if a number is too small.
    TypeError
        If an argument has the wrong type.
    EvalstatsError
        If scikit-learn is not installed.

    Notes
    -----
    The p-value is (b + 1) / (m + 1), where b of m permutations have at least the observed accuracy. Each permutation
    has its own folds, stratified by its own labels. With fixed folds, only the true labels would be stratified, and
    cross-validation without stratification is pessimistic. A classifier that always predicts the most frequent class
    would then seem significantly better than chance.

    References
    ----------
    Ojala, M. & Garriga, G. C. (2010). Permutation tests for studying classifier performance. Journal of Machine
    Learning Research 11, 1833-1863. Test 1.

    Phipson, B. & Smyth, G. K. (2010). Permutation p-values should never be zero. Statistical Applications in Genetics
    and Molecular Biology 9, article 39.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from evalstats.study import label_permutation_test
    >>> X, y = load_iris(return_X_y=True)
    >>> result = label_permutation_test(KNeighborsClassifier(), X, y, n_folds=5, n_resamples=49)
    >>> print(f"{result.statistic:.3f}, without anything to learn {result.expected_score:.3f}, p = {result.pvalue}")
    0.947, without anything to learn 0.340, p = 0.02
    """
    same_labels(rows=("X", "y", "groups"), X=X, y=y, groups=groups)
    cases, labels = _understood(classifier, X, y)
    blocks = None if groups is None else _checks.regular(groups, "groups")
    if blocks is not None and blocks.shape != labels.shape:
        raise InvalidValueError(f"groups must have one value for each of {len(labels)} instances, not {blocks.shape}")
    n_folds = _checks.count(n_folds, "n_folds", minimum=2)
    if n_folds > len(labels):
        raise InvalidValueError(f"n_folds must be at most the number of instances, {len(labels)}, not {n_folds}")
    n_resamples, source = _checks.resampling(n_resamples, rng)
    generator = source.generator()
    order = _content_order(cases, labels, blocks)
    cases, labels = _take(cases, order), labels[order]
    blocks = None if blocks is None else blocks[order]
    dealt, seed = generator.permutation(len(labels)), int(generator.integers(2**31))

    orders = [np.arange(len(labels)), *(_order(len(labels), blocks, generator) for _ in range(n_resamples))]
    # folds that are stratified only by the true labels would favor these labels and make every p-value too small
    given = [labels[order] for order in orders]
    tasks = [(classifier, cases, own, _folds(own, n_folds, dealt), seed) for own in given]
    scores = np.array(_in_parallel(n_jobs, tasks))
    statistic, null = float(scores[0]), scores[1:]
    reached = int((null >= statistic - 1e-12).sum())
    return LabelPermutationTestResult(
        statistic=statistic,
        pvalue=(reached + 1) / (n_resamples + 1),
        alternative="greater",
        method="monte-carlo",
        reason=ONE_CLASS if len(np.unique(labels)) == 1 else None,
        null_scores=null,
        expected_score=float(null.mean()),
        n_instances=len(labels),
        n_folds=n_folds,
        n_resamples=n_resamples,
        seed=source.seed,
    )


def _understood(classifier: Any, cases: Any, labels: Any) -> tuple[Any, AnyArray]:
    if isinstance(classifier, type) or not all(hasattr(classifier, part) for part in ("fit", "predict", "get_params")):
        raise InvalidTypeError(f"classifier must have fit, predict and get_params, but it is {short(classifier)}")
    array = _checks.regular(labels, "y")
    if array.ndim != 1 or array.size == 0:
        raise InvalidValueError(f"y must have one label for each instance, but its shape is {array.shape}")
    if array.dtype.kind == "f" and not (array == np.floor(array)).all():
        wrong = array[array != np.floor(array)][0]
        raise InvalidTypeError(f"y must hold labels, but one is {wrong:g}: a regression does not have labels")
    rows = _checks.regular(cases, "X") if isinstance(cases, list | tuple) or is_other_array(cases) else cases
    shape = np.shape(rows)
    if len(shape) < 2 or shape[0] != len(array):
        raise InvalidValueError(f"X must have one row for each of {len(array)} labels, but its shape is {shape}")
    return rows, array


def _content_order(cases: Any, labels: AnyArray, blocks: AnyArray | None) -> IndexArray:
    """Return an order of the instances that depends only on their content.

    If `X` is neither an array nor a data frame, such as a sparse matrix, the instances are sorted by their labels.
    """
    keys = [labels, *([] if blocks is None else [blocks])]
    if hasattr(cases, "iloc") and hasattr(cases, "columns"):
        keys += [cases.iloc[:, j].to_numpy() for j in range(cases.shape[1])]
    elif isinstance(cases, np.ndarray):
        keys += list(cases.reshape(len(labels), -1).T)
    return content_order(np.column_stack([_codes(key) for key in keys]))


def _codes(key: AnyArray) -> IndexArray:
    """Encode the values in ascending order; encode mixed objects in the order of their texts."""
    try:
        return np.unique(key, return_inverse=True)[1]
    except TypeError:
        return np.unique([str(value) for value in key], return_inverse=True)[1]


def _take(cases: Any, rows: AnyArray) -> Any:
    if isinstance(cases, np.ndarray):
        return cases.take(rows, axis=0)
    return cases.iloc[rows] if hasattr(cases, "iloc") else cases[rows]


def _folds(labels: AnyArray, n_folds: int, dealt: AnyArray) -> AnyArray:
    """Assign the instances of each class to the folds in turn, in a given order of the instances."""
    order = dealt[np.argsort(np.unique(labels, return_inverse=True)[1][dealt], kind="stable")]
    fold = np.empty(len(labels), dtype=np.int64)
    fold[order] = np.arange(len(labels)) % n_folds
    return fold


def _order(n: int, blocks: AnyArray | None, generator: np.random.Generator) -> AnyArray:
    order = generator.permutation(n)
    if blocks is None:
        return order
    numbers = np.unique(blocks, return_inverse=True)[1]
    places = np.argsort(numbers, kind="stable")
    drawn = order[np.argsort(numbers[order], kind="stable")]
    result = np.empty(n, dtype=np.int64)
    result[places] = drawn
    return result


def _in_parallel(n_jobs: Any, tasks: list[tuple[Any, ...]]) -> list[float]:
    try:
        from joblib import Parallel, delayed
        from sklearn.base import clone  # noqa: F401  (whether it is there is known before anything runs)
    except ImportError as error:
        raise EvalstatsError("the test needs scikit-learn; install classifier-evalstats[study]") from error
    if n_jobs is None:
        return [_accuracy(*task) for task in tasks]
    jobs = n_jobs if n_jobs == -1 else _checks.count(n_jobs, "n_jobs")
    return list(Parallel(n_jobs=jobs)(delayed(_accuracy_of_worker)(os.getpid(), *task) for task in tasks))


def _accuracy_of_worker(asker: int, *task: Any) -> float:
    end_with(asker)
    return _accuracy(*task)


def _accuracy(classifier: Any, cases: Any, labels: AnyArray, folds: AnyArray, seed: int) -> float:
    """Return the cross-validated accuracy of the classifier."""
    from sklearn.base import clone

    seeded = clone(classifier)
    seeded.set_params(**{name: seed for name in seeded.get_params() if name.endswith("random_state")})
    right = 0
    for fold in range(int(folds.max()) + 1):
        is_tested = folds == fold
        tested, trained = np.flatnonzero(is_tested), np.flatnonzero(~is_tested)
        of_training = labels[trained]
        if (of_training == of_training[0]).all():  # many classifiers raise an error for such training data
            right += int((labels[tested] == of_training[0]).sum())
            continue
        fitted = clone(seeded)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted.fit(_take(cases, trained), of_training)
        right += int((np.asarray(fitted.predict(_take(cases, tested))) == labels[tested]).sum())
    return right / len(labels)
