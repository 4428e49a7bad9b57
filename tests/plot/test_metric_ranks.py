"""Ranks by metric: a row for each metric, the dots of a classifier joined, whoever is ahead on the left."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from evalstats import compare, example_table
from evalstats.comparison import ComparisonByMetric
from evalstats.plot import ranks_by_metric


def found(k: int = 3, names: str = "ABC") -> ComparisonByMetric:
    """Compare classifiers that f1 ranks the other way round."""
    scores = np.linspace(0, 1, 12)[:, None] + np.arange(k) / 2
    columns = list(names) if k == len(names) else [f"classifier {i}" for i in range(k)]
    tables = {"accuracy": scores, "$f_1$": -scores, "log loss": 9 - scores}
    return compare({m: pd.DataFrame(x, columns=columns) for m, x in tables.items()}, metric=list(tables))


def lines(ax: object) -> dict[str, list[float]]:
    return {line.get_label(): line.get_xdata().tolist() for line in ax.lines}


def caption(ax: object) -> str:
    return ax.get_xlabel().replace("\n", " ")


@pytest.mark.sampled
@pytest.mark.parametrize("k", [2, 3, 40, 179])
def test_any_number_is_legible(k: int, assert_legible) -> None:
    assert_legible(ranks_by_metric(found(k), title="A title of the picture"))


def test_given_axes_are_legible(assert_legible) -> None:
    assert_legible(ranks_by_metric(found(40), Figure(figsize=(5, 3), layout="constrained").add_subplot()))


def test_lines_hold_the_mean_ranks_by_each_metric() -> None:
    ax = ranks_by_metric(found())

    assert [label.get_text() for label in ax.get_yticklabels()] == ["accuracy", "$f_1$", "log loss"]
    assert lines(ax) == {"C": [1, 3, 1], "B": [2, 2, 2], "A": [3, 1, 3]}
    assert caption(ax).startswith("Mean ranks over 12 datasets by each metric; 1 is the best. If two lines cross,")


def test_others_are_grey_dots_that_are_counted() -> None:
    ax = ranks_by_metric(found(), max_shown=1)

    assert set(lines(ax)) == {"C", "_others"}
    assert caption(ax).endswith("Gray dots: the 2 other classifiers.")


def test_one_dataset_has_ranks_of_scores() -> None:
    rows = {"classifier": ["A"] * 4 + ["B"] * 4, "case": [1, 2, 3, 4] * 2, "y_true": [1, 0, 1, 0] * 2}
    ax = ranks_by_metric(compare(rows | {"y_pred": [1, 0, 1, 1, 0, 0, 1, 1]}, metric=["accuracy", "f1"], pos_label=1))

    assert lines(ax) == {"A": [1, 1], "B": [2, 2]}
    assert caption(ax).startswith("Ranks of the classifiers by each metric; 1 is the best.")


def test_one_metric_is_refused() -> None:
    with pytest.raises(TypeError, match="comparison must be a result of compare for several metrics, not Comparison"):
        ranks_by_metric(compare(example_table("demsar-2006")))
    with pytest.raises(ValueError, match="ax must have space for 3 metrics"):
        ranks_by_metric(found(), Figure(figsize=(4, 0.1)).add_subplot())
