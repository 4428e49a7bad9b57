from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalstats import report
from evalstats.metrics import clustered_mean, cross_validated_mean

# losses of five folds of four instances
LOSSES = [int(one) for one in "0100 1100 0010 0000 1001".replace(" ", "")]
FOLD = np.repeat(range(5), 4)


@pytest.mark.parametrize(
    ("variance", "square", "limits"),
    [("within", 0.2333333, (0.0882997, 0.5117003)), ("all", 0.21, (0.0991635, 0.5008365))],
)
def test_worked_losses(variance: str, square: float, limits: tuple[float, float]) -> None:
    """Bayle et al. (2020), section 4: R = 0.3, and both variances."""
    result = cross_validated_mean(LOSSES, FOLD, variance=variance)

    assert result.estimate == pytest.approx(0.3, rel=1e-15)
    assert result.standard_error**2 * 20 == pytest.approx(square, abs=4e-8)
    assert tuple(result.confidence_interval()) == pytest.approx(limits, abs=5e-8)
    assert (result.n_instances, result.n_folds, result.n_train, result.variance) == (20, 5, 16, variance)


@pytest.mark.parametrize("sizes", [[4, 4, 4], [2, 5, 9, 3]])
def test_variances_are_those_of_a_loop_over_the_folds(sizes: list[int]) -> None:
    """Unequal folds have weights by their sizes."""
    rng = np.random.default_rng(1)
    fold = rng.permutation(np.repeat(range(len(sizes)), sizes))
    scores = rng.normal(size=(3, len(fold)))
    n = len(fold)

    within, over_all = (cross_validated_mean(scores, fold, variance=kind) for kind in ("within", "all"))

    for i, own in enumerate(scores):
        inside = sum(np.sum(fold == j) * np.var(own[fold == j], ddof=1) for j in range(len(sizes))) / n
        assert within.standard_error[i] == pytest.approx(math.sqrt(inside / n), rel=1e-12)
        assert over_all.standard_error[i] == pytest.approx(math.sqrt(np.var(own) / n), rel=1e-12)
        assert within.estimate[i] == pytest.approx(own.mean(), rel=1e-12)


def test_variance_over_all_instances_is_binomial() -> None:
    assert cross_validated_mean(LOSSES, FOLD, variance="all").standard_error == pytest.approx(
        math.sqrt(0.3 * 0.7 / 20), rel=1e-14
    )


def test_leave_one_out_uses_all_instances_and_says_so() -> None:
    result = cross_validated_mean(LOSSES, range(20))

    assert (result.variance, result.n_train) == ("all", 19)
    assert result.standard_error == cross_validated_mean(LOSSES, FOLD, variance="all").standard_error
    assert "single instance" in result.reason


def test_clusters_of_one_instance_change_nothing_but_the_distribution() -> None:
    plain = cross_validated_mean(LOSSES, FOLD)
    single = cross_validated_mean(LOSSES, FOLD, clusters=range(20))

    assert single.standard_error == pytest.approx(plain.standard_error, rel=1e-14)
    assert (plain.df, single.df, single.n_clusters) == (math.inf, 19.0, 20)
    low, _ = single.confidence_interval()
    assert low == pytest.approx(0.3 - stats.t.ppf(0.975, 19) * plain.standard_error, rel=1e-12)


def test_clusters_across_folds_are_summed() -> None:
    """With the variance over all instances, it is the clustered standard error without its factor G / (G - 1)."""
    clusters = np.arange(20) % 10
    result = cross_validated_mean(LOSSES, FOLD, clusters=clusters, variance="all")

    wanted = clustered_mean(LOSSES, clusters=clusters).standard_error * math.sqrt(9 / 10)
    assert result.standard_error == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(("score", "limit"), [(0, 1 - 0.05**0.05), (1, 0.05**0.05), (0.5, math.nan)])
def test_equal_scores_have_the_rule_of_three(score: float, limit: float) -> None:
    result = cross_validated_mean([score] * 20, FOLD)

    assert tuple(result.confidence_interval()) == (score, score)
    assert result.rule_of_three == pytest.approx(limit, rel=1e-12, nan_ok=True)
    assert "rule_of_three" in result.reason


def test_single_cluster_has_no_interval() -> None:
    result = cross_validated_mean(LOSSES, FOLD, clusters=["patient"] * 20)

    assert math.isnan(result.standard_error)
    assert math.isnan(result.confidence_interval().low)
    assert "single cluster" in result.reason


def test_interval_of_shares_stays_within_their_range() -> None:
    low, high = cross_validated_mean([0, 0, 0, 1], [1, 1, 2, 2]).confidence_interval(0.999)

    assert (low, high) == (0.0, 1.0)
    assert cross_validated_mean([0, 0, 0, 2], [1, 1, 2, 2]).confidence_interval(0.999).low < 0


def test_sentence_says_on_how_many_instances_the_models_were_trained() -> None:
    assert report.sentence(cross_validated_mean(1 - np.array(LOSSES), FOLD)) == (
        "Cross-validated mean score: 0.700 for models trained on 16 of 20 instances, standard error 0.108, 95 % "
        "interval 0.488 to 0.912."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"fold": FOLD[:-1]}, "fold must name one fold for each of the 20 instances"),
        ({"fold": [1] * 20}, "fold must name at least two folds, but all 20 instances are in fold 1"),
        ({"scores": [*LOSSES[:-1], math.nan]}, r"scores must be finite, but scores\[19\] is nan"),
        ({"variance": "between"}, "variance must be 'within' or 'all', not 'between'"),
        ({"clusters": [1, 2]}, "clusters must name one cluster for each of the 20 instances"),
    ],
)
def test_bad_input_is_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cross_validated_mean(**{"scores": LOSSES, "fold": FOLD} | arguments)
