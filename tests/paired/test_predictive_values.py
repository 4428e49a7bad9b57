from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.genmod.generalized_estimating_equations import GEE

from evalstats import report
from evalstats.paired import predictive_value_test

# data set Paired1 of the R package DTComPair: diseased and healthy patients, ++ +- -+ --
DISEASED, HEALTHY = [[319, 78], [22, 32]], [[31, 53], [22, 155]]
TRUE, X, Y = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0], [1, 1, 1, *[0] * 9]
# DTComPair: statistic and p-value; the ratio is that of test 2 to test 1
PUBLISHED = {
    ("positive", "score"): (5.7112407047, 0.0168566217),
    ("negative", "score"): (17.78567021, 2.472383e-5),
    ("positive", "weighted"): (5.46588744642, 0.01939120414),
    ("negative", "weighted"): (16.53540414, 4.775011601e-5),
    ("positive", "ratio"): (5.681354893, 0.01714612),
}


@pytest.mark.parametrize(("value", "method"), PUBLISHED)
def test_published_patients(value: str, method: str) -> None:
    """DTComPair's pv.gs, pv.wgs and pv.rpv."""
    result = predictive_value_test(positives=DISEASED, negatives=HEALTHY, value=value, method=method)

    assert tuple(result) == pytest.approx(PUBLISHED[value, method], rel=2e-7)


def test_published_values_and_ratios() -> None:
    positive = predictive_value_test(positives=DISEASED, negatives=HEALTHY)
    negative = predictive_value_test(positives=DISEASED, negatives=HEALTHY, value="negative")

    assert (positive.value_x, positive.value_y) == pytest.approx((0.8253638254, 0.8654822335), abs=5e-11)
    assert (negative.value_x, negative.value_y) == pytest.approx((0.7662337662, 0.6540880503), abs=5e-11)
    assert (1 / positive.ratio, positive.log_ratio_standard_error) == pytest.approx(
        (1.04860694, 0.0199124719), rel=4e-9
    )
    assert (1 / negative.ratio, negative.log_ratio_standard_error) == pytest.approx(
        (0.8536403569, 0.03783678546), rel=3e-8
    )


