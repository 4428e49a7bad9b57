"""What holds for every agreement coefficient stands here, once."""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import evalstats
from evalstats import agreement
from evalstats._result import EstimateResult, HypothesisTestResult
from evalstats.agreement import AgreementResult, clusterings, cohen_kappa_table, fleiss_kappa

# each takes ratings of shape (..., n_instances, 2)
COEFFICIENTS: dict[str, Callable[..., Any]] = {
    "cohen_kappa": lambda r, **choices: agreement.cohen_kappa(r[..., 0], r[..., 1], **choices),
    "cohen_kappa, linear": lambda r, **choices: agreement.cohen_kappa(
        r[..., 0], r[..., 1], labels=range(3), weights="linear", **choices
    ),
    "cohen_kappa, matrix": lambda r, **choices: agreement.cohen_kappa(
        r[..., 0], r[..., 1], labels=range(3), weights=[[1, 0.7, 0.1], [0.2, 1, 0.4], [0.3, 0.9, 1]], **choices
    ),
    "scott_pi": lambda r, **choices: agreement.scott_pi(r[..., 0], r[..., 1], **choices),
    "fleiss_kappa": agreement.fleiss_kappa,
    "gwet_ac1": lambda r, **choices: agreement.gwet_ac1(r, labels=range(3), **choices),
    "krippendorff_alpha": agreement.krippendorff_alpha,
    "krippendorff_alpha, ordinal": lambda r, **choices: agreement.krippendorff_alpha(r, level="ordinal", **choices),
    "krippendorff_alpha, interval": lambda r, **choices: agreement.krippendorff_alpha(r, level="interval", **choices),
    "krippendorff_alpha, ratio": lambda r, **choices: agreement.krippendorff_alpha(r, level="ratio", **choices),
    "light_kappa": lambda r, **choices: agreement.light_kappa(r, labels=range(3), **choices),
}
every = pytest.mark.parametrize("coefficient", COEFFICIENTS.values(), ids=COEFFICIENTS.keys())

RATINGS = np.array([[0, 0], [1, 1], [2, 2], [1, 1], [0, 1], [2, 2], [0, 0], [2, 1], [1, 1], [0, 0], [2, 2], [1, 2]])
# labels of clusters have no names in common: their scores are no results with a test
CLUSTERINGS = {name: getattr(agreement, name) for name in clusterings.__all__}
PUBLIC = {
    name: getattr(agreement, name)
    for name in agreement.__all__
    if inspect.isfunction(getattr(agreement, name)) and name not in CLUSTERINGS
}


def batch_of_ratings() -> Any:
    """Ordinary problems, and one each with complete agreement, one label only, and labels that never vary."""
    ratings = np.random.default_rng(1).integers(0, 3, (2, 4, 12, 2))
    ratings[0, 0, :, 1] = ratings[0, 0, :, 0]
    ratings[0, 1] = 1
    ratings[1, 0] = [0, 1]
    return ratings


def test_every_coefficient_stands_in_this_file() -> None:
    """From tables and counts they are tested in their own files; a matrix of estimates is no result."""
    here = {name.partition(",")[0] for name in COEFFICIENTS}

    others = ("_table", "_counts", "_matrix", "alternative_annotator_test", "label_variation")
    assert {name for name in PUBLIC if not name.endswith(others)} == here


@every
def test_it_is_an_estimate_and_a_test(coefficient: Callable[..., Any]) -> None:
    result = coefficient(RATINGS)

    statistic, pvalue = result

    assert isinstance(result, AgreementResult)
    assert isinstance(result, EstimateResult)
    assert isinstance(result, HypothesisTestResult)
    assert (statistic, pvalue) == (result.statistic, result.pvalue)
    assert all(type(v) is float for v in (result.estimate, result.standard_error, statistic, pvalue))
    assert type(result.n_instances) is int
    assert result.reason is None


@every
def test_result_is_a_frozen_record_of_plain_values(coefficient: Callable[..., Any]) -> None:
    result = coefficient(RATINGS)
    record = result.to_dict()

    with pytest.raises(dataclasses.FrozenInstanceError):
        result.estimate = 0.0
    assert list(record)[:2] == ["estimate", "standard_error"]
    assert not [name for name in record if name.startswith("_")]
    assert json.loads(json.dumps(record)).keys() == record.keys()


@pytest.mark.parametrize("name", PUBLIC)
def test_data_by_position_choices_by_keyword(name: str) -> None:
    kinds = {p.name: p.kind for p in inspect.signature(PUBLIC[name]).parameters.values()}
    data = {"y", "y1", "y2", "table", "ratings", "annotators", "judge"}

    assert all((kind is inspect.Parameter.KEYWORD_ONLY) == (p not in data) for p, kind in kinds.items())


