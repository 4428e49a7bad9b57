from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from evalstats import mcnemar_test
from evalstats.paired.metric_permutation import MetricPermutationTestResult, metric_permutation_test

ALTERNATIVES = ["two-sided", "less", "greater"]

# the second classifier misses three of the five positive cases
Y_TRUE = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
X = [1, 1, 1, 1, 1, 0, 0, 0, 0, 1]
Y = [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]


def two_classifiers(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y_true = rng.random(n) < 0.4
    right = rng.random((2, n)) < [[0.85], [0.7]]
    return y_true.astype(int), *np.where(right, y_true, ~y_true).astype(int)


def definition(
    score: Callable[[np.ndarray, np.ndarray], float],
    y_true: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    groups: np.ndarray,
    alternative: str,
) -> float:
    """Return the share of all exchanges of groups that make the difference as extreme: Yeh (2000), one by one."""
    observed = score(y_true, x) - score(y_true, y)
    sign = {"two-sided": 0, "less": -1, "greater": 1}[alternative]
    extreme = []
    for exchanged in itertools.product([False, True], repeat=len(np.unique(groups))):
        swap = np.array(exchanged)[np.unique(groups, return_inverse=True)[1]]
        difference = score(y_true, np.where(swap, y, x)) - score(y_true, np.where(swap, x, y))
        far, bound = (sign * difference, sign * observed) if sign else (abs(difference), abs(observed))
        extreme.append(far >= bound - 1e-12)
    return float(np.mean(extreme))


def f1(true: np.ndarray, predicted: np.ndarray) -> float:
    return float(sklearn_metrics.f1_score(true, predicted))


def test_three_discordant_cases_by_hand() -> None:
    """The exchange of none or of all three is as extreme: 2 of 8."""
    result = metric_permutation_test(Y_TRUE, X, Y)

    assert (result.score_x, result.score_y) == (10 / 11, 0.5)
    assert (result.pvalue, result.method, result.n_resamples) == (0.25, "exact", None)
    assert (result.n_instances, result.n_exchangeable, result.n_undefined, result.reason) == (10, 3, 0, None)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [20, 300, 3000])
def test_accuracy_is_the_exact_mcnemar_test(n: int, alternative: str) -> None:
    y_true, x, y = two_classifiers(n)
    mcnemar = mcnemar_test(x == y_true, y == y_true, alternative=alternative)

    result = metric_permutation_test(y_true, x, y, metric="accuracy", alternative=alternative, method="exact")

    assert result.pvalue == pytest.approx(mcnemar.pvalue, rel=1e-12)
    assert result.difference == pytest.approx(mcnemar.difference, abs=1e-15)
    assert result.standard_error == pytest.approx(math.sqrt(mcnemar.n_discordant) / n, rel=1e-12)


def test_error_rate_is_accuracy_turned_around() -> None:
    y_true, x, y = two_classifiers(100)
    accuracy = metric_permutation_test(y_true, x, y, metric="accuracy", alternative="greater")

    assert metric_permutation_test(y_true, x, y, metric="error_rate", alternative="less").pvalue == pytest.approx(
        accuracy.pvalue, rel=1e-12
    )


