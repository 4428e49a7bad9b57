"""Comparison of models from a few human labels and the scores of an LLM judge for all instances."""

from __future__ import annotations

__all__ = ["JudgedComparison", "JudgedPair", "compare_judged"]

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._lexicon import CLASSIFIER_COLUMNS, ITEM_COLUMNS
from evalstats._result import Record
from evalstats.adjustment.pvalues import ADJUSTMENTS
from evalstats.comparison.designs.design import adjusted_pairs
from evalstats.comparison.option_checks import data_checksum, options_given
from evalstats.io.columns.roles import column_named, key_column_if_any, row_names
from evalstats.io.reader.long_tables import column_of, complete_array, finite_number
from evalstats.io.reader.opening import open_source
from evalstats.metrics.ppi import PPI_METRICS, PPIMean, PPIScore, ppi_mean, ppi_score
from evalstats.paired.ppi import PPITTestResult, ppi_ttest
from evalstats.tables.errors import TableError, short

ONE_MODEL = "the model"  # name in a file without a column of models


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedPair(Record):
    """Comparison of two models.

    Attributes
    ----------
    first, second : str
        Names of the two models.
    test : PPITTestResult
        Test of the difference in mean human scores, `first` minus `second`.
    pvalue : float
        p-value, adjusted for all pairs.
    """

    first: str
    second: str
    test: PPITTestResult
    pvalue: float


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedComparison(Record):
    """Result of `compare_judged`. `evalstats.report` renders it.

    Attributes
    ----------
    models : tuple of str
        Names of the models, in the order of `means`.
    means : tuple of PPIMean or PPIScore
        Estimated mean human score of each model, or the estimated metric of its predictions with respect to the human
        labels.
    pairs : tuple of JudgedPair
        All pairs, or an empty tuple for a metric of predictions.
    alpha : float
        Significance level. Each interval has the confidence level 1 - alpha, not adjusted for the other intervals.
    adjustment : str
        Method that adjusts the p-values.
    options : dict
        The arguments of `compare_judged` that differ from the defaults.
    data_checksum : str or None
        SHA-256 of the file of the scores, or None if they are not from a file.
    """

    models: tuple[str, ...]
    means: tuple[PPIMean | PPIScore, ...]
    pairs: tuple[JudgedPair, ...]
    alpha: float
    adjustment: str
    options: dict[str, Any]
    data_checksum: str | None

    @property
    def metric(self) -> str:
        """The estimated metric: ``'mean'``, ``'f1'`` or ``'roc_auc'``."""
        return self.means[0].metric if isinstance(self.means[0], PPIScore) else "mean"


def compare_judged(
    source: Any,
    *,
    human: str,
    judge: str,
    classifier: str | None = None,
    instance: str | None = None,
    cluster: str | None = None,
    prediction: str | None = None,
    metric: str | None = None,
    alpha: float = 0.05,
    adjust: str = "holm",
) -> JudgedComparison:
    """Compare models by a few human labels and the scores of an LLM judge for all instances.

    The null hypothesis for each pair is that humans would give both models the same mean score (`ppi_ttest`). With
    `prediction`, the judge and the humans label the instances. The result then contains the F1 or AUC of the
    predictions of each classifier with respect to the human labels, with a confidence interval (`ppi_score`). The
    classifiers are not tested in pairs.

    Parameters
    ----------
    source : path or data frame
        One row for each model and instance.
    human : str
        Column of the human scores. A cell is empty if there is no human score. Humans must label the same instances for
        all models. These instances must be a random sample of all instances.
    judge : str
        Column of the scores of the judge, without empty cells.
    classifier, instance : str, optional
        Columns of the models and of the instances or questions. If you do not pass them, they are recognized by their
        names. A file without a column of models contains one model.
    cluster : str, optional
        Column of the clusters of correlated instances, such as passages. It cannot be combined with `prediction`.
    prediction : str, optional
        Column of the predicted labels, 1 or 0, or of the scores for ``metric='roc_auc'``. The human labels and the
        labels of the judge must then also be 1 or 0.
    metric : {'f1', 'roc_auc'}, optional
        The metric of the predictions. Default: ``'f1'`` with `prediction`.
    alpha : float, default: 0.05
        Significance level.
    adjust : str, default: 'holm'
        A method of `adjust_pvalues`, such as ``'holm'``, or ``'none'``.

    Returns
    -------
    JudgedComparison
        The record for reports.

    Raises
    ------
    ValueError
        If a column is missing, a score is not a number, or a score of the judge is missing or occurs twice. If there is
        no human score, or an instance has human scores for only some of the models.

    See Also
    --------
    evalstats.metrics.ppi_mean, evalstats.metrics.ppi_score, evalstats.paired.ppi_ttest : the statistics, for arrays.

    References
    ----------
    Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2023). PPI++: Efficient prediction-powered inference.
    arXiv:2311.01453, section 6.

    Examples
    --------
    >>> from evalstats.comparison import compare_judged
    >>> rows = {"model": ["A"] * 10 + ["B"] * 10, "question": [*range(10)] * 2}
    >>> rows["people"] = [1, 1, 0, 1, 0, *[None] * 5, 0, 1, 0, 0, 0, *[None] * 5]
    >>> rows["judge"] = [1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    >>> found = compare_judged(rows, human="people", judge="judge")
    >>> [round(float(one.estimate), 3) for one in found.means], round(float(found.pairs[0].test.pvalue), 2)
    ([0.6, 0.2], 0.05)
    """
    asked = {**locals(), "read_kwargs": {}}
    alpha, adjust = _checks.significance_level(alpha), _checks.choice(adjust, "adjust", ("none", *ADJUSTMENTS))
    metric = _understand_metric(metric, prediction, cluster)
    models, labels, judged, predicted, groups = _read(source, human, judge, prediction, classifier, instance, cluster)
    means: tuple[PPIMean | PPIScore, ...]
    if metric is None:
        means = tuple(ppi_mean(y, f, clusters=groups) for y, f in zip(labels, judged, strict=True))
    else:
        means = tuple(ppi_score(*own, metric=metric) for own in zip(labels, judged, predicted, strict=True))
    at = list(combinations(range(len(models)), 2)) if metric is None else []
    tests = [ppi_ttest(labels[i], labels[j], judged[i], judged[j], clusters=groups) for i, j in at]
    pvalues = np.array([float(one.pvalue) for one in tests])
    if tests:
        pvalues = adjusted_pairs(pvalues, at, len(models), None, adjust)
    return JudgedComparison(
        models=models,
        means=means,
        pairs=tuple(
            JudgedPair(first=models[i], second=models[j], test=one, pvalue=p)
            for (i, j), one, p in zip(at, tests, pvalues.tolist(), strict=True)
        ),
        alpha=alpha,
        adjustment=adjust if len(tests) > 1 else "none",
        options=options_given(asked, {"human": None, "judge": None, **(compare_judged.__kwdefaults__ or {})}),
        data_checksum=data_checksum(source),
    )


