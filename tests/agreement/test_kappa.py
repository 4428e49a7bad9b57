from __future__ import annotations

import itertools
import math
import tracemalloc
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score as sklearn_kappa
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_kappa

from evalstats.agreement import cohen_kappa, cohen_kappa_matrix, cohen_kappa_table, kappa
from evalstats.metrics import cohen_kappa_score, confusion_counts

WEIGHTS = [None, "linear", "quadratic"]
# Japkowicz, Machine Learning Evaluation, slide "Cohen's Kappa Measure: Example"; rows actual, columns predicted
TUTORIAL = [[60, 50, 10], [10, 100, 40], [30, 10, 90]]
# the standard error and the interval of this table by R's vcd::Kappa
TUTORIAL_ASE, TUTORIAL_INTERVAL = 0.03633549002, (0.3616759977, 0.5041085013)
# kappa, its standard error, 95% interval, standard error under the null, z and p as printed by SAS PROC FREQ
SAS_TABLE = [[0, 4, 1], [0, 8, 0], [0, 1, 5]]
SAS = {
    None: (0.4842, 0.1380, 0.2137, 0.7547, 0.1484, 3.2626, 0.0011),
    "linear": (0.4701, 0.1457, 0.1845, 0.7558, 0.1426, 3.2971, 0.0010),
}
# the data set anxiety of the R package irr, raters 2 and 3; kappa, z and p by irr::kappa2
RATER_2 = [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4]
RATER_3 = [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2]
IRR = {
    None: (-0.006289308, -0.0604067, 0.9518317),
    "linear": (0.1459075, 1.282472, 0.1996772),
    "quadratic": (0.2520325, 1.437451, 0.1505898),
}
USED = [1, 2, 3, 4, 6]  # the labels that raters 2 and 3 use; irr takes them for one step apart
# of labels in no order, not symmetric, so that nothing but the definition of the maximum helps
OWN_WEIGHTS = np.array([[1, 0.7, 0.1], [0.2, 1, 0.4], [0.3, 0.9, 1]])
tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 30), min_size=k, max_size=k), min_size=k, max_size=k)
)


def matrix(weights: Any, k: int) -> list[list[Fraction]]:
    """Agreement of each pair of labels, by definition."""
    if weights is None:
        return [[Fraction(i == j) for j in range(k)] for i in range(k)]
    power = 1 if weights == "linear" else 2
    return [[1 - Fraction(abs(i - j), k - 1) ** power for j in range(k)] for i in range(k)]


def transcribed(table: Any, w: Any) -> dict[str, Fraction] | None:
    """Fleiss, Cohen & Everitt (1969), in fractions; squared standard errors."""
    k, n = len(table), sum(map(sum, table))
    p = [[Fraction(int(cell), int(n)) for cell in row] for row in table]
    rows, columns = [sum(row) for row in p], [sum(row[j] for row in p) for j in range(k)]
    cells = list(itertools.product(range(k), repeat=2))
    observed = sum(w[i][j] * p[i][j] for i, j in cells)
    chance = sum(w[i][j] * rows[i] * columns[j] for i, j in cells)
    if chance == 1:
        return None
    of_row = [sum(columns[j] * w[i][j] for j in range(k)) for i in range(k)]
    of_column = [sum(rows[i] * w[i][j] for i in range(k)) for j in range(k)]
    kappa = (observed - chance) / (1 - chance)
    square = sum(p[i][j] * (w[i][j] - (of_row[i] + of_column[j]) * (1 - kappa)) ** 2 for i, j in cells)
    null = sum(rows[i] * columns[j] * (w[i][j] - (of_row[i] + of_column[j])) ** 2 for i, j in cells)
    unit = n * (1 - chance) ** 2
    return {
        "estimate": kappa,
        "observed_agreement": observed,
        "chance_agreement": chance,
        "standard_error": (square - (kappa - chance * (1 - kappa)) ** 2) / unit,
        "standard_error_null": (null - chance**2) / unit,
    }


