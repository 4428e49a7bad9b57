"""Published tables of scores, a table of predictions and a table of answers for examples, with their sources."""

from __future__ import annotations

__all__ = ["ExampleSource", "example_metric_table", "example_names", "example_path", "example_source", "example_table"]

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._result import Record
from evalstats.io.reader.tables import read_table
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True, eq=False)
class ExampleSource(Record):
    """Source of an example.

    Attributes
    ----------
    title : str
        Content of the table.
    metric : str
        Metric of the scores.
    unit : str
        ``'%'`` for percent, or ``''`` for a proportion.
    citation : str
        Authors, and the place in the publication.
    remark : str
        Remarks on errors and inconsistencies in the numbers.
    layout : str
        ``'wide'``; ``'predictions'``: the metric is computed by `evalstats.read_table`; ``'answers'``: correctness of
        models question by question; or ``'measures'``: several metrics of classifiers on one dataset.
    greater_is_better : tuple of bool
        For ``'measures'``: whether a greater value is better, for each metric.
    """

    title: str
    metric: str
    unit: str
    citation: str
    remark: str
    layout: str = "wide"
    greater_is_better: tuple[bool, ...] = (True,)


_DEMSAR = (
    "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. "
    "Journal of Machine Learning Research 7, 1-30."
)
_JAPKOWICZ = (
    "Japkowicz, N. Machine Learning Evaluation: A Classification Perspective. Tutorial slides, CSC 589: Performance "
    "Evaluation for Learning Algorithms (undated; 2015 or later)."
)
_RAEDER = (
    "Raeder, T., Hoens, T. R. & Chawla, N. V. (2010). Consequences of variability in classifier performance estimates. "
    "Proceedings of the 10th IEEE International Conference on Data Mining (ICDM), 421-430."
)
_RAEDER_REMARK = (
    "The caption says 10-fold cross-validation and the text 5-fold; the text speaks of 20 data sets, but the table "
    "has 18 rows."
)

SOURCES = {
    "demsar-2006": ExampleSource(
        title="C4.5 and three ways to tune it, on 14 datasets",
        metric="AUC",
        unit="",
        citation=f"{_DEMSAR} Table 6.",
        remark=(
            "On voting the table prints 0.975 for both C4.5+cf and C4.5+m+cf, but the paper ranks them 2 and 3: it "
            "used more digits than it prints. From the printed scores their mean ranks are 2.929 and 1.929, in the "
            "paper 2.893 and 1.964."
        ),
    ),
    "japkowicz-accuracy": ExampleSource(
        title="Naive Bayes, SVM, AdaBoost and a random forest, on 10 datasets",
        metric="accuracy",
        unit="%",
        citation=f"{_JAPKOWICZ} Slide 48.",
        remark=(
            "All four are equal on Contact Lenses. For AdaBoost against the random forest the slide counts 1 win and "
            "8.5 losses; with that tie split as everywhere else it is 1.5 and 8.5."
        ),
    ),
    "japkowicz-friedman": ExampleSource(
        title="Three unnamed classifiers, on 10 unnamed datasets",
        metric="score",
        unit="",
        citation=f"{_JAPKOWICZ} Slide 53.",
        remark=(
            "The slide numbers the last row 19; it is 10 here. It ranks 85.91 and 85.90 of row 2 as a tie, so its "
            "rank sums are 15.5, 30 and 14.5; from the scores they are 15, 30 and 15."
        ),
    ),
    "japkowicz-measures": ExampleSource(
        title="Eight classifiers on the UCI breast cancer data, by nine measures",
        metric="nine measures",
        unit="",
        citation=f"{_JAPKOWICZ} Slide 10.",
        remark=(
            "Acc and Info S are in %. Slide 11 ranks Prec and F otherwise than these values: Prec of SVM, Boost and "
            "RanF has the ranks 6, 5 and 6, not 5, 7 and 5, and F of RanF the rank 6 of SVM, not 7."
        ),
        layout="measures",
        greater_is_better=(True, False, True, False, True, True, True, True, True),
    ),
    "raeder-2010-seed-216": ExampleSource(
        title="C4.5 and Hellinger distance decision trees (HDDT), on 18 datasets, cross-validation seed 216",
        metric="AUROC",
        unit="",
        citation=f"{_RAEDER} Table II, iteration 216.",
        remark=_RAEDER_REMARK,
    ),
    "raeder-2010-seed-459": ExampleSource(
        title="C4.5 and Hellinger distance decision trees (HDDT), on 18 datasets, cross-validation seed 459",
        metric="AUROC",
        unit="",
        citation=f"{_RAEDER} Table II, iteration 459.",
        remark=(
            f"{_RAEDER_REMARK} The table ticks HDDT as significantly better at 0.10 and 0.05, which does not follow "
            "from its scores: the exact two-sided Wilcoxon p-value is 0.229."
        ),
    ),
    "sklearn-predictions": ExampleSource(
        title="Predictions of logistic regression, naive Bayes, nearest neighbours and a tree, on 10 tasks",
        metric="accuracy",
        unit="",
        citation=(
            "Made with scikit-learn 1.9.1 by scripts/make_predictions_example.py, from its datasets breast_cancer, "
            "iris, wine and digits: one class against the others, stratified 10-fold cross-validation."
        ),
        remark=(
            "Tasks of one source have the same instances, so they are less independent than datasets should be. Only "
            "200 of the digits, 250 of the breast cancer instances and two features of wine are used, so the "
            "classifiers make errors."
        ),
        layout="predictions",
    ),
    "suzgun-2023-answers": ExampleSource(
        title="A language model with two kinds of prompts, on 2761 questions of 12 benchmarks",
        metric="accuracy",
        unit="",
        citation=(
            "Suzgun, M., Scales, N., Schärli, N. et al. (2023). Challenging BIG-Bench tasks and whether "
            "chain-of-thought can solve them. Findings of the Association for Computational Linguistics: ACL "
            "2023, 13003-13051. Made by scripts/make_answers_example.py from the outputs of code-davinci-002 in "
            "github.com/suzgunmirac/BIG-Bench-Hard (MIT License, Copyright (c) 2022 suzgunmirac)."
        ),
        remark=(
            "The 12 natural language tasks of the paper. The accuracies equal the published accuracies of each task. "
            "An answer is correct if its final part equals the target. The questions of penguins_in_a_table are about "
            "the same table."
        ),
        layout="answers",
    ),
}


