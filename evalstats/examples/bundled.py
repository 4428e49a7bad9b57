"""Published tables of scores, a table of predictions and a table of answers as examples, with their sources."""

from __future__ import annotations

__all__ = ["ExampleSource", "example_metric_table", "example_names", "example_path", "example_source", "example_table"]

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalstats import _checks
from evalstats._errors import InvalidValueError
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
        Authors and publication, with the place of the table in the publication.
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


def _source(entry: dict[str, Any]) -> ExampleSource:
    directions = tuple(entry.pop("greater_is_better", (True,)))
    return ExampleSource(**entry, greater_is_better=directions)


_ENTRIES = json.loads(Path(__file__).with_name("sources.json").read_text(encoding="utf-8"))
SOURCES = {name: _source(entry) for name, entry in _ENTRIES.items()}


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
    return Path(__file__).with_name(f"{name}.csv")


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
        A row for each classifier and a column for each metric, as input of `dea_efficiency`, `pareto_front` and
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
        The printed scores, or scores computed from the predictions or answers. Greater scores are better.

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
            f"name must be the name of a table of scores, but {name!r} holds several metrics on one "
            "dataset: see example_metric_table"
        )
    return read_table(
        example_path(name), layout=source.layout, metric=source.metric, unit=source.unit, greater_is_better=True
    )
