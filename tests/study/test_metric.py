"""The score of a fold is that of the metric core."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.metrics import METRICS
from evalstats.study.metric import FoldOutput, understand_metric

RNG = np.random.default_rng(5)
TRUE = RNG.integers(3, size=40)
PROBA = RNG.dirichlet([1, 1, 1], size=40)
PREDICTED = PROBA.argmax(axis=1)
BINARY = (TRUE > 0).astype(int)
TWO = RNG.random(40)


def of_three() -> FoldOutput:
    return FoldOutput(true=TRUE, predicted=PREDICTED, score=None, proba=PROBA)


def of_two() -> FoldOutput:
    proba = np.column_stack([1 - TWO, TWO])
    return FoldOutput(true=BINARY, predicted=(TWO > 0.5).astype(int), score=TWO, proba=proba)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("accuracy", sk.accuracy_score(TRUE, PREDICTED)),
        ("balanced_accuracy", sk.balanced_accuracy_score(TRUE, PREDICTED)),
        ("f1_macro", sk.f1_score(TRUE, PREDICTED, average="macro")),
        ("recall_weighted", sk.recall_score(TRUE, PREDICTED, average="weighted")),
        ("matthews_corrcoef", sk.matthews_corrcoef(TRUE, PREDICTED)),
        ("cohen_kappa", sk.cohen_kappa_score(TRUE, PREDICTED)),
        ("log_loss", sk.log_loss(TRUE, PROBA)),
    ],
)
def test_scores_of_three_classes_are_those_of_scikit_learn(name: str, expected: float) -> None:
    assert understand_metric(name).of_fold(of_three(), 3, 2) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("positive", [0, 1])
def test_scores_of_two_classes_are_those_of_scikit_learn(positive: int) -> None:
    output = of_two()
    score = TWO if positive else 1 - TWO
    output = FoldOutput(true=output.true, predicted=output.predicted, score=score, proba=output.proba)
    is_positive = positive == BINARY

    for name, expected in {
        "f1": sk.f1_score(BINARY, output.predicted, pos_label=positive),
        "roc_auc": sk.roc_auc_score(is_positive, score),
        "average_precision": sk.average_precision_score(is_positive, score),
        "brier": sk.brier_score_loss(is_positive, score),
        "log_loss": sk.log_loss(BINARY, TWO),
    }.items():
        assert understand_metric(name).of_fold(output, 2, positive) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", [name for name in METRICS if name not in ("fbeta", "precision_at_n")])
def test_every_metric_of_the_core_has_a_score(name: str) -> None:
    metric = understand_metric(name)

    assert np.isfinite(metric.of_fold(of_two(), 2, 1))
    assert metric.greater_is_better == METRICS[name].greater_is_better


def test_score_without_information_is_the_mean_over_all_pairs() -> None:
    """Every prediction against every label: the definition of the no-information rate."""
    pairs = (TRUE[:, None] == PREDICTED).mean()

    assert understand_metric("accuracy").without_information(of_three(), 3) == pytest.approx(pairs)
    assert understand_metric("error_rate").without_information(of_three(), 3) == pytest.approx(1 - pairs)


@pytest.mark.parametrize(
    ("name", "n_classes", "scheme", "message"),
    [
        ("f1", 3, "k-fold", "'f1' needs two classes, but dataset 'd' has 3; f1_macro does not"),
        ("roc_auc", 3, "k-fold", "'roc_auc' needs two classes, but dataset 'd' has 3$"),
        ("roc_auc", 2, "leave-one-out", "undefined for the single instance of a fold"),
        ("f1_macro", 2, ".632\\+", "must be 'accuracy' or 'error_rate'"),
    ],
)
def test_metric_without_a_meaning_is_refused(name: str, n_classes: int, scheme: str, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        understand_metric(name).check("d", n_classes, scheme.replace("\\", ""))


@pytest.mark.parametrize("name", ["auc", "f1_binary", "roc_auc_macro", "fbeta", "fbeta_macro", "", None, 3])
def test_unknown_metrics_are_refused(name: Any) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match="metric must be"):
        understand_metric(name)


def test_undefined_score_is_an_error_that_says_why() -> None:
    output = FoldOutput(true=np.ones(3, dtype=int), predicted=None, score=np.array([0.1, 0.2, 0.3]), proba=None)

    with pytest.raises(InvalidValueError, match=r"no negative|one class|undefined"):
        understand_metric("roc_auc").of_fold(output, 2, 1)


def test_callable_has_the_name_of_its_function() -> None:
    def my_gain(estimator: Any, cases: Any, y: Any) -> float:
        raise NotImplementedError  # only its name and its arguments are looked at

    assert (understand_metric(my_gain).name, understand_metric(my_gain).needs) == ("my_gain", "estimator")
