"""Scores from the cross-validation of scikit-learn."""

from __future__ import annotations

__all__ = ["CrossValidationScores", "fold_scores_from_cross_validate", "score_table_from_cross_validate"]

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, listed
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.paired.ttest import split_sizes
from evalstats.tables.errors import short
from evalstats.tables.names import text_of
from evalstats.tables.score_table import ScoreTable

PREFIX = "test_"
INDICES = "indices"


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossValidationScores(Record):
    """Scores of the folds of one dataset, from `fold_scores_from_cross_validate`.

    Attributes
    ----------
    dataset : str
        Name of the dataset.
    classifiers : tuple of str
        Name of each row of `scores`.
    scores : ndarray of float64, shape (n_classifiers, n_folds)
        Score of each classifier on each test fold. Greater is better, by the convention of scikit-learn's scorers. The
        models of two folds were trained on mostly the same instances, so these scores are not independent.
    metric : str
        Name of the scorer, or ``'score'`` if the scorer has no name.
    n_train, n_test : int, float or None
        Numbers of instances in the training set and in the test set of a fold, as `corrected_ttest` takes them. If the
        folds differ in size, the numbers are means. The numbers are None unless the results contain the indices
        (``cross_validate(..., return_indices=True)``).
    """

    dataset: str
    classifiers: tuple[str, ...]
    scores: FloatArray
    metric: str
    n_train: float | None = None
    n_test: float | None = None

    def _axes(self) -> tuple[str, ...]:
        return "classifier", "fold"


def score_table_from_cross_validate(
    results: Mapping[Any, Any], *, metric: str | None = None, unit: str = ""
) -> ScoreTable:
    """Convert results of scikit-learn's `cross_validate` on several datasets to a table of scores.

    Each score is the mean over the folds.

    Parameters
    ----------
    results : dict of str to dict of str to dict
        ``results[dataset][classifier]`` is the result of ``cross_validate``. Each dataset must have the same
        classifiers.
    metric : str, optional
        Name of the scorer, such as ``'f1'`` for ``'test_f1'``. It is required if there are several scorers.
    unit : str, default: ''
        The unit of the scores.

    Returns
    -------
    ScoreTable
        Greater is better, by the convention of scikit-learn's scorers (``'neg_log_loss'`` is negative).

    Raises
    ------
    InvalidValueError
        If there is only one dataset, if classifiers are missing, or if a score is not finite. If the numbers of folds
        of the classifiers on a dataset differ, or if the scorer is ambiguous.
    InvalidTypeError
        If `results` does not have the structure ``results[dataset][classifier]``.

    Notes
    -----
    A mean over folds is the recommended score for the area under the ROC curve and, for folds of equal size, for
    accuracy. For F, the mean is biased (Forman & Scholz 2010): use ``cross_val_predict`` and
    `evalstats.read_predictions`.

    One dataset provides one independent score for each classifier, which is not sufficient for a test over datasets.
    The fold scores of a dataset are not independent, so a test that assumes independence rejects true null hypotheses
    too often (Nadeau & Bengio 2003). `corrected_ttest` takes the scores of `fold_scores_from_cross_validate`.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57.
    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Examples
    --------
    >>> from evalstats.tables.cross_validation import score_table_from_cross_validate
    >>> results = {
    ...     "iris": {"NB": {"test_score": [0.93, 0.95]}, "SVM": {"test_score": [0.97, 0.95]}},
    ...     "wine": {"NB": {"test_score": [0.98, 0.96]}, "SVM": {"test_score": [0.97, 0.99]}},
    ... }
    >>> table = score_table_from_cross_validate(results)
    >>> table.classifiers, table.scores.round(2)
    (('NB', 'SVM'), array([[0.94, 0.96],
           [0.97, 0.98]]))
    """
    if _is_of_one_dataset(results):
        raise InvalidValueError(
            "results must be {dataset: {classifier: result}}, but they belong to one dataset; for its fold scores, "
            "which are not independent, use fold_scores_from_cross_validate(results) and corrected_ttest"
        )
    of_datasets = [
        fold_scores_from_cross_validate(result, metric=metric, dataset=name) for name, result in results.items()
    ]
    if len(of_datasets) == 1:
        return score_table_from_cross_validate(next(iter(results.values())))
    first = of_datasets[0]
    for other in of_datasets[1:]:
        if set(other.classifiers) != set(first.classifiers):
            raise InvalidValueError(
                f"each dataset must have the same classifiers, but {short(first.dataset)} has "
                f"{listed(first.classifiers)} and {short(other.dataset)} has {listed(other.classifiers)}"
            )
        if other.metric != first.metric:
            raise InvalidValueError(
                f"each dataset must have the same scorer, but {short(first.dataset)} has {short(first.metric)} and "
                f"{short(other.dataset)} has {short(other.metric)}"
            )
    means = [[one.scores[one.classifiers.index(name)].mean() for name in first.classifiers] for one in of_datasets]
    return ScoreTable(
        scores=np.array(means),
        datasets=tuple(one.dataset for one in of_datasets),
        classifiers=first.classifiers,
        metric=first.metric,
        unit=unit,
        computation=f"{first.metric}, mean over the folds",
    )