def test_two_labels_by_hand() -> None:
    """35 of 50 cases agree, 25 would by chance, 45 at most; the null variance is 0.24 / (50 x 0.5^2)."""
    result = cohen_kappa_table([[20, 5], [10, 15]])

    assert (result.observed_agreement, result.chance_agreement) == (0.7, 0.5)
    assert result.estimate == pytest.approx(0.4, rel=1e-15)
    assert result.maximum == pytest.approx(0.8, rel=1e-15)
    assert result.standard_error_null == pytest.approx(math.sqrt(0.24 / 12.5), rel=1e-14)
    assert result.statistic == pytest.approx(0.4 / result.standard_error_null, rel=1e-15)
    assert result.pvalue == pytest.approx(math.erfc(result.statistic / math.sqrt(2)), rel=1e-12)


def test_tutorial_example() -> None:
    result = cohen_kappa_table(TUTORIAL)

    assert round(result.observed_agreement, 5) == 0.625
    assert round(result.chance_agreement, 5) == 0.33875
    assert round(result.estimate, 5) == 0.43289
    assert result.standard_error == pytest.approx(TUTORIAL_ASE, rel=1e-9)
    assert tuple(result.confidence_interval()) == pytest.approx(TUTORIAL_INTERVAL, rel=1e-9)


@pytest.mark.parametrize("weights", SAS)
def test_printout_of_sas(weights: str | None) -> None:
    result = cohen_kappa_table(SAS_TABLE, weights=weights)

    numbers = (result.estimate, result.standard_error, *result.confidence_interval(), result.standard_error_null)

    assert (*numbers, *result) == pytest.approx(SAS[weights], abs=0.00005)


@pytest.mark.parametrize("weights", IRR)
def test_printout_of_irr(weights: str | None) -> None:
    result = cohen_kappa(RATER_2, RATER_3, labels=USED, weights=weights)

    assert (result.estimate, *result) == pytest.approx(IRR[weights], rel=1e-6)


@given(tables, st.sampled_from(WEIGHTS))
def test_definition_in_fractions(table: list[list[int]], weights: str | None) -> None:
    if sum(map(sum, table)) and (expected := transcribed(table, matrix(weights, len(table)))):
        result = cohen_kappa_table(table, weights=weights)

        for name, value in expected.items():
            size = math.sqrt(value) if "error" in name else float(value)
            assert getattr(result, name) == pytest.approx(size, rel=1e-12, abs=1e-15), name


@given(st.lists(st.integers(1, 50), min_size=4, max_size=4))
def test_of_two_labels_it_is_the_chi_square_test(cells: list[int]) -> None:
    """Two roads to one number: independence of the two labelings."""
    table = np.reshape(cells, (2, 2))
    expected = stats.chi2_contingency(table, correction=False)

    result = cohen_kappa_table(table)

    assert result.statistic**2 == pytest.approx(expected.statistic, rel=1e-9, abs=1e-15)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("weights", [*WEIGHTS, OWN_WEIGHTS], ids=str)
def test_standard_error_is_the_slope_of_kappa(weights: Any) -> None:
    """The delta method by small changes of the table, which knows nothing of the formula."""
    table, h = np.array([[40.0, 10, 3], [6, 30, 9], [4, 8, 20]]), 2**20
    at = table * h
    n = table.sum()
    slopes = np.empty((3, 3))
    for cell in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[cell] = 1024
        up, down = (cohen_kappa_table(at + sign * step, weights=weights).estimate for sign in (1, -1))
        slopes[cell] = (up - down) / 2048 * n * h
    p = table / n
    variance = (p * slopes**2).sum() - (p * slopes).sum() ** 2

    assert cohen_kappa_table(table, weights=weights).standard_error == pytest.approx(math.sqrt(variance / n), rel=1e-6)