def _understand_metric(metric: str | None, prediction: str | None, cluster: str | None) -> str | None:
    """Return the metric of the predictions, or None if the mean scores are compared."""
    metric = None if metric is None else _checks.choice(metric, "metric", PPI_METRICS)
    if prediction is None:
        if metric is not None:
            raise InvalidValueError(
                f"metric={metric!r} requires prediction=, the column of the predicted labels or scores"
            )
        return None
    if cluster is not None:
        raise InvalidValueError("cluster must be left out with prediction: the interval requires independent instances")
    return metric or "f1"


def _read(
    source: Any,
    human: str,
    judge: str,
    prediction: str | None,
    classifier: str | None,
    instance: str | None,
    cluster: str | None,
) -> tuple[tuple[str, ...], Any, Any, Any, list[str] | None]:
    """Return the models, the scores by humans and by the judge, the predictions (n_models, n) and the clusters."""
    grid = open_source(source).grid
    columns = ((human, "human"), (judge, "judge"), *([] if prediction is None else [(prediction, "prediction")]))
    y, f, *of_prediction = (column_named(grid, _checks.text(name, what), what) for name, what in columns)
    of_models = key_column_if_any(grid, classifier, "classifier", CLASSIFIER_COLUMNS)
    who = [ONE_MODEL] * len(grid.numbers) if of_models is None else row_names(grid, of_models, "classifier")
    what = row_names(grid, column_of(grid, instance, "instance", ITEM_COLUMNS), "instance")
    group = None if cluster is None else row_names(grid, column_named(grid, cluster, "cluster"), "cluster")
    cells: dict[tuple[str, ...], float] = {}
    labels: dict[tuple[str, ...], float] = {}
    predicted: dict[tuple[str, ...], float] = {}
    group_of: dict[str, str] = {}
    for row, key in enumerate(zip(who, what, strict=True)):
        where = f"{grid.name}, {grid.word} {grid.numbers[row]}"
        if key in labels:
            raise TableError(f"{where}: {short(key[1])} of {short(key[0])} occurs twice")
        if group is not None and group_of.setdefault(key[1], group[row]) != group[row]:
            raise TableError(f"{where}: {short(key[1])} is in two clusters")
        if (score := finite_number(grid, f, row, "score of the judge")) is not None:
            cells[key] = score
        label = finite_number(grid, y, row, "human score")
        labels[key] = math.nan if label is None else label
        for column in of_prediction:
            if (value := finite_number(grid, column, row, "prediction")) is None:
                raise TableError(f"{where}: {short(key[1])} of {short(key[0])} has no prediction")
            predicted[key] = value
    (models, instances), judged = complete_array(
        grid,
        cells,
        what="scores of the judge",
        rule="the judge must score each instance of each model",
        place="{0}: {1}",
        hint="remove these instances from the file",
        drop=(1,),
    )
    of_humans = np.array([[labels[m, i] for i in instances] for m in models])
    predictions = np.array([[predicted[m, i] for i in instances] for m in models]) if predicted else None
    is_labeled = ~np.isnan(of_humans)
    if (uneven := is_labeled.any(axis=0) & ~is_labeled.all(axis=0)).any():
        one = instances[int(uneven.argmax())]
        raise TableError(
            f"{grid.name}: {short(one)} has a human score for only some of the models; add the missing human scores "
            f"or remove the others"
        )
    return models, of_humans, judged, predictions, None if group is None else [group_of[i] for i in instances]
