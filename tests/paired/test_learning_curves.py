"""Learning curves of two classifiers: corrected t-tests at several sizes, with a simultaneous band."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.paired import corrected_ttest, learning_curve_test

N_TRAIN = [20, 50, 100, 200]
SIZES = {"n_train": N_TRAIN, "n_test": 50}
ALTERNATIVES = ["two-sided", "less", "greater"]


def curves(n_repeats: int = 10, seed: int = 1, batch: tuple[int, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    """Return two learning curves that cross, with correlated sizes."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 0.02, (2, *batch, n_repeats, 1))
    mean = np.array([[0.60, 0.70, 0.78, 0.84], [0.66, 0.73, 0.78, 0.80]]).reshape(2, *(1,) * len(batch), 1, 4)
    x, y = np.round(mean + shared + rng.normal(0, 0.01, (2, *batch, n_repeats, 4)), 3)
    return x, y


def test_two_repeats_by_hand() -> None:
    """Differences 0.1 and 0.3 at one size, with equal training and test sets: t = 0.2 / sqrt((1/2 + 1) 0.02)."""
    result = learning_curve_test([[0.5, 0.5], [0.7, 0.6]], [[0.4, 0.5], [0.4, 0.5]], n_train=[10, 20], n_test=10)
    t = 0.2 / math.sqrt(1.5 * 0.02)
    p = 1 - 2 / math.pi * math.atan(t)

    assert result.statistic[0] == pytest.approx(t, rel=1e-12)
    assert result.unadjusted_pvalue[0] == pytest.approx(p, rel=1e-12)
    assert result.pvalue[0] == pytest.approx(1 - (1 - p) ** 2, rel=1e-12)
    assert result.standard_error[1] == pytest.approx(0.05 * math.sqrt(2) * math.sqrt(0.5 + 0.5), rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_each_size_is_corrected_ttest(alternative: str) -> None:
    x, y = curves()

    result = learning_curve_test(x, y, n_train=N_TRAIN, n_test=10, alternative=alternative)

    for j, n_train in enumerate(N_TRAIN):
        alone = corrected_ttest(x[:, j], y[:, j], n_train=n_train, n_test=10, alternative=alternative)
        assert result.statistic[j] == pytest.approx(alone.statistic, rel=1e-13)
        assert result.unadjusted_pvalue[j] == pytest.approx(alone.pvalue, rel=1e-12)
        assert result.correlation[j] == pytest.approx(alone.correlation, rel=1e-15)


def test_parts_of_the_instances_have_one_correlation() -> None:
    """With n_instances, each size has the correction of a split into n_test and all other instances."""
    x, y = curves()

    result = learning_curve_test(x, y, **SIZES, n_instances=250)

    for j in range(4):
        alone = corrected_ttest(x[:, j], y[:, j], n_train=200, n_test=50)
        assert result.statistic[j] == pytest.approx(alone.statistic, rel=1e-13)
    assert result.correlation.tolist() == [0.2] * 4
    np.testing.assert_array_equal(result.statistic[-1], learning_curve_test(x, y, **SIZES).statistic[-1])


@pytest.mark.sampled
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("adjust", ["sidak", "max-t"])
def test_band_excludes_zero_where_the_adjusted_pvalue_is_significant(adjust: str, alternative: str) -> None:
    x, y = curves(40, batch=(6,))
    result = learning_curve_test(x, y, **SIZES, n_instances=250, adjust=adjust, alternative=alternative)

    for alpha in (0.01, 0.05, 0.4):
        low, high = result.confidence_interval(1 - alpha)
        np.testing.assert_array_equal((low > 0) | (high < 0), result.pvalue <= alpha)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_max_t_is_between_one_size_and_bonferroni(alternative: str) -> None:
    x, y = curves(30)
    result = learning_curve_test(x, y, **SIZES, adjust="max-t", alternative=alternative)

    assert (result.pvalue >= result.unadjusted_pvalue).all()
    assert (result.pvalue <= np.minimum(4 * result.unadjusted_pvalue, 1)).all()
    low, high = result.confidence_interval()
    wide_low, wide_high = learning_curve_test(x, y, **SIZES, alternative=alternative).confidence_interval()
    assert ((low >= wide_low) & (high <= wide_high)).all()


@pytest.mark.parametrize("n_repeats", [2, 3, 4])
def test_max_t_takes_fewer_repeats_than_sizes(n_repeats: int) -> None:
    """The estimated correlation is singular. Two repeats have the correlations 1 and -1: one size, in two sides."""
    x, y = curves(n_repeats)
    result = learning_curve_test(x, y, **SIZES, adjust="max-t")

    assert ((result.pvalue >= result.unadjusted_pvalue) & (result.pvalue <= 1)).all()
    if n_repeats == 2:
        assert result.pvalue == pytest.approx(result.unadjusted_pvalue, abs=3e-4)


def test_band_of_one_learner_is_of_its_own_scores() -> None:
    x, y = curves()
    result = learning_curve_test(x, y, **SIZES, alternative="less")
    quantile = stats.t.ppf((1 + 0.95**0.25) / 2, 9)

    for learner, scores in (("x", x), ("y", y)):
        error = scores.std(axis=0, ddof=1) * np.sqrt(1 / 10 + 50 / np.array(N_TRAIN))
        low, high = result.score_band(learner)
        assert low == pytest.approx(scores.mean(axis=0) - quantile * error, rel=1e-12)
        assert high == pytest.approx(scores.mean(axis=0) + quantile * error, rel=1e-12)


def test_winners_are_the_larger_means_at_significant_sizes() -> None:
    x, y = curves(30)
    result = learning_curve_test(x, y, **SIZES, n_instances=250)

    assert result.winners(0.12).tolist() == [-1, 0, 0, 1]
    assert learning_curve_test(y, x, **SIZES, n_instances=250).winners(0.12).tolist() == [1, 0, 0, -1]
    errors = learning_curve_test(1 - x, 1 - y, **SIZES, n_instances=250, greater_is_better=False)
    assert errors.winners(0.12).tolist() == result.winners(0.12).tolist()
    assert result.winners(1e-9).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("adjust", ["sidak", "max-t"])
def test_swapping_negates_and_repeats_have_no_order(adjust: str) -> None:
    x, y = curves()
    result = learning_curve_test(x, y, **SIZES, adjust=adjust)
    swapped = learning_curve_test(y, x, **SIZES, adjust=adjust)
    shuffled = learning_curve_test(x[::-1], y[::-1], **SIZES, adjust=adjust)

    np.testing.assert_array_equal(swapped.statistic, -result.statistic)
    np.testing.assert_array_equal(swapped.pvalue, result.pvalue)
    assert shuffled.pvalue == pytest.approx(result.pvalue, rel=1e-9)


@pytest.mark.parametrize("adjust", ["sidak", "max-t"])
def test_batch_equals_its_members(adjust: str) -> None:
    x, y = curves(6, batch=(2, 3))
    batch = learning_curve_test(x, y[:1], **SIZES, adjust=adjust)
    low, high = batch.confidence_interval()

    for at in np.ndindex(2, 3):
        member = learning_curve_test(x[at], y[0, at[1]], **SIZES, adjust=adjust)
        np.testing.assert_array_equal(batch.pvalue[at], member.pvalue)
        np.testing.assert_array_equal(batch.standard_error_x[at], member.standard_error_x)
        np.testing.assert_array_equal([low[at], high[at]], [*member.confidence_interval()])
    assert str(batch).startswith("LearningCurveTestResult (")


@pytest.mark.parametrize("adjust", ["sidak", "max-t"])
def test_sizes_without_variance_have_a_reason(adjust: str) -> None:
    x, y = curves()
    y = y.copy()
    y[:, 0] = x[:, 0]
    y[:, 1] = x[:, 1] - 0.125
    result = learning_curve_test(x, y, **SIZES, adjust=adjust)
    low, high = result.confidence_interval()

    assert result.pvalue[0] == 1
    assert math.isnan(result.pvalue[1])
    assert result.statistic[1] == math.inf
    assert np.isfinite(result.pvalue[2:]).all()
    assert result.reason.startswith(
        "at 1 of 4 sizes, x and y are equal in every repeat; at 1 of 4 sizes, x and y differ"
    )
    assert np.isnan([low[:2], high[:2]]).all()
    assert np.isfinite([low[2:], high[2:]]).all()
    assert result.winners(0.999)[:2].tolist() == [0, 0]


@pytest.mark.parametrize("adjust", ["sidak", "max-t"])
def test_identical_classifiers_have_p_one_everywhere(adjust: str) -> None:
    x, _ = curves()
    result = learning_curve_test(x, x, **SIZES, adjust=adjust)

    assert result.pvalue.tolist() == [1, 1, 1, 1]
    assert np.isnan([*result.confidence_interval()]).all()
    assert result.reason == "at 4 of 4 sizes, x and y are equal in every repeat"


def test_scores_of_one_learner_without_variance_have_no_band() -> None:
    x, y = curves()
    x = x.copy()
    x[:, 2] = 0.7
    low, high = learning_curve_test(x, y, **SIZES).score_band("x")

    assert np.isnan([low[2], high[2]]).all()
    assert np.isfinite(low[[0, 1, 3]]).all()


def test_names_of_columns_are_kept() -> None:
    x, y = curves()
    named = learning_curve_test(pd.DataFrame(x, columns=["10%", "25%", "50%", "100%"]), y, **SIZES)

    assert named.sizes == ("10%", "25%", "50%", "100%")
    assert named.to_frame()["size"].tolist() == ["10%", "25%", "50%", "100%"]
    assert learning_curve_test(x, y, **SIZES).sizes == (20, 50, 100, 200)
    with pytest.raises(InvalidValueError, match="x and y"):
        learning_curve_test(pd.DataFrame(x, columns=list("abcd")), pd.DataFrame(y, columns=list("abdc")), **SIZES)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n_train": [1, 2, 3]}, r"n_train must have a size for each of the 4 columns, but its shape is \(3,\)"),
        ({"n_train": [20, 50, 50, 200]}, r"n_train must be in increasing order, but it is \[20.0, 50.0, 50.0, 200.0\]"),
        ({"n_train": [0, 50, 100, 200]}, "n_train must be at least 1, not 0"),
        ({"n_test": 0.5}, r"n_test must be at least 1, not 0\.5"),
        ({"n_test": [1, 2]}, r"n_test must be one size, or one size for each column, but its shape is \(2,\)"),
        ({"n_instances": 249}, r"n_instances must be at least 250 \(n_train \+ n_test\), not 249"),
        ({"n_instances": math.nan}, "n_instances must be finite"),
        ({"n_train": [20, 50, 100, math.inf]}, "n_train must be finite"),
        ({"adjust": "holm"}, "adjust must be 'sidak' or 'max-t', not 'holm'"),
        ({"alternative": "more"}, "alternative must be"),
    ],
)
def test_refuses_wrong_options(changed: dict[str, object], message: str) -> None:
    x, y = curves()
    with pytest.raises(InvalidValueError, match=message):
        learning_curve_test(x, y, **(SIZES | changed))


def test_refuses_wrong_scores() -> None:
    x, y = curves()
    with pytest.raises(
        InvalidValueError, match=r"x must have the shape \(n_repeats, n_sizes\), with 2 repeats or more"
    ):
        learning_curve_test(x[:1], y[:1], **SIZES)
    with pytest.raises(InvalidValueError, match=r"x must have the shape \(n_repeats, n_sizes\)"):
        learning_curve_test(x[0], y[0], **SIZES)
    with pytest.raises(InvalidValueError, match="the leading axes of x and y must broadcast"):
        learning_curve_test(x, y[:5], **SIZES)
    with pytest.raises(InvalidValueError, match="y must be finite"):
        learning_curve_test(x, np.where(y > 0.8, np.nan, y), **SIZES)
    with pytest.raises(InvalidTypeError, match="n_test must be numbers"):
        learning_curve_test(x, y, n_train=N_TRAIN, n_test="50")
    with pytest.raises(InvalidValueError, match="learner must be 'x' or 'y', not 'z'"):
        learning_curve_test(x, y, **SIZES).score_band("z")
