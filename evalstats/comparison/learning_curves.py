"""Comparison of the learning curves of two classifiers from a file."""

from __future__ import annotations

__all__ = ["LearningCurveComparison", "compare_learning_curves"]

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import examples
from evalstats._findings import Finding, gravest_first
from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.comparison.option_checks import data_checksum, options_given
from evalstats.io.columns.summaries import names_in
from evalstats.io.reader.long_tables import read_learning_curve_scores
from evalstats.paired.learning_curves import LearningCurveTestResult, learning_curve_test
from evalstats.tables.errors import TableError

# with at least this number of repeats, the simulated family-wise error rate of max-t is close to the level
REPEATS_OF_MAX_T = 30


@dataclass(frozen=True, kw_only=True, eq=False)
class LearningCurveComparison(Record):
    """Result of `compare_learning_curves`.

    Attributes
    ----------
    classifiers : tuple of str
        Names of the two classifiers, x and y of the test.
    repeats : tuple of str
        Names of the repeats.
    metric : str
        Metric of the scores.
    alpha : float
        Significance level for all sizes together.
    test : LearningCurveTestResult
        The test at each size, with the means and the bands.
    findings : tuple of Finding
        Limitations of the conclusion, with the codes ``'no-variance'``, ``'equal-scores'``, ``'unknown-direction'``,
        ``'no-n-instances'``, ``'family-wise-level'`` and ``'few-repeats'``.
    source : str or None
        Name of the file.
    options : dict
        The arguments of `compare_learning_curves` that differ from the defaults.
    data_checksum : str or None
        SHA-256 of the file of the scores, or None if they are not from a file.
    """

    classifiers: tuple[str, ...]
    repeats: tuple[str, ...]
    metric: str
    alpha: float
    test: LearningCurveTestResult
    findings: tuple[Finding, ...]
    source: str | None
    options: Mapping[str, Any]
    data_checksum: str | None
    _scores: FloatArray  # of shape (2, n_repeats, n_sizes)


def compare_learning_curves(
    source: Any,
    *,
    train_size: str | None = None,
    n_test: ArrayLike | None = None,
    n_instances: float | None = None,
    classifier: str | None = None,
    score: str | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    dataset: str | None = None,
    metric: str | None = None,
    greater_is_better: bool | None = None,
    keep: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    alpha: float = 0.05,
    adjust: str = "sidak",
    delimiter: str | None = None,
    decimal: str = "auto",
    thousands: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
) -> LearningCurveComparison:
    """Compare two classifiers at several training-set sizes by the scores of a long table.

    The null hypothesis for a size is that the two classifiers, trained on training sets of this size, have the same
    expected score. The p-values and the confidence band are simultaneous for all sizes.

    Parameters
    ----------
    source : path or data frame
        One row for each classifier, training-set size and repeat, with the score. In each repeat, both classifiers must
        be trained and tested on the same instances.
    train_size : str, optional
        Column with the number of training instances. Default: ``n_train`` or ``train_size``.
    n_test : int, float or array_like of shape (n_sizes,), optional
        Number of test instances, the same at all sizes or one for each size. Default: the column ``n_test`` or
        ``test_size``.
    n_instances : int or float, optional
        Number of instances from which the training and test sets are drawn, if smaller training sets are subsets of
        larger training sets (see `learning_curve_test`).
    classifier, score, repeat, fold, dataset : str, optional
        Columns of the classifiers, the scores, the repeats, the folds and the datasets. If you do not pass
        them, they are recognized by their names. With both repeats and folds, each fold of each repeat counts as a
        repeat. All rows must belong to one dataset.
    metric : str, optional
        Metric of the scores: a name in a column of metrics, or the name of the column of scores.
    greater_is_better : bool, optional
        False for losses and error rates, where a smaller score is better. By default, the name of the metric determines
        the direction.
    keep : str or sequence of str, optional
        Names of the two classifiers to compare, if the source holds more than two.
    drop : str or sequence of str, optional
        Names of classifiers, sizes, repeats or datasets to leave out.
    alpha : float, default: 0.05
        Significance level for all sizes together.
    adjust : {'sidak', 'max-t'}, default: 'sidak'
        ``'sidak'``: Šidák's adjustment. ``'max-t'``: the distribution of the largest t over all sizes, with the
        estimated correlation between the sizes. Use ``'max-t'`` only with 30 or more repeats (see
        `learning_curve_test`).
    delimiter : str, optional
        The character between the fields of a text file. By default, the most frequent of tab, semicolon, comma and
        ``|`` in the header line outside quotes (for ties, the first of them).
    decimal : {'auto', '.', ','}, default: 'auto'
        The decimal mark.
    thousands : {',', '.', "'", ' '}, optional
        The thousands separator (``' '``: any space). By default, it is read if it is unambiguous.
    encoding : str, default: 'utf-8'
        The encoding of a text file. A byte order mark is skipped.
    sheet : str, optional
        The sheet of an Excel file. The default is the only sheet that holds a table.

    Returns
    -------
    LearningCurveComparison
        The record for reports and for `evalstats.plot.learning_curves`.

    Raises
    ------
    ValueError
        If a column is missing, an option is unknown, or `n_test` is not known. If a score is missing, is not a number
        or occurs twice, or a size is not a number. If the table does not contain exactly two classifiers and one
        dataset, with two or more repeats.

    See Also
    --------
    evalstats.paired.learning_curve_test : the test, for arrays.

    References
    ----------
    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Examples
    --------
    >>> from evalstats.comparison import compare_learning_curves
    >>> x = [[0.62, 0.70, 0.80], [0.60, 0.74, 0.82], [0.64, 0.70, 0.78], [0.58, 0.72, 0.84], [0.62, 0.68, 0.80]]
    >>> y = [[0.72, 0.74, 0.76], [0.70, 0.74, 0.80], [0.76, 0.72, 0.76], [0.66, 0.74, 0.80], [0.72, 0.72, 0.76]]
    >>> curves = [("SVM", x), ("tree", y)]
    >>> rows = [(name, r, n, s) for name, c in curves for r in range(5) for n, s in zip((50, 100, 200), c[r])]
    >>> table = dict(zip(("classifier", "repeat", "n_train", "accuracy"), map(list, zip(*rows))))
    >>> comparison = compare_learning_curves(table, n_test=50, n_instances=250)
    >>> comparison.classifiers, comparison.test.sizes, comparison.test.winners()
    (('SVM', 'tree'), (50, 100, 200), array([-1,  0,  1]))
    """
    given = {**locals(), "read_kwargs": {}}
    alpha = _checks.significance_level(alpha)
    if metric is not None:
        metric = _checks.text(metric, "metric")
    if greater_is_better is not None:
        greater_is_better = _checks.boolean(greater_is_better, "greater_is_better")
    found = read_learning_curve_scores(
        source,
        train_size=train_size,
        classifier=classifier,
        score=score,
        repeat=repeat,
        fold=fold,
        dataset=dataset,
        metric=metric,
        greater_is_better=greater_is_better,
        keep=names_in(keep, "keep"),
        drop=names_in(drop, "drop"),
        delimiter=delimiter,
        decimal=decimal,
        thousands=thousands,
        encoding=encoding,
        sheet=sheet,
    )
    n_test = found.n_test if n_test is None else n_test
    if n_test is None:
        raise TableError("the number of test instances is not known", "pass it with {}", "n_test")
    test = learning_curve_test(
        *found.scores,
        n_train=found.n_train,
        n_test=n_test,
        n_instances=n_instances,
        greater_is_better=found.greater_is_better,
        adjust=adjust,
    )
    return LearningCurveComparison(
        classifiers=found.classifiers,
        repeats=found.repeats,
        metric=found.metric,
        alpha=alpha,
        test=test,
        findings=gravest_first([*found.findings, *_findings(test, found.classifiers, alpha)]),
        source=found.source,
        options=options_given(given, compare_learning_curves.__kwdefaults__ or {}),
        data_checksum=data_checksum(source),
        _scores=found.scores,
    )