def fold_scores_from_cross_validate(
    results: Mapping[Any, Any], *, metric: str | None = None, dataset: Any = "dataset"
) -> CrossValidationScores:
    """Return the fold scores of one dataset from results of scikit-learn's `cross_validate`.

    Parameters
    ----------
    results : dict of str to dict
        ``results[classifier]`` is the result of ``cross_validate``, with the same splits for each classifier.
    metric : str, optional
        Name of the scorer. It is required if there are several scorers.
    dataset : str, default: 'dataset'
        Name of the dataset.

    Returns
    -------
    CrossValidationScores
        The scores and, if the results contain the indices, the sizes of the folds.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        As in `score_table_from_cross_validate`, or if the indices of two classifiers differ.

    See Also -------- corrected_ttest : the test of two of these classifiers. pairwise_corrected_ttest : the test of all
    pairs, for the transposed scores.

    Examples
    --------
    >>> from evalstats.tables.cross_validation import fold_scores_from_cross_validate
    >>> results = {"NB": {"test_score": [0.93, 0.95]}, "SVM": {"test_score": [0.97, 0.95]}}
    >>> fold_scores_from_cross_validate(results).scores
    array([[0.93, 0.95],
           [0.97, 0.95]])

    With the indices, the result contains all arguments of `corrected_ttest`:

    >>> from evalstats import corrected_ttest
    >>> indices = {"train": [[0, 1, 2, 3], [4, 5, 6, 7]], "test": [[4, 5, 6, 7], [0, 1, 2, 3]]}
    >>> for result in results.values():
    ...     result["indices"] = indices
    >>> folds = fold_scores_from_cross_validate(results)
    >>> naive_bayes, svm = folds.scores
    >>> round(corrected_ttest(svm, naive_bayes, n_train=folds.n_train, n_test=folds.n_test).pvalue, 3)
    0.667
    """
    place = f"results of dataset {short(text_of(dataset))}"
    if not _is_filled_dict(results):
        raise InvalidTypeError(f"{place} must be a dict of classifiers, not {short(results)}")
    for classifier, result in results.items():
        if not _is_result(result):
            raise InvalidTypeError(
                f"{place} must hold a result of cross_validate, a dict with 'test_score' or 'test_' followed by a "
                f"scorer, but {short(classifier)} is {short(list(result) if isinstance(result, Mapping) else result)}"
            )
    scorer = _scorer(results, metric, place)
    rows = [_scores(result, scorer, f"{place}, {short(classifier)}") for classifier, result in results.items()]
    if len(set(map(len, rows))) > 1:
        lengths = [len(row) for row in rows]
        raise InvalidValueError(
            f"{place} must have the same folds for each classifier, but the numbers of folds are {lengths}"
        )
    n_train, n_test = _fold_sizes(results, place)
    scores = np.stack(rows)
    scores.setflags(write=False)
    return CrossValidationScores(
        dataset=str(dataset),
        classifiers=tuple(map(str, results)),
        scores=scores,
        metric=scorer,
        n_train=n_train,
        n_test=n_test,
    )


def _is_of_one_dataset(results: Any) -> bool:
    """Return whether the keys of a dict are classifiers instead of datasets."""
    if not _is_filled_dict(results):
        raise InvalidTypeError(f"results must be a dict of datasets, each a dict of classifiers, not {short(results)}")
    return any(map(_is_result, results.values()))


def _is_filled_dict(value: Any) -> bool:
    return isinstance(value, Mapping) and len(value) > 0


def _is_result(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and any(map(_is_scorer_key, value))
        and not any(isinstance(item, Mapping) for key, item in value.items() if key != INDICES)
    )


def _fold_sizes(results: Mapping[Any, Any], place: str) -> tuple[float | None, float | None]:
    """Return the mean sizes of the training and test sets. Raise an error if classifiers have different folds."""
    indices = {classifier: result[INDICES] for classifier, result in results.items() if INDICES in result}
    if not indices:
        return None, None
    (first, folds), *others = indices.items()
    for other, its_folds in others:
        for part in ("train", "test"):
            if len(folds[part]) != len(its_folds[part]) or not all(map(np.array_equal, folds[part], its_folds[part])):
                raise InvalidValueError(
                    f"{place} must have the same folds for each classifier, but the indices of {short(first)} and "
                    f"{short(other)} differ: pass one cv with a fixed random_state to cross_validate"
                )
    return split_sizes(zip(folds["train"], folds["test"], strict=True))


def _is_scorer_key(key: Any) -> bool:
    return isinstance(key, str) and key.startswith(PREFIX)


def _scorer(results: Mapping[Any, Any], metric: str | None, place: str) -> str:
    """Return the name of the scorer, or raise an error if it is unknown or ambiguous."""
    names: Iterable[str] = [key.removeprefix(PREFIX) for key in next(iter(results.values())) if _is_scorer_key(key)]
    common = [name for name in names if all(PREFIX + name in result for result in results.values())]
    if metric is not None:
        wanted = _checks.text(metric, "metric").removeprefix(PREFIX)
        if wanted not in common:
            raise InvalidValueError(f"metric must be a scorer of {place} ({listed(common)}), not {short(metric)}")
        return wanted
    if len(common) != 1:
        held = f"have the scorers {listed(common)}" if common else "have no scorer in common"
        raise InvalidValueError(f"{place} {held}: choose one with metric=" if common else f"{place} {held}")
    return common[0]


def _scores(result: Mapping[str, Any], scorer: str, place: str) -> FloatArray:
    name = f"{PREFIX}{scorer} of {place}"
    scores = _checks.numbers(result[PREFIX + scorer], name)
    if scores.ndim != 1 or not scores.size:
        raise InvalidValueError(f"{name} must have one score for each fold, but its shape is {scores.shape}")
    return _checks.finite(scores, name)