def example_names() -> tuple[str, ...]:
    """List the names of the bundled examples.

    Returns
    -------
    tuple of str
        Names in alphabetical order.

    Examples
    --------
    >>> from evalstats.examples import example_names
    >>> for name in example_names():
    ...     print(name)
    demsar-2006
    japkowicz-accuracy
    japkowicz-friedman
    japkowicz-measures
    raeder-2010-seed-216
    raeder-2010-seed-459
    sklearn-predictions
    suzgun-2023-answers
    """
    return tuple(SOURCES)


def example_path(name: str) -> Path:
    """Return the path of the CSV file of an example.

    Parameters
    ----------
    name : str
        One of `example_names`.

    Returns
    -------
    pathlib.Path
        A wide table: the first column contains the datasets, and each other column is a classifier; a long table of
        predictions, with a row for each instance and classifier; a wide table of answers, with a row for each question
        and a column for each model; or a table of metrics, with a row for each classifier.

    Examples
    --------
    >>> from evalstats.examples import example_path
    >>> example_path("demsar-2006").name
    'demsar-2006.csv'
    """
    _checks.choice(name, "name", example_names())
    return Path(str(resources.files("evalstats.examples") / f"{name}.csv"))


def example_source(name: str) -> ExampleSource:
    """Return the source of an example, with remarks on its numbers.

    Parameters
    ----------
    name : str
        One of `example_names`.

    Returns
    -------
    ExampleSource

    Examples
    --------
    >>> from evalstats.examples import example_source
    >>> example_source("raeder-2010-seed-216").metric
    'AUROC'
    """
    return SOURCES[_checks.choice(name, "name", example_names())]


def example_metric_table(name: str = "japkowicz-measures") -> pd.DataFrame:
    """Read a published table of several metrics of classifiers on one dataset.

    Parameters
    ----------
    name : str, default: 'japkowicz-measures'
        One of `example_names` that contains several metrics.

    Returns
    -------
    pandas.DataFrame
        A row for each classifier and a column for each metric, for `dea_efficiency`, `pareto_front` and
        `ranks_by_metric`. ``example_source(name).greater_is_better`` contains the direction of each metric.

    Raises
    ------
    ValueError
        If there is no such example, or it does not contain several metrics.

    Examples
    --------
    >>> from evalstats.examples import example_metric_table
    >>> measures = example_metric_table()
    >>> measures.shape, float(measures.loc["C4.5", "Acc"])
    ((8, 9), 75.5)
    """
    import pandas as pd

    known = tuple(name for name, source in SOURCES.items() if source.layout == "measures")
    return pd.read_csv(example_path(_checks.choice(name, "name", known)), index_col=0)


def example_table(name: str) -> ScoreTable:
    """Read a published table of scores, or compute one from the bundled predictions or answers.

    Parameters
    ----------
    name : str
        One of `example_names`.

    Returns
    -------
    ScoreTable
        The printed scores, or scores computed from the predictions or answers. Greater is better.

    Examples
    --------
    >>> from evalstats.examples import example_table
    >>> table = example_table("demsar-2006")
    >>> table.scores.shape, table.metric
    ((14, 4), 'AUC')
    >>> table.classifiers
    ('C4.5', 'C4.5+m', 'C4.5+cf', 'C4.5+m+cf')
    """
    source = example_source(name)
    if source.layout == "measures":
        raise InvalidValueError(
            f"name must be the name of a table of scores, but {name!r} holds several metrics of one "
            "dataset: see example_metric_table"
        )
    return read_table(
        example_path(name), layout=source.layout, metric=source.metric, unit=source.unit, greater_is_better=True
    )
