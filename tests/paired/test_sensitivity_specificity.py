from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalstats import report
from evalstats.paired import (
    mcnemar_test,
    noninferiority_test,
    sensitivity_specificity_test,
)

# data set Paired1 of the R package DTComPair: diseased and healthy patients, ++ +- -+ --
DISEASED, HEALTHY = [[319, 78], [22, 32]], [[31, 53], [22, 155]]
TRUE, X, Y = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0, *[0] * 6]


def test_published_patients() -> None:
    """Lachenbruch & Lynch (1998) by DTComPair: 31.36 + 12.8133333 with two degrees of freedom."""
    result = sensitivity_specificity_test(positives=DISEASED, negatives=HEALTHY)

    assert result.sensitivity.statistic == pytest.approx(31.36, rel=1e-14)
    assert result.specificity.statistic == pytest.approx(12.8133333333333, rel=1e-14)
    assert (result.statistic, result.df) == (pytest.approx(44.1733333333333, rel=1e-14), 2)
    assert result.pvalue == pytest.approx(2.5578939990e-10, rel=1e-9)
    assert (result.sensitivity_x, result.sensitivity_y) == (397 / 451, 341 / 451)
    assert (result.specificity_x, result.specificity_y) == (177 / 261, 208 / 261)
    assert (result.n_positive, result.n_negative, result.reason) == (451, 261, None)


def test_tradeoff_is_seen_that_accuracy_hides() -> None:
    """Three more positives and three fewer negatives are correct: 3 + 3, and no difference of the accuracies."""
    result = sensitivity_specificity_test(TRUE, X, Y)
    accuracies = mcnemar_test(counts=[[6, 3], [3, 0]], method="asymptotic", correction=False)

    assert (result.statistic, result.df, accuracies.statistic) == (6.0, 2, 0.0)
    assert result.pvalue == pytest.approx(np.exp(-3), rel=1e-14)


def test_margins_of_each_class_come_from_its_table() -> None:
    """Tango's interval within each class, and a test of its margin, use the tables of the parts."""
    part = sensitivity_specificity_test(positives=DISEASED, negatives=HEALTHY).specificity
    low, high = part.confidence_interval()

    assert part.table.tolist() == [[155, 22], [53, 31]]
    assert low < part.difference < high < 0
    assert noninferiority_test(test="accuracy", counts=part.table, margin=0.25).pvalue < 0.05


def test_swapping_x_and_y_or_the_classes_changes_no_pvalue() -> None:
    here = sensitivity_specificity_test(TRUE, X, Y)
    swapped = sensitivity_specificity_test(TRUE, Y, X)
    other_class = sensitivity_specificity_test(TRUE, X, Y, pos_label=0)

    assert here.pvalue == swapped.pvalue == other_class.pvalue
    assert swapped.sensitivity.difference == -here.sensitivity.difference
    assert other_class.sensitivity.difference == here.specificity.difference


def test_greater_of_two_names_is_positive() -> None:
    names = np.array(["healthy", "sick"])

    result = sensitivity_specificity_test(names[TRUE], names[X], names[Y])

    assert (result.n_positive, result.sensitivity_x, result.sensitivity_y) == (6, 5 / 6, 2 / 6)


def test_batch_is_the_loop() -> None:
    rng = np.random.default_rng(1)
    y_true = np.tile([0, 1], 10)
    x, y = rng.integers(0, 2, (2, 4, 20))

    batch = sensitivity_specificity_test(y_true, x, y)

    for i in range(4):
        assert batch.pvalue[i] == sensitivity_specificity_test(y_true, x[i], y[i]).pvalue
        assert batch.df[i] == sensitivity_specificity_test(y_true, x[i], y[i]).df


@pytest.mark.parametrize(
    ("positives", "negatives", "df", "pvalue"),
    [
        ([[3, 0], [0, 2]], [[1, 0], [0, 5]], 0, 1.0),
        ([[3, 4], [0, 2]], [[1, 0], [0, 5]], 1, stats.chi2.sf(4, 1)),
    ],
)
def test_class_without_discordant_instance_has_no_degree_of_freedom(positives, negatives, df, pvalue) -> None:
    result = sensitivity_specificity_test(positives=positives, negatives=negatives)

    assert result.df == df
    assert result.pvalue == pytest.approx(pvalue, rel=1e-13)
    assert result.reason is not None


def test_report_says_what_is_lost_and_gained() -> None:
    told = report.text(sensitivity_specificity_test(positives=DISEASED, negatives=HEALTHY))

    assert "sensitivity of x 0.880 and of y 0.756" in told.replace("\n", " ")
    assert "neither has higher values of both" in told.replace("\n", " ")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sensitivity_specificity_test([1, 1], [1, 0], [1, 1], pos_label=1), "it holds no negative instance"),
        (lambda: sensitivity_specificity_test(TRUE, X[:-1], Y), "y_true has 12 instances, x has 11"),
        (lambda: sensitivity_specificity_test([0, 1], [0, 2], [0, 1]), "x must hold the classes of y_true"),
        (lambda: sensitivity_specificity_test([0, 1, 2], [0, 2, 1], [0, 1, 2]), "y_true holds 3 classes"),
        (lambda: sensitivity_specificity_test([0, 1], ["a", "b"], [0, 1]), "y_true"),
        (
            lambda: sensitivity_specificity_test(positives=[[1, 2, 3]] * 3, negatives=HEALTHY),
            "positives must have the shape",
        ),
        (
            lambda: sensitivity_specificity_test(positives=DISEASED, negatives=[[0, 0], [0, 0]]),
            "negatives must hold at least one",
        ),
        (
            lambda: sensitivity_specificity_test(
                positives=pd.crosstab(pd.Series([0, 1]), pd.Series([1, 0])), negatives=HEALTHY
            ),
            "a positive prediction comes first",
        ),
        (
            lambda: sensitivity_specificity_test(TRUE, X, Y, positives=DISEASED, negatives=HEALTHY),
            "positives and negatives must be given instead of y_true and x and y, not with them",
        ),
        (
            lambda: sensitivity_specificity_test(positives=DISEASED, negatives=HEALTHY, pos_label=1),
            "positives and negatives must be given instead of pos_label, not with it",
        ),
        (lambda: sensitivity_specificity_test(positives=DISEASED), "negatives must be numbers, but negatives is None"),
    ],
)
def test_bad_input_is_named(call, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message.replace("(", r"\(")):
        call()