@pytest.mark.parametrize("name", PUBLIC)
def test_docstring_lets_a_stranger_use_the_function(name: str) -> None:
    doc = inspect.getdoc(PUBLIC[name]) or ""

    assert [s for s in ("Parameters", "Returns", "Raises", "Examples") if f"{s}\n{'-' * len(s)}" not in doc] == []


@pytest.mark.sampled
@every
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_batch_equals_the_loop_over_its_members(coefficient: Callable[..., Any], alternative: str) -> None:
    """To the last bit, degenerate members included, and without a warning."""
    ratings = batch_of_ratings()

    batch = coefficient(ratings, alternative=alternative)

    assert batch.estimate.shape == batch.reason.shape == (2, 4)
    for at in np.ndindex(2, 4):
        member = coefficient(ratings[at], alternative=alternative)
        for field in ("estimate", "standard_error", "statistic", "pvalue"):
            np.testing.assert_array_equal(getattr(batch, field)[at], getattr(member, field), err_msg=field)
        assert (batch.method[at], batch.reason[at]) == (member.method, member.reason)
        for method in ("wald", "fisher"):
            here, there = batch.confidence_interval(method=method), member.confidence_interval(method=method)
            np.testing.assert_array_equal([here.low[at], here.high[at]], list(there))


@every
def test_case_order_does_not_matter(coefficient: Callable[..., Any]) -> None:
    here, there = coefficient(RATINGS), coefficient(RATINGS[::-1])

    assert there.estimate == pytest.approx(here.estimate, rel=1e-14)
    assert there.standard_error == pytest.approx(here.standard_error, rel=1e-13)


@every
def test_more_agreement_than_by_chance_is_greater(coefficient: Callable[..., Any]) -> None:
    both, greater, less = (coefficient(RATINGS, alternative=a) for a in ("two-sided", "greater", "less"))

    assert both.statistic == greater.statistic == less.statistic > 0
    if both.method in ("exact", "monte-carlo"):  # what is observed counts on either side
        assert greater.pvalue <= both.pvalue < 0.05
        assert less.pvalue + greater.pvalue > 1
    else:
        assert both.pvalue == pytest.approx(2 * greater.pvalue, rel=1e-12)
        assert less.pvalue == pytest.approx(1 - greater.pvalue, rel=1e-12)


@every
def test_pvalue_is_that_of_the_named_distribution(coefficient: Callable[..., Any]) -> None:
    result = coefficient(RATINGS)
    if result.method in ("exact", "monte-carlo"):
        result = coefficient(RATINGS, method="t")
    distribution = stats.norm if result.method == "normal" else stats.t(len(RATINGS) - 1)

    assert result.pvalue == pytest.approx(2 * distribution.sf(result.statistic), rel=1e-12)


@every
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_wald_interval_is_the_estimate_and_its_error(coefficient: Callable[..., Any], level: float) -> None:
    result = coefficient(RATINGS)
    # Cohen's standard error is that of a large sample; the others come from the spread of the cases
    is_cohen = isinstance(result, agreement.CohenKappaResult)
    margin = np.sqrt((stats.chi2(1) if is_cohen else stats.f(1, len(RATINGS) - 1)).ppf(level)) * result.standard_error

    interval = result.confidence_interval(level)

    expected = max(-1.0, result.estimate - margin), min(1.0, result.estimate + margin)
    assert tuple(interval) == pytest.approx(expected, rel=1e-12)
    assert (interval.confidence_level, interval.attained_level) == (level, level)


@every
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_fisher_interval_is_symmetric_in_atanh(coefficient: Callable[..., Any], level: float) -> None:
    result = coefficient(RATINGS)
    low, high = result.confidence_interval(level, method="fisher")

    assert -1 < low < result.estimate < high < 1
    assert math.atanh(low) + math.atanh(high) == pytest.approx(2 * math.atanh(result.estimate), rel=1e-9)


@every
@pytest.mark.parametrize("method", ["wald", "fisher"])
def test_one_sided_interval_ends_where_the_range_does(coefficient: Callable[..., Any], method: str) -> None:
    low, high = coefficient(RATINGS).confidence_interval(0.9, method=method)
    own = coefficient(RATINGS, alternative="less").confidence_interval(0.95, method=method)
    greater = coefficient(RATINGS, alternative="greater").confidence_interval(0.95, method=method)

    assert tuple(greater) == pytest.approx((low, 1), rel=1e-12)
    assert own.high == pytest.approx(high, rel=1e-12)
    assert own.low in (-1, -math.inf)