def _findings(test: LearningCurveTestResult, classifiers: tuple[str, ...], alpha: float) -> Iterator[Finding]:
    """Yield the limitations of the conclusion: no variance, a correction that may be too large, few repeats."""
    both = " and ".join(classifiers)
    no_variance = (
        f"{both} differ by the same amount in every repeat: the differences have no variance, so the t-test does not "
        "apply. A test of the predictions, for example McNemar's test, may apply."
    )
    are_equal = (test.mean_difference == 0) & (test.standard_error == 0)
    for code, severity, of_size, said in (
        ("no-variance", "warning", np.isnan(test.pvalue), no_variance),
        ("equal-scores", "note", are_equal, f"{both} have the same score in every repeat."),
    ):
        sizes = [size for size, is_so in zip(test.sizes, of_size.tolist(), strict=True) if is_so]
        if sizes:
            at = examples([f"{size:,}" for size in sizes], 10)
            yield Finding(
                code=code,
                severity=severity,
                sentence=f"With {at} training instances, {said}",
                places=tuple({"size": size} for size in sizes),
            )
    if len(test.sizes) == 1:
        return
    if test.n_instances is None:
        yield Finding(
            code="no-n-instances",
            severity="note",
            sentence="The number of all instances (n_instances) is not given. The correction therefore assumes that "
            "each split uses only the training and the test instances of its size. If smaller training sets are "
            "subsets of larger training sets, the test almost never rejects at small sizes. In this case, pass the "
            "number of all instances.",
        )
    if test.adjustment == "max-t":
        if test.n_repeats < REPEATS_OF_MAX_T:
            yield Finding(
                code="few-repeats",
                severity="warning",
                sentence=f"The max-t adjustment estimates the correlation between sizes from {test.n_repeats} repeats: "
                f"with fewer than {REPEATS_OF_MAX_T}, it rejects true null hypotheses too often. Use Šidák's "
                "adjustment.",
                numbers={"n_repeats": test.n_repeats},
            )
        return
    largest = -math.log1p(-alpha)
    yield Finding(
        code="family-wise-level",
        severity="note",
        sentence=f"Šidák's adjustment is used at α = {alpha:g}. If the test at each size is valid, the family-wise "
        f"error rate is at most {100 * largest:.3g} % under any dependence between the sizes.",
        numbers={"largest": largest},
    )