def test_null_standard_error_is_the_spread_of_independent_labelings() -> None:
    rng = np.random.default_rng(1)
    expected = np.outer([0.5, 0.3, 0.2], [0.2, 0.2, 0.6])
    simulated = rng.multinomial(400, expected.ravel(), size=20000).reshape(-1, 3, 3)
    result = cohen_kappa_table(simulated, weights="linear")

    assert result.estimate.std() == pytest.approx(np.median(result.standard_error_null), rel=0.02)
    assert np.mean(result.pvalue <= 0.05) == pytest.approx(0.05, abs=0.005)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_statsmodels_agrees(k: int, weights: str | None) -> None:
    table = np.random.default_rng(k).integers(0, 40, (k, k)) + 20 * np.eye(k, dtype=int)
    expected = statsmodels_kappa(table, wt=weights)
    alternative = {"less": 1 - expected.pvalue_one_sided, "greater": expected.pvalue_one_sided}

    result = cohen_kappa_table(table, weights=weights)

    assert result.estimate == pytest.approx(expected.kappa, rel=1e-12)
    assert result.standard_error == pytest.approx(expected.std_kappa, rel=1e-12)
    assert result.standard_error_null == pytest.approx(expected.std_kappa0, rel=1e-12)
    assert tuple(result) == pytest.approx((expected.z_value, expected.pvalue_two_sided), rel=1e-11, abs=1e-16)
    assert tuple(result.confidence_interval()) == pytest.approx((expected.kappa_low, expected.kappa_upp), rel=1e-12)
    for side, pvalue in alternative.items():
        one_sided = cohen_kappa_table(table, weights=weights, alternative=side).pvalue
        assert one_sided == pytest.approx(pvalue, rel=1e-9, abs=1e-15)
    if weights is None:
        assert result.maximum == pytest.approx(expected.kappa_max, rel=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("labels", [[0, 1], [-3, 5, 7, 40], list("abcde")], ids=str)
def test_sklearn_and_the_score_agree(labels: list[Any], weights: str | None) -> None:
    rng = np.random.default_rng(2)
    y1 = rng.choice(labels, 300)
    y2 = np.where(rng.random(300) < 0.5, y1, rng.choice(labels, 300))

    kappa = cohen_kappa(y1, y2, weights=weights).estimate

    assert kappa == pytest.approx(sklearn_kappa(y1, y2, weights=weights), rel=1e-12)
    assert kappa == pytest.approx(cohen_kappa_score(y1, y2, weights=weights), rel=1e-14)


def all_tables(rows: list[int], columns: list[int]) -> Any:
    """Every table of whole numbers with these sums."""
    if len(rows) == 1:
        yield [columns]
        return
    for first in itertools.product(*(range(c + 1) for c in columns)):
        if sum(first) == rows[0]:
            for rest in all_tables(rows[1:], [c - f for c, f in zip(columns, first, strict=True)]):
                yield [list(first), *rest]


@pytest.mark.parametrize("weights", [*WEIGHTS, OWN_WEIGHTS], ids=str)
@pytest.mark.parametrize("table", [[[2, 1, 0], [0, 2, 1], [0, 0, 3]], [[0, 0, 4], [1, 1, 1], [0, 2, 0]]])
def test_maximum_is_that_of_all_tables_with_these_sums(table: list[list[int]], weights: Any) -> None:
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    others = cohen_kappa_table(list(all_tables(rows, columns)), weights=weights)

    assert cohen_kappa_table(table, weights=weights).maximum == pytest.approx(others.estimate.max(), rel=1e-12)
    assert others.maximum == pytest.approx(np.full(len(others.maximum), others.estimate.max()), rel=1e-12)


def test_maximum_needs_no_equal_shares() -> None:
    """Sorted labelings reach it, and where both use each label as often it is 1."""
    y1, y2 = np.sort(np.random.default_rng(3).integers(0, 5, (2, 60)), axis=-1)

    for weights in ("linear", "quadratic"):
        result = cohen_kappa(y1, y2, weights=weights)
        assert result.maximum == pytest.approx(result.estimate, rel=1e-14)
    assert cohen_kappa(y1, y1[::-1]).maximum == 1


@given(tables, st.sampled_from(WEIGHTS))
def test_who_is_first_does_not_matter(table: list[list[int]], weights: str | None) -> None:
    if np.sum(table):
        here, there = (cohen_kappa_table(t, weights=weights) for t in (table, np.transpose(table)))

        assert there.estimate == pytest.approx(here.estimate, rel=1e-12, nan_ok=True)
        assert there.standard_error == pytest.approx(here.standard_error, rel=1e-11, abs=1e-15, nan_ok=True)
        assert there.maximum == pytest.approx(here.maximum, rel=1e-12, nan_ok=True)


@given(tables, st.randoms())
def test_names_of_labels_do_not_matter(table: list[list[int]], random: Any) -> None:
    if np.sum(table):
        order = random.sample(range(len(table)), len(table))
        here, there = cohen_kappa_table(table), cohen_kappa_table(np.array(table)[np.ix_(order, order)])

        assert there.estimate == pytest.approx(here.estimate, rel=1e-12, nan_ok=True)
        assert there.statistic == pytest.approx(here.statistic, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_a_scale_can_be_read_from_either_end(weights: str) -> None:
    here, there = (cohen_kappa_table(np.array(TUTORIAL)[::step, ::step], weights=weights) for step in (1, -1))

    assert there.estimate == pytest.approx(here.estimate, rel=1e-14)
    assert there.standard_error == pytest.approx(here.standard_error, rel=1e-13)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_ten_times_the_cases_give_the_same_kappa_and_less_error(weights: str | None) -> None:
    here, there = (cohen_kappa_table(np.array(TUTORIAL) * times, weights=weights) for times in (1, 100))

    assert there.estimate == pytest.approx(here.estimate, rel=1e-14)
    assert there.standard_error == pytest.approx(here.standard_error / 10, rel=1e-13)
    assert there.statistic == pytest.approx(here.statistic * 10, rel=1e-13)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_named_weights_are_their_matrix(weights: str | None) -> None:
    own = np.array(matrix(weights, 3), dtype=float)
    here, there = cohen_kappa_table(TUTORIAL, weights=weights), cohen_kappa_table(TUTORIAL, weights=own)

    assert there.weights == "matrix"
    for name in ("estimate", "standard_error", "standard_error_null", "statistic", "pvalue", "maximum"):
        assert getattr(there, name) == pytest.approx(getattr(here, name), rel=1e-12), name


def test_a_label_that_nobody_used_is_a_step_of_the_scale_only() -> None:
    y1, y2 = [0, 1, 1, 3, 3, 0], [0, 1, 3, 3, 1, 0]

    assert cohen_kappa(y1, y2, labels=range(4)).estimate == pytest.approx(cohen_kappa(y1, y2).estimate, rel=1e-14)
    assert cohen_kappa(y1, y2, labels=range(4), weights="linear").estimate != pytest.approx(
        cohen_kappa(y1, y2, weights="linear").estimate, abs=0.01
    )


def test_labels_and_their_table_are_one_road() -> None:
    y1, y2 = np.random.default_rng(4).integers(0, 4, (2, 5, 200))
    here, there = cohen_kappa(y1, y2), cohen_kappa_table(confusion_counts(y1, y2))

    np.testing.assert_array_equal(here.table, there.table)
    np.testing.assert_array_equal(here.estimate, there.estimate)
    assert here.labels == there.labels == (0, 1, 2, 3)


def test_leading_axes_broadcast_to_all_pairs() -> None:
    y = np.random.default_rng(5).integers(0, 3, (4, 90))

    kappa = cohen_kappa(y[:, None], y[None]).estimate

    np.testing.assert_allclose(kappa, cohen_kappa_matrix(y), rtol=1e-13)


def test_a_data_frame_keeps_its_labels() -> None:
    first, second = pd.Series(["a", "b", "b", "a"], name="first"), pd.Series(["a", "b", "a", "a"], name="second")

    result = cohen_kappa_table(pd.crosstab(first, second))

    assert result.labels == ("a", "b")
    assert result.estimate == cohen_kappa(first, second).estimate


@pytest.mark.parametrize("weights", [*WEIGHTS, OWN_WEIGHTS], ids=str)
def test_all_labels_the_same_give_nan_and_a_reason(weights: Any) -> None:
    """No warning either: warnings are errors here."""
    result = cohen_kappa_table([[7, 0, 0], [0, 0, 0], [0, 0, 0]], weights=weights)

    numbers = [result.estimate, result.standard_error, result.standard_error_null, *result, result.maximum]
    assert np.isnan([*numbers, *result.confidence_interval(), *result.confidence_interval(method="fisher")]).all()
    assert (result.observed_agreement, result.chance_agreement) == (1, 1)
    assert result.reason is not None
    assert "kappa is undefined" in result.reason


@pytest.mark.parametrize("weights", [*WEIGHTS, OWN_WEIGHTS], ids=str)
@pytest.mark.parametrize("table", [[[4, 2, 7], [0, 0, 0], [0, 0, 0]], [[0, 4, 0], [0, 9, 0], [0, 1, 0]]])
def test_one_label_on_one_side_tells_nothing(table: list[list[int]], weights: Any) -> None:
    result = cohen_kappa_table(table, weights=weights)

    assert result.estimate == pytest.approx(0, abs=1e-15)
    assert tuple(result) == (0, 1)
    assert np.isnan([*result.confidence_interval()]).all()
    assert "for any pairing" in str(result.reason)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("counts", [*itertools.product(range(4), range(1, 4))], ids=str)
def test_standard_error_is_exactly_zero_if_one_rater_uses_one_label(
    counts: tuple[int, int], weights: str | None
) -> None:
    """The formula is a difference of equal numbers, and rounding may make it negative: statsmodels returns nan."""
    table = [[counts[0], 0], [counts[1], 0]]
    expected = transcribed(table, matrix(weights, 2))
    assert expected is not None
    assert expected["standard_error"] == 0

    result = cohen_kappa_table(table, weights=weights)

    assert (result.estimate, result.standard_error, result.standard_error_null) == (0, 0, 0)


def test_no_label_in_common_is_agreement_by_chance() -> None:
    result = cohen_kappa(["a", "a", "b"], ["c", "d", "c"])

    assert (result.estimate, result.observed_agreement, result.chance_agreement) == (0, 0, 0)
    assert tuple(result) == (0, 1)


def test_complete_agreement_is_significant_but_not_certain() -> None:
    result = cohen_kappa_table([[6, 0], [0, 6]])

    assert (result.estimate, result.standard_error) == (1, 0)
    assert result.pvalue == pytest.approx(math.erfc(math.sqrt(12 / 2)), rel=1e-12)
    low, high = result.confidence_interval()
    assert high == 1
    assert low == pytest.approx(1 - (1 - 0.025 ** (1 / 12)) / 0.5, rel=1e-12)


def test_complete_disagreement_of_two_labels() -> None:
    result = cohen_kappa_table([[0, 5], [5, 0]])

    assert (result.estimate, result.standard_error) == (-1, 0)
    assert result.reason is not None
    assert np.isnan(result.confidence_interval().low)


def test_own_weights_may_give_less_than_minus_one() -> None:
    """Nothing but the pair (0, 1) is a disagreement, and every case is it that can be."""
    own = np.ones((3, 3))
    own[0, 1] = 0
    result = cohen_kappa_table([[0, 10, 0], [0, 0, 0], [40, 0, 50]], weights=own)

    assert result.estimate == pytest.approx(1 - 0.1 / 0.01, rel=1e-14)
    assert result.confidence_interval().low < result.estimate
    assert np.isnan(result.confidence_interval(method="fisher").low)


def test_a_million_million_cases_overflow_nothing() -> None:
    here, there = (cohen_kappa_table(np.array(TUTORIAL) * times) for times in (1, 10**10))

    assert there.estimate == pytest.approx(here.estimate, rel=1e-14)
    assert there.standard_error == pytest.approx(here.standard_error / 1e5, rel=1e-12)
    assert there.n_instances == 400 * 10**10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y1": [1, 2], "y2": [1, 2, 2]}, "y1 and y2 must be paired: y1 has 2 labels, y2 has 3"),
        ({"y1": ["a"], "y2": [1]}, "y1 and y2 must hold labels of one kind"),
        ({"y1": [], "y2": []}, "y1 must hold at least one label"),
        ({"y1": [1, None], "y2": [1, 2]}, "y1"),
        ({"y1": [1, 3], "y2": [1, 2], "labels": [1, 2]}, "y1[1] is 3"),
        ({"y1": [1, 2], "y2": [1, 2], "weights": "cubic"}, "weights must be 'linear' or 'quadratic', not 'cubic'"),
        ({"y1": [1, 2], "y2": [1, 2], "weights": np.eye(3)}, "for the 2 labels, but the shape is (3, 3)"),
        ({"y1": [1, 2], "y2": [1, 2], "weights": [[0, 1], [1, 0]]}, "pass 1 - costs / costs.max()"),
        ({"y1": [1, 2], "y2": [1, 2], "weights": [[1, np.nan], [0, 1]]}, "weights must be finite"),
        ({"y1": [1, 2], "y2": [1, 2], "alternative": "more"}, "alternative must be"),
        ({"y1": pd.Series([1, 2]), "y2": pd.Series([1, 2], index=[1, 0])}, "equal indexes"),
    ],
)
def test_bad_labels_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        cohen_kappa(**arguments)

    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            [[1, 2, 3], [4, 5, 6]],
            "table must have a row and a column for each label, but there are 2 rows and 3 columns",
        ),
        ([1, 2], "table must have the shape (..., k, k), but its shape is (2,)"),
        ([[0, 0], [0, 0]], "a table must hold at least one instance, but table is all 0"),
        ([[[1, 0], [0, 1]], [[0, 0], [0, 0]]], "table[1] is all 0"),
        ([[1, -2], [0, 1]], "table must hold whole numbers from 0 to 2^50, but table[0, 1] is -2"),
        ([[1, 0.5], [0, 1]], "table[0, 1] is 0.5"),
        ([[1, np.nan], [0, 1]], "table must be finite, but table[0, 1] is nan"),
        (
            pd.crosstab(pd.Series(list("ab")), pd.Series(list("bc"))),
            "the rows are ['a', 'b'] and the columns ['b', 'c']",
        ),
    ],
)
def test_bad_tables_are_refused(table: Any, message: str) -> None:
    with pytest.raises(ValueError, match="table") as caught:
        cohen_kappa_table(table)

    assert message in str(caught.value)