@pytest.mark.sampled
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("metric", ["f1", "matthews_corrcoef", "balanced_accuracy", "cohen_kappa"])
def test_exact_pvalue_is_its_definition(metric: str, alternative: str) -> None:
    y_true, x, y = two_classifiers(30, seed=3)
    scores = {
        "f1": sklearn_metrics.f1_score,
        "matthews_corrcoef": sklearn_metrics.matthews_corrcoef,
        "balanced_accuracy": sklearn_metrics.balanced_accuracy_score,
        "cohen_kappa": sklearn_metrics.cohen_kappa_score,
    }
    differs = np.flatnonzero(x != y)[:5]
    y[np.setdiff1d(np.flatnonzero(x != y), differs)] = x[np.setdiff1d(np.flatnonzero(x != y), differs)]
    groups = np.zeros(30, dtype=int)
    groups[differs] = np.arange(1, len(differs) + 1)

    result = metric_permutation_test(y_true, x, y, metric=metric, alternative=alternative, method="exact")

    assert result.pvalue == pytest.approx(definition(scores[metric], y_true, x, y, groups, alternative), rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_groups_are_exchanged_as_a_whole(alternative: str) -> None:
    y_true, x, y = two_classifiers(20, seed=5)
    groups = np.repeat(np.arange(5), 4)

    result = metric_permutation_test(y_true, x, y, clusters=groups, alternative=alternative, method="exact")

    assert result.pvalue == pytest.approx(definition(f1, y_true, x, y, groups, alternative), rel=1e-12)
    assert result.n_exchangeable <= 5


def test_groups_with_and_without_kinds_in_common() -> None:
    """Counts of equal groups, and the same metric as a function of the cases: two roads to one p-value."""
    y_true, x, y = np.array([1, 1, 0, 0] * 5), np.array([1, 1, 0, 1] * 5), np.array([1, 0, 0, 1] * 4 + [1, 1, 1, 0])
    groups = np.repeat(np.arange(5), 4)

    by_counts = metric_permutation_test(y_true, x, y, clusters=groups)

    assert by_counts.pvalue == metric_permutation_test(y_true, x, y, metric=f1, clusters=groups).pvalue
    assert by_counts.method == "exact"


def test_exact_area_is_its_definition_on_ranks() -> None:
    """Ranks are exchanged, so the scale of one classifier does not count."""
    rng = np.random.default_rng(2)
    y_true, x, y = np.array([0, 1] * 5), rng.permutation(10) + 1.0, rng.permutation(10) + 1.0
    groups = np.repeat(np.arange(5), 2)
    expected = definition(sklearn_metrics.roc_auc_score, y_true, x, y, groups, "two-sided")

    result = metric_permutation_test(y_true, np.exp(x), y / 7, metric="roc_auc", clusters=groups)

    assert (result.pvalue, result.method) == (expected, "exact")


def test_monte_carlo_is_near_the_exact_value() -> None:
    y_true, x, y = two_classifiers(300)
    exact = metric_permutation_test(y_true, x, y, method="exact")

    result = metric_permutation_test(y_true, x, y, method="monte-carlo", n_resamples=20_000, rng=1)

    deviation = math.sqrt(exact.pvalue * (1 - exact.pvalue) / 20_000)
    assert abs(result.pvalue - exact.pvalue) < 4 * deviation + 1e-4
    assert result.standard_error == pytest.approx(exact.standard_error, rel=0.03)
    assert (result.method, result.n_resamples) == ("monte-carlo", 20_000)


def test_monte_carlo_pvalue_is_never_zero() -> None:
    y_true = np.repeat([0, 1], 200)

    result = metric_permutation_test(y_true, y_true, 1 - y_true, method="monte-carlo", n_resamples=99, rng=1)

    assert result.pvalue == 0.01


@pytest.mark.long
@pytest.mark.parametrize("metric", ["f1", "roc_auc"])
def test_pvalue_is_uniform_where_the_classifiers_are_exchangeable(metric: str) -> None:
    rng = np.random.default_rng(11)
    pvalues = []
    for _ in range(250):
        y_true = np.arange(40) % 2
        scores = y_true + rng.normal(size=(2, 40))
        x, y = scores if metric == "roc_auc" else scores > 0.5
        pvalues.append(metric_permutation_test(y_true, x, y, metric=metric, n_resamples=99, rng=rng).pvalue)

    for alpha in (0.05, 0.1, 0.2, 0.5):
        rejected = np.mean(np.array(pvalues) <= alpha + 1e-12)
        assert rejected < alpha + 3 * math.sqrt(alpha * (1 - alpha) / 250)
        if metric == "roc_auc":
            assert rejected > alpha - 3 * math.sqrt(alpha * (1 - alpha) / 250)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swapping_mirrors(alternative: str) -> None:
    y_true, x, y = two_classifiers(80)
    mirrored = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]

    here = metric_permutation_test(y_true, x, y, alternative=alternative)
    there = metric_permutation_test(y_true, y, x, alternative=mirrored)

    assert here.pvalue == pytest.approx(there.pvalue, rel=1e-12)
    assert here.difference == -there.difference