def long_rows(positives, negatives, value: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a row for each call: whether it is correct, who made it, and the case."""
    rows, case = [], 0
    for truth, table in ((1, positives), (0, negatives)):
        for i, by_x in enumerate((1, 0)):
            for j, by_y in enumerate((1, 0)):
                for _ in range(table[i][j]):
                    case += 1
                    wanted = 1 if value == "positive" else 0
                    rows += [(truth == wanted, who, case) for who, by in enumerate((by_x, by_y)) if by == wanted]
    correct, who, cases = np.array(rows, dtype=float).T
    return correct, who, cases


@pytest.mark.parametrize("value", ["positive", "negative"])
@pytest.mark.parametrize(
    ("positives", "negatives"), [(DISEASED, HEALTHY), ([[9, 4], [2, 5]], [[3, 7], [1, 20]]), ([[5, 1], [6, 2]],) * 2]
)
def test_score_test_is_that_of_statsmodels(value: str, positives, negatives) -> None:
    """GEE with independence, logistic link and clusters of the calls of one case."""
    correct, who, case = long_rows(positives, negatives, value)
    exog = np.column_stack([np.ones_like(who), who])
    model = GEE(correct, exog, groups=case, family=sm.families.Binomial())
    submodel = GEE(correct, exog[:, :1], groups=case, family=sm.families.Binomial()).fit()

    result = predictive_value_test(positives=positives, negatives=negatives, value=value, method="score")

    assert result.statistic == pytest.approx(float(model.compare_score_test(submodel)["statistic"]), rel=1e-9)


@pytest.mark.parametrize("value", ["positive", "negative"])
def test_standard_error_of_the_ratio_is_robust(value: str) -> None:
    """GEE with a log link (Moskowitz & Pepe 2006): the robust standard error of the coefficient."""
    correct, who, case = long_rows(DISEASED, HEALTHY, value)
    exog = np.column_stack([np.ones_like(who), who])
    fit = GEE(correct, exog, groups=case, family=sm.families.Poisson()).fit(ctol=1e-12)

    result = predictive_value_test(positives=DISEASED, negatives=HEALTHY, value=value, method="ratio")

    assert -math.log(result.ratio) == pytest.approx(fit.params[1], rel=1e-9)
    assert result.log_ratio_standard_error == pytest.approx(fit.bse[1], rel=1e-9)


def test_prevalence_of_the_sample_gives_the_values_of_the_sample() -> None:
    """If the prevalence is known, it adds nothing to the variance of the ratio."""
    share = 451 / (451 + 261)
    here, there = (
        predictive_value_test(positives=DISEASED, negatives=HEALTHY, method="ratio", prevalence=p)
        for p in (None, share)
    )

    assert (there.value_x, there.value_y) == pytest.approx((here.value_x, here.value_y), rel=1e-14)
    assert 0.95 * here.log_ratio_standard_error < there.log_ratio_standard_error < here.log_ratio_standard_error


def test_standard_error_at_a_prevalence_is_that_of_the_delta_method() -> None:
    """Finite differences of the log ratio in the eight cells, multinomial within each class."""
    counts = [np.array(DISEASED, dtype=float), np.array(HEALTHY, dtype=float)]

    def log_ratio(d: np.ndarray, h: np.ndarray) -> float:
        d, h = d / d.sum(), h / h.sum()
        of_x, of_y = (
            0.1 * a / (0.1 * a + 0.9 * b) for a, b in ((d[0].sum(), h[0].sum()), (d[:, 0].sum(), h[:, 0].sum()))
        )
        return math.log(of_x / of_y)

    variance = 0.0
    for which, table in enumerate(counts):
        gradient = np.zeros(4)
        for cell in range(4):
            ends = []
            for step in (-1e-4, 1e-4):
                moved = [one.copy() for one in counts]
                moved[which].flat[cell] += step
                ends.append(log_ratio(*moved))
            gradient[cell] = (ends[1] - ends[0]) / 2e-4
        variance += float(table.ravel() @ gradient**2)
    result = predictive_value_test(positives=DISEASED, negatives=HEALTHY, prevalence=0.1)

    assert result.method == "ratio"
    assert result.log_ratio_standard_error == pytest.approx(math.sqrt(variance), rel=1e-6)


def test_intervals_of_the_values() -> None:
    """Wilson's; at a prevalence, on the logit scale by Mercaldo, Lau & Zhou (2007)."""
    low, high = predictive_value_test(positives=DISEASED, negatives=HEALTHY).value_intervals()
    sens, spec, share = 397 / 451, 177 / 261, 0.1
    odds = sens * share / ((1 - spec) * (1 - share))
    reach = stats.norm.ppf(0.975) * math.sqrt((1 - sens) / (451 * sens) + spec / (261 * (1 - spec)))
    at = predictive_value_test(positives=DISEASED, negatives=HEALTHY, prevalence=share).value_intervals()

    assert (low[0], high[0]) == pytest.approx(
        tuple(stats.binomtest(397, 481).proportion_ci(method="wilson")), rel=1e-12
    )
    assert at.low[0] == pytest.approx(1 / (1 + math.exp(reach) / odds), rel=1e-12)
    assert at.high[0] == pytest.approx(1 / (1 + math.exp(-reach) / odds), rel=1e-12)


@pytest.mark.parametrize("method", ["weighted", "score", "ratio"])
@pytest.mark.parametrize("value", ["positive", "negative"])
def test_laws(method: str, value: str) -> None:
    """Swapping x and y keeps p; the negative value is the positive one of the other class; labels give the counts."""
    result = predictive_value_test(TRUE, X, Y, value=value, method=method)
    swapped = predictive_value_test(TRUE, Y, X, value=value, method=method)
    other = {"positive": "negative", "negative": "positive"}[value]
    mirrored = predictive_value_test(TRUE, X, Y, value=other, method=method, pos_label=0)
    batch = predictive_value_test(TRUE, [X, Y], [Y, Y], value=value, method=method)

    assert swapped.pvalue == pytest.approx(result.pvalue, rel=1e-12)
    assert swapped.difference == -result.difference
    assert mirrored.pvalue == result.pvalue
    assert batch.pvalue.tolist() == [result.pvalue, 1.0]


def test_degenerate_tables() -> None:
    """No call: no value. The same calls: p = 1. No correct call: no ratio. All correct: nothing differs."""
    no_call = predictive_value_test(positives=[[0, 0], [3, 2]], negatives=[[0, 0], [1, 5]])
    same = predictive_value_test(positives=[[3, 0], [0, 2]], negatives=[[1, 0], [0, 5]])
    no_hit = predictive_value_test(positives=[[0, 0], [3, 2]], negatives=[[0, 4], [1, 5]], method="ratio")
    all_hits = predictive_value_test(positives=[[1, 2], [3, 2]], negatives=[[0, 0], [0, 5]])

    assert math.isnan(no_call.pvalue)
    assert "predicts no instance as positive" in no_call.reason
    assert np.isnan(no_call.value_intervals().low).tolist() == [True, False]
    assert (same.statistic, same.pvalue, same.log_ratio_standard_error) == (0.0, 1.0, 0.0)
    assert "same class" in same.reason
    assert math.isnan(no_hit.pvalue)
    assert "use method='weighted'" in no_hit.reason
    assert (all_hits.statistic, all_hits.pvalue) == (0.0, 1.0)
    assert "both predictive values are 1" in all_hits.reason


def test_report_shows_the_answer() -> None:
    told = report.text(predictive_value_test(positives=DISEASED, negatives=HEALTHY)).replace("\n", " ")

    assert "Weighted score test of the positive predictive values: x 0.825, y 0.865" in told
    assert "χ²(1) = 5.466, p = 0.0194" in told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"value": "both"}, "value must be 'positive' or 'negative', not 'both'"),
        ({"method": "wald"}, "method must be 'weighted' or 'score' or 'ratio', not 'wald'"),
        ({"prevalence": 1}, "prevalence must lie between 0 and 1, not 1"),
        ({"prevalence": 0.1, "method": "score"}, "with the argument prevalence, use 'ratio'"),
    ],
)
def test_unknown_options_are_refused(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        predictive_value_test(TRUE, X, Y, **options)