def labelings(n_classifiers: int, n: int, k: int) -> Any:
    rng = np.random.default_rng(n_classifiers + n + k)
    truth = rng.integers(0, k, n)
    return np.where(rng.random((n_classifiers, n)) < 0.6, truth, rng.integers(0, k, (n_classifiers, n)))


def test_three_labelings_by_hand() -> None:
    """The first two agree on 3 of 4 cases, 6 of 16 by chance; the third never varies."""
    kappa = cohen_kappa_matrix([list("aabb"), list("aabc"), list("bbbb")])

    np.testing.assert_allclose(kappa[:2, :2], [[1, 0.6], [0.6, 1]], rtol=1e-15)
    np.testing.assert_array_equal(kappa[2], [0, 0, np.nan])


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize(("n", "k"), [(1, 2), (63, 2), (64, 3), (65, 4), (128, 5), (1000, 17), (300, 200)])
def test_every_pair_is_cohen_kappa(n: int, k: int, weights: str | None) -> None:
    y = labelings(6, n, k)

    kappa = cohen_kappa_matrix(y, labels=range(k), weights=weights)

    pairs = [[cohen_kappa(a, b, labels=range(k), weights=weights).estimate for b in y] for a in y]
    np.testing.assert_allclose(kappa, pairs, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(kappa, kappa.T)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_sklearn_agrees(weights: str | None) -> None:
    y = labelings(5, 500, 6)

    pairs = [[sklearn_kappa(a, b, weights=weights) for b in y] for a in y]

    np.testing.assert_allclose(cohen_kappa_matrix(y, weights=weights), pairs, rtol=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_size_of_the_blocks_does_not_matter(weights: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    y = labelings(7, 2000, 9)
    expected = cohen_kappa_matrix(y, weights=weights)

    monkeypatch.setattr(kappa, "WORDS_AT_A_TIME", 1)
    monkeypatch.setattr(kappa, "CODES_AT_A_TIME", 100)

    np.testing.assert_array_equal(cohen_kappa_matrix(y, weights=weights), expected)


def test_without_the_bit_count_of_numpy_2(monkeypatch: pytest.MonkeyPatch) -> None:
    y = labelings(7, 2000, 9)
    expected = cohen_kappa_matrix(y)

    monkeypatch.delattr(np, "bitwise_count", raising=False)

    np.testing.assert_array_equal(cohen_kappa_matrix(y), expected)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int64, object, str])
def test_kind_of_labels_does_not_matter(dtype: Any) -> None:
    y = labelings(4, 200, 120)

    np.testing.assert_array_equal(cohen_kappa_matrix(y.astype(dtype)), cohen_kappa_matrix(y))


def test_order_of_the_classifiers_permutes_the_result() -> None:
    y, order = labelings(5, 200, 3), [3, 0, 4, 1, 2]

    np.testing.assert_array_equal(cohen_kappa_matrix(y[order]), cohen_kappa_matrix(y)[np.ix_(order, order)])


def test_one_classifier_agrees_with_itself() -> None:
    np.testing.assert_array_equal(cohen_kappa_matrix([[0, 1, 1]]), [[1]])


@pytest.mark.sampled
@pytest.mark.parametrize("weights", WEIGHTS)
def test_memory_is_bounded(weights: str | None) -> None:
    """Less than the labels themselves take as int64, whatever their number."""
    y = labelings(40, 200_000, 10).astype(np.int8)
    cohen_kappa_matrix(y[:, :100], weights=weights)

    tracemalloc.start()
    cohen_kappa_matrix(y, weights=weights)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 40e6


@pytest.mark.parametrize(
    ("y", "choices", "message"),
    [
        ([0, 1], {}, "y must have the shape (n_classifiers, n), with a row for each labeling, but its shape is (2,)"),
        ([[]], {}, "y must hold at least one label"),
        ([[0, 1], [0]], {}, "y must be a regular array"),
        ([[0, 1], [0, 2]], {"labels": [0, 1]}, "y[1, 1] is 2"),
        ([[0, 1], [0, 1]], {"weights": "cubic"}, "weights must be 'linear' or 'quadratic', not 'cubic'"),
        ([[0, 1], [0, 1]], {"weights": np.eye(2)}, "weights must be 'linear' or 'quadratic'"),
        ([[0.5, 1], [0, 1]], {}, "y"),
    ],
)
def test_bad_arguments_are_refused(y: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        cohen_kappa_matrix(y, **choices)

    assert message in str(caught.value)