def test_order_of_cases_and_names_of_labels_do_not_matter() -> None:
    y_true, x, y = two_classifiers(80)
    order = np.random.default_rng(1).permutation(80)
    expected = metric_permutation_test(y_true, x, y).pvalue
    words = np.array(["ham", "spam"])

    assert metric_permutation_test(y_true[order], x[order], y[order]).pvalue == expected
    assert metric_permutation_test(words[y_true], words[x], words[y]).pvalue == expected
    assert metric_permutation_test(words[1 - y_true], words[1 - x], words[1 - y], pos_label="ham").pvalue == expected


def test_seed_gives_the_same_number_and_global_state_is_left_alone() -> None:
    y_true, x, y = two_classifiers(80)
    state = np.random.get_state()[1].copy()  # noqa: NPY002 - the global state is what must not change

    pvalues = {metric_permutation_test(y_true, x, y, method="monte-carlo", rng=5).pvalue for _ in range(2)}

    assert len(pvalues) == 1
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002 - as above


@pytest.mark.parametrize("metric", ["f1", "roc_auc", f1])
@pytest.mark.parametrize("method", ["auto", "monte-carlo"])
def test_identical_predictions_have_p_one(metric: object, method: str) -> None:
    result = metric_permutation_test(Y_TRUE, X, X, metric=metric, method=method, n_resamples=19)

    assert (result.pvalue, result.difference, result.standard_error) == (1, 0, 0)
    assert "have the same prediction for every instance" in result.reason


def test_undefined_exchange_counts_as_extreme_or_as_zero() -> None:
    """After three of the eight exchanges one classifier predicts no positive case."""
    y_true, x, y = [1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0, 0, 0, 1, 0]

    careful = metric_permutation_test(y_true, x, y, metric="precision", alternative="greater")
    as_zero = metric_permutation_test(y_true, x, y, metric="precision", alternative="greater", undefined="zero")

    assert careful.n_undefined > 0
    assert as_zero.n_undefined == 0
    assert careful.pvalue >= as_zero.pvalue


def test_far_tail_is_exact() -> None:
    y_true = np.repeat([0, 1], 40)

    result = metric_permutation_test(y_true, y_true, 1 - y_true, metric="accuracy", method="exact")

    assert result.pvalue == pytest.approx(2 * 2.0**-80, rel=1e-14)


def test_result_is_a_record_of_plain_values() -> None:
    result = metric_permutation_test(Y_TRUE, X, Y)
    statistic, pvalue = result

    assert isinstance(result, MetricPermutationTestResult)
    assert (statistic, pvalue) == (result.difference, 0.25)
    assert json.loads(json.dumps(result.to_dict()))["metric"] == "f1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "more"}, "alternative must be"),
        ({"method": "asymptotic"}, "method must be 'auto' or 'exact' or 'monte-carlo'"),
        ({"n_resamples": 0}, "n_resamples must be at least 1"),
        ({"undefined": "raise"}, "undefined must be 'nan' or 'zero'"),
        ({"rng": "dice"}, "rng must be"),
    ],
)
def test_unknown_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        metric_permutation_test(Y_TRUE, X, Y, **options)


def test_too_many_exchanges_for_the_exact_test_are_refused() -> None:
    rng = np.random.default_rng(1)

    with pytest.raises(ValueError, match=r"method='exact' would take 1.1e\+12 exchanges"):
        metric_permutation_test([0, 1] * 20, rng.random(40), rng.random(40), metric="brier", method="exact")