@every
@pytest.mark.parametrize("method", ["wald", "fisher"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_complete_agreement_leaves_room_for_doubt(
    coefficient: Callable[..., Any], method: str, alternative: str
) -> None:
    """A point of no width would claim what ten cases cannot know."""
    result = coefficient(np.repeat(np.arange(10) % 3, 2).reshape(10, 2), alternative=alternative)
    low, high = result.confidence_interval(method=method)

    assert (result.estimate, result.standard_error, high) == (1, 0, 1)
    assert -1 <= low < 0.9
    assert "of every instance agree" in str(result.reason)


def test_the_doubt_is_that_of_clopper_and_pearson() -> None:
    result = cohen_kappa_table([[12, 0], [0, 8]])
    share = stats.binomtest(0, 20).proportion_ci(0.95).high

    low = result.confidence_interval().low

    assert low == pytest.approx(1 - share / (1 - result.chance_agreement), rel=1e-12)


@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=3, max_size=3), st.floats(0.01, 0.999))
def test_no_interval_leaves_the_range(table: list[list[int]], level: float) -> None:
    if np.sum(table):
        result = cohen_kappa_table(table)
        for method in ("wald", "fisher"):
            low, high = result.confidence_interval(level, method=method)

            assert math.isnan(low) == math.isnan(high) == (not (result.standard_error > 0 or result.estimate == 1))
            if not math.isnan(low):
                assert -1 <= low <= result.estimate <= high <= 1


def test_fisher_keeps_its_level_where_wald_does_not() -> None:
    """Two labels with shares .8 and .2, kappa 0.95, 200 cases: of a thousand Wald intervals 100 miss, not 50."""
    shares = 0.05 * np.outer([0.8, 0.2], [0.8, 0.2]) + 0.95 * np.diag([0.8, 0.2])
    tables = np.random.default_rng(2).multinomial(200, shares.ravel(), size=20000).reshape(-1, 2, 2)
    result = cohen_kappa_table(tables)

    def covered(method: str) -> Any:
        low, high = result.confidence_interval(method=method)
        return np.mean((low <= 0.95) & (high >= 0.95))

    assert covered("fisher") == pytest.approx(0.96, abs=0.01)
    assert covered("wald") == pytest.approx(0.90, abs=0.01)


@every
def test_one_label_gives_nan_without_a_warning(coefficient: Callable[..., Any]) -> None:
    result = coefficient(np.ones((8, 2), dtype=int))

    if result.reason is not None:  # AC1 knows that there are three labels
        numbers = [result.estimate, result.standard_error, *result, *result.confidence_interval()]
        assert np.isnan(numbers).all() or result.estimate == 1


@every
def test_unknown_choices_are_refused(coefficient: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="alternative must be 'two-sided' or 'less' or 'greater', not 'more'"):
        coefficient(RATINGS, alternative="more")
    with pytest.raises(ValueError, match="method must be 'wald' or 'fisher', not 'exact'"):
        coefficient(RATINGS).confidence_interval(method="exact")
    with pytest.raises(ValueError, match="confidence_level must lie between 0 and 1, not 95"):
        coefficient(RATINGS).confidence_interval(95)


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ([1, 2, 3], "ratings must be a regular array of shape (n_instances, n_raters)"),
        ([[1, 2], [1]], "ratings must be a regular array of shape (n_instances, n_raters)"),
        ([], "ratings must be a regular array of shape (n_instances, n_raters)"),
        ([[1], [2]], "ratings must hold the labels of two raters or more"),
        ([[None, None]], "all are missing"),
        ([["a", 1]], "ratings"),
    ],
)
@pytest.mark.parametrize("name", ["fleiss_kappa", "gwet_ac1", "krippendorff_alpha"])
def test_bad_ratings_are_refused(name: str, ratings: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        PUBLIC[name](ratings)

    assert isinstance(caught.value, evalstats.EvalstatsError)
    assert message in str(caught.value)


@pytest.mark.parametrize("missing", [None, math.nan])
def test_a_missing_text_is_no_label(missing: Any) -> None:
    """Numpy would make nan among texts the text 'nan'."""
    ratings = [["a", "a"], ["b", missing], ["b", "b"], ["a", "b"]]

    assert agreement.gwet_ac1(ratings).labels == ("a", "b")
    assert agreement.krippendorff_alpha(ratings).n_ratings == 6


def test_ratings_in_many_wrappings_are_the_same() -> None:
    import pandas as pd

    numbers = np.array([[1, 1, 2], [2, np.nan, 2], [3, 3, 3], [np.nan, 1, 1]])
    expected = agreement.krippendorff_alpha(numbers).estimate
    wrapped = [
        np.where(np.isnan(numbers), None, numbers),
        np.ma.masked_invalid(numbers),
        pd.DataFrame(numbers),
        pd.DataFrame(numbers).astype("Int64"),
        np.where(np.isnan(numbers), None, np.array([None, "x", "y", "z"])[np.nan_to_num(numbers).astype(int)]),
    ]

    assert [agreement.krippendorff_alpha(w).estimate for w in wrapped] == [expected] * len(wrapped)


def test_input_is_left_alone() -> None:
    ratings = RATINGS.astype(float)
    ratings.flags.writeable = False
    counts = np.array([[2, 0], [1, 1], [0, 2]])
    counts.flags.writeable = False

    for coefficient in COEFFICIENTS.values():
        coefficient(ratings)
    fleiss_kappa(counts=counts)
