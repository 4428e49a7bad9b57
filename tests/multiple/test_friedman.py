"""Friedman's test: published tables, laws and edges."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import accumulate, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from repetitions import repetitions
from scipy import special, stats

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.distributions import rank_sums
from evalstats.examples import example_table
from evalstats.multiple import friedman
from evalstats.multiple.friedman import friedman_test
from evalstats.multiple.mean_ranks import dataset_ranks
from evalstats.multiple.quade import quade_test
from evalstats.multiple.siegel_castellan import siegel_castellan_test
from evalstats.paired.sign import sign_test

METHODS = ("exact", "chi2", "f", "monte-carlo")

# Japkowicz, tutorial, slide 53: the ranks it prints, which do not follow from its scores (row 2 is no tie)
TUTORIAL_RANKS_AS_PRINTED = [[1, 3, 2], [1.5, 3, 1.5], [1, 3, 2], [1, 3, 2], [2, 3, 1]]
TUTORIAL_RANKS_AS_PRINTED += [[1, 3, 2], [2, 3, 1], [2, 3, 1], [2, 3, 1], [2, 3, 1]]

# Raeder, Hoens & Chawla (2010), Table I: average ranks of 2-, 5- and 10-fold estimates on 20 datasets, for those
# classifiers whose ranks as printed are rank sums; the paper does not print the statistics
RAEDER_TABLE_1 = {
    "canonical C4.5": ([2.50, 1.60, 1.90], 8.4, 5.050632911),
    "canonical HDDT": ([2.30, 1.85, 1.85], 2.7, 1.375335121),
    "canonical MLP": ([2.50, 1.95, 1.55], 9.1, 5.595469256),
    "canonical NB": ([2.65, 1.95, 1.40], 15.7, 12.27572016),
    "canonical SMO": ([2.60, 1.65, 1.75], 10.9, 7.116838488),
    "steady-state HDDT": ([3.00, 1.90, 1.10], 36.4, 192.1111111),
    "steady-state NB": ([2.90, 1.95, 1.15], 30.7, 62.72043011),
    "steady-state SMO": ([2.85, 1.70, 1.45], 22.3, 23.93785311),
}

# chance of a false rejection at the levels 0.05 and 0.01, without ties: (n, k) -> chi2, F
TYPE_1_ERROR = {
    (3, 3): ([0.0278, 0.0000], [0.1944, 0.0278]),
    (4, 3): ([0.0694, 0.0000], [0.0694, 0.0417]),
    (5, 4): ([0.0336, 0.0018], [0.0666, 0.0196]),
    (10, 4): ([0.0447, 0.0065], [0.0534, 0.0131]),
    (20, 4): ([0.0477, 0.0079], [0.0504, 0.0111]),
    (5, 5): ([0.0345, 0.0026], [0.0577, 0.0135]),
    (10, 5): ([0.0435, 0.0064], [0.0521, 0.0124]),
}

tables = st.tuples(st.integers(1, 6), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-3, 3).map(lambda i: i / 8))
)


def random_table(seed: int, *shape: int, digits: int | None = None) -> np.ndarray:
    scores = np.random.default_rng(seed).random(shape)
    return scores if digits is None else scores.round(digits)


def table_of_rank_sums(sums: list[int], n: int) -> list[tuple[int, ...]]:
    """Find rankings of n datasets with these rank sums: each leaves sums that the others can still reach."""

    def can_reach(rest: list[int], n_rows: int) -> bool:
        return all(part >= n_rows * i * (i + 1) / 2 for i, part in enumerate(accumulate(sorted(rest)), start=1))

    rows: list[tuple[int, ...]] = []
    for left in reversed(range(n)):
        rests = {row: [s - rank for s, rank in zip(sums, row, strict=True)] for row in permutations((1, 2, 3))}
        rows.append(next(row for row, rest in rests.items() if can_reach(rest, left)))
        sums = rests[rows[-1]]
    assert sums == [0, 0, 0]
    return rows


def test_three_datasets_in_one_order() -> None:
    """By hand: rank sums 3, 6, 9; chi2 = 12 / 36 (9 + 36 + 81) - 36 = 6; one arrangement in 36 is as extreme."""
    result = friedman_test([[0.9, 0.8, 0.7], [0.6, 0.5, 0.1], [0.8, 0.4, 0.3]])

    assert (result.statistic, result.method, result.df, result.kendall_w) == (6.0, "exact", 2, 1.0)
    assert result.mean_ranks.tolist() == [1, 2, 3]
    assert (result.pvalue, result.chi2_pvalue) == pytest.approx((1 / 36, math.exp(-3)), rel=1e-14)


def test_ties_by_hand() -> None:
    """Ranks (1.5, 1.5, 3) and (1, 2.5, 2.5): sums 2.5, 4, 5.5; the squares within are 1.5 and 1.5."""
    result = friedman_test([[2, 2, 1], [3, 1, 1]])

    assert result.mean_ranks.tolist() == [1.25, 2.0, 2.75]
    assert result.chi2 == pytest.approx(2 * (1.5**2 + 1.5**2) / 3)
    assert result.chi2_uncorrected == pytest.approx(12 / (2 * 3 * 4) * (2.5**2 + 4**2 + 5.5**2) - 3 * 2 * 4)
    assert result.pvalue == pytest.approx(2 / 3)  # of three places for the tie, two lie as far apart


def test_demsar_table_6_as_printed() -> None:
    """Demšar (2006), section 3.2.2, from the scores printed in Table 6; corrected for ties as in R."""
    result = friedman_test(example_table("demsar-2006").scores)

    assert result.mean_ranks.round(3).tolist() == [3.143, 2.0, 2.929, 1.929]
    assert (result.chi2, result.chi2_pvalue) == pytest.approx((10.95238095, 0.01198617633), rel=1e-9)
    assert result.chi2_uncorrected == pytest.approx(9.857142857)
    assert 13 * result.chi2_uncorrected / (42 - result.chi2_uncorrected) == pytest.approx(3.986666667)


def test_demsar_ranks_of_the_paper() -> None:
    """The paper's own numbers (page 13) come out where C4.5+cf wins narrowly on voting."""
    scores = example_table("demsar-2006").scores.copy()
    scores[12, 2] = 0.97501

    result = friedman_test(scores)

    assert result.mean_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert round(result.chi2_uncorrected, 2) == 9.28
    assert round(result.f_uncorrected, 2) == 3.69


def test_f_without_correction_for_ties() -> None:
    """It is F itself where nothing is tied, also in a batch, and never beyond it."""
    scores = np.random.default_rng(0).random((5, 9, 4))
    untied, tied = friedman_test(scores), friedman_test(scores.round(1))

    np.testing.assert_allclose(untied.f_uncorrected, untied.f, rtol=1e-12)
    assert (tied.f_uncorrected <= tied.f).all()
    assert (tied.f_uncorrected < tied.f).any()
    assert isinstance(friedman_test(scores[0]).f_uncorrected, float)


def test_tutorial_three_classifiers() -> None:
    """Tutorial, slide 53, from the scores. R's SuppDists reports P(Q > 15) = 8.54e-5, without the observed value."""
    result = friedman_test(example_table("japkowicz-friedman").scores)

    assert (result.statistic, result.method, result.f) == (15.0, "exact", 27.0)
    assert result.mean_ranks.tolist() == [1.5, 3.0, 1.5]
    assert (result.pvalue, result.chi2_pvalue) == pytest.approx((1.1044191053193111e-4, 5.530843701e-4), rel=1e-9)


def test_tutorial_ranks_as_printed() -> None:
    result = friedman_test(TUTORIAL_RANKS_AS_PRINTED, greater_is_better=False)

    assert (10 * result.mean_ranks).tolist() == [15.5, 30.0, 14.5]
    assert (result.chi2_uncorrected, result.chi2) == pytest.approx((15.05, 15.43589744), rel=1e-9)


def test_tutorial_four_classifiers() -> None:
    """Slide 48: on one dataset all four are tied."""
    result = friedman_test(example_table("japkowicz-accuracy").scores)

    assert result.mean_ranks.tolist() == [2.65, 2.25, 3.35, 1.75]
    assert (result.chi2_uncorrected, result.chi2, result.chi2_pvalue) == pytest.approx(
        (8.22, 9.133333333, 0.02756968122), rel=1e-9
    )
    assert 9 * result.chi2_uncorrected / (30 - result.chi2_uncorrected) == pytest.approx(3.396694215)


@pytest.mark.parametrize(("ranks", "chi2", "f"), RAEDER_TABLE_1.values(), ids=RAEDER_TABLE_1)
def test_raeder_table_1(ranks: list[float], chi2: float, f: float) -> None:
    """From the printed average ranks; with HDDT (canonical) nothing follows, so no post-hoc test is licensed there."""
    table = table_of_rank_sums([round(20 * rank) for rank in ranks], 20)

    result = friedman_test(table, greater_is_better=False)

    assert result.mean_ranks == pytest.approx(ranks)
    assert (result.chi2, result.f) == pytest.approx((chi2, f), rel=1e-9)


@pytest.mark.parametrize(("n", "k"), TYPE_1_ERROR)
def test_chi2_is_conservative_from_four_classifiers_and_f_liberal_at_small_n(n: int, k: int) -> None:
    """The figures of the documentation, from the exact distribution."""
    support, tail = rank_sums._law(tuple([tuple(range(2, 2 * k + 1, 2))] * n))
    probability = -np.diff(tail)
    w = 3 * support / (n * n * k * (k * k - 1))
    by_chi2 = special.chdtrc(k - 1, n * (k - 1) * w)
    by_f = special.betainc((n - 1) * (k - 1) / 2, (k - 1) / 2, 1 - w)
    chi2, f = ([round(float(probability[p <= a].sum()), 4) for a in (0.05, 0.01)] for p in (by_chi2, by_f))

    assert (chi2, f) == TYPE_1_ERROR[n, k]


@given(scores=tables)
@settings(max_examples=repetitions(50))
def test_exact_pvalue_counts_arrangements(scores: np.ndarray) -> None:
    """By definition: permute the scores within each dataset, count the statistics that are not smaller."""
    n, k = scores.shape
    n = min(n, int(math.log(1500) / math.log(math.factorial(k))))
    scores = scores[:n]
    ranks = (2 * dataset_ranks(scores, True, 1e-12)).astype(int).tolist()

    def spread(rows: tuple[tuple[int, ...], ...]) -> int:
        return sum((sum(column) - n * (k + 1)) ** 2 for column in zip(*rows, strict=True))

    spreads = [spread(rows) for rows in product(*(list(permutations(row)) for row in ranks))]
    share = Fraction(sum(s >= spread(ranks) for s in spreads), len(spreads))
    smallest = Fraction(sum(s == max(spreads) for s in spreads), len(spreads))

    result = friedman_test(scores, method="exact")

    assert (result.pvalue, result.min_attainable_pvalue) == pytest.approx((float(share), float(smallest)), rel=1e-13)


@pytest.mark.parametrize("digits", [None, 2, 1])
@pytest.mark.parametrize(("n", "k"), [(3, 3), (14, 4), (30, 5), (100, 30)])
def test_chi2_as_scipy(n: int, k: int, digits: int | None) -> None:
    scores = random_table(n * k, n, k, digits=digits)

    result = friedman_test(scores, method="chi2")

    assert tuple(result) == pytest.approx(tuple(stats.friedmanchisquare(*scores.T)), rel=1e-12)


def test_f_by_its_definition() -> None:
    """Iman & Davenport: F = (n - 1) chi2 / (n (k - 1) - chi2), with (k - 1)(n - 1) degrees of freedom below."""
    result = friedman_test(random_table(1, 12, 4, digits=1), method="f")

    assert result.df == (3, 33)
    assert result.statistic == result.f == pytest.approx(11 * result.chi2 / (36 - result.chi2), rel=1e-13)
    assert result.pvalue == result.f_pvalue == pytest.approx(stats.f.sf(result.f, 3, 33), rel=1e-12)


def test_far_tails_are_positive_and_accurate() -> None:
    """60 datasets that all but agree: chi2 by exp(-x / 2), and F with two degrees of freedom has a closed form too."""
    scores = np.tile([3.0, 2.0, 1.0], (60, 1))
    scores[0] = 1.0, 2.0, 3.0

    result = friedman_test(scores)

    assert result.chi2_pvalue == pytest.approx(math.exp(-result.chi2 / 2), rel=1e-13)
    assert result.f_pvalue == pytest.approx((1 + result.f / 59) ** -59.0, rel=1e-12)
    assert 6.0**-59 < result.pvalue < 1e-39
    assert result.min_attainable_pvalue == pytest.approx(6.0**-59, rel=1e-13)


def test_two_classifiers_are_the_sign_test() -> None:
    """Two roads to one number: ties are dropped by both."""
    x, y = np.random.default_rng(5).integers(0, 8, (2, 40))

    assert friedman_test(np.column_stack([x, y])).pvalue == pytest.approx(sign_test(x, y).pvalue, rel=1e-13)


@pytest.mark.parametrize("method", METHODS)
@given(scores=tables)
@settings(max_examples=repetitions(25))
def test_laws(method: str, scores: np.ndarray) -> None:
    """Direction is a sign, monotone maps change nothing, classifiers may be relabeled, p is a probability."""
    result, negated, cubed, relabeled = (
        friedman_test(table, method=method, n_resamples=50, rng=1, greater_is_better=direction).to_dict()
        for table, direction in [
            (scores, True),
            (-scores, False),
            (scores**3 + 2 * scores, True),
            (scores[:, ::-1], True),
        ]
    )
    ranks = result.pop("mean_ranks")

    assert ranks == negated.pop("mean_ranks") == cubed.pop("mean_ranks") == relabeled.pop("mean_ranks")[::-1]
    assert repr(result) == repr(negated) == repr(cubed) == repr(relabeled)
    assert 0 < result["min_attainable_pvalue"] <= 1
    assert 0 < result["pvalue"] <= 1


@given(scores=tables)
@settings(max_examples=repetitions(40))
def test_order_of_datasets_does_not_matter(scores: np.ndarray) -> None:
    assert friedman_test(scores[::-1]).pvalue == friedman_test(scores).pvalue


@given(scores=tables)
@settings(max_examples=repetitions(40))
def test_no_pvalue_is_below_the_smallest(scores: np.ndarray) -> None:
    """F is the exception: just below complete agreement its distribution promises more than there is."""
    for method in ("exact", "chi2", "monte-carlo"):
        result = friedman_test(scores, method=method, n_resamples=99, rng=0)
        assert result.pvalue >= result.min_attainable_pvalue


@pytest.mark.parametrize("digits", [None, 1, 11, 12])
def test_ranks_are_those_of_the_post_hoc_tests(digits: int | None) -> None:
    """The fast way to rank sums ranks as everywhere else, at many scales and with noise."""
    rng = np.random.default_rng(3)
    scores = random_table(2, 40, 25, 6, digits=digits) * 10.0 ** rng.integers(-6, 7, (40, 25, 1))
    scores += scores * rng.choice([0, 1e-13, -3e-12], scores.shape)

    for tolerance in (0, 1e-15, 1e-12, 1e-3, 0.1):
        expected = dataset_ranks(scores, True, tolerance).sum(axis=-2) / 25
        assert np.array_equal(friedman_test(scores, method="chi2", tie_tolerance=tolerance).mean_ranks, expected)


def test_float_noise_does_not_break_a_tie() -> None:
    noisy, clean = [[0.3 - 0.2, 0.8 - 0.7, 0.0]] * 4, [[0.1, 0.1, 0.0]] * 4

    assert friedman_test(noisy).chi2 == friedman_test(clean).chi2
    assert friedman_test(noisy, tie_tolerance=0).mean_ranks.tolist() == [2, 1, 3]


@pytest.mark.parametrize("method", ["auto", *METHODS])
def test_batch_is_the_loop(method: str) -> None:
    """To the last bit, with tables that are exact, drawn and degenerate side by side."""
    batch = random_table(4, 2, 3, 9, 5, digits=1)
    batch[0, 0] = 0.5
    batch[0, 1] = np.arange(5)

    together = friedman_test(batch, method=method, n_resamples=200, rng=8).to_dict()
    one_by_one = [[friedman_test(t, method=method, n_resamples=200, rng=8).to_dict() for t in row] for row in batch]

    shared = {"alternative", "df", "n_datasets", "n_classifiers", "classifiers", "tie_tolerance"}
    for name, values in together.items():
        alone = one_by_one[0][0][name] if name in shared else [[result[name] for result in row] for row in one_by_one]
        assert repr(values) == repr(alone)


def test_batch_of_one_keeps_its_shape() -> None:
    result = friedman_test(random_table(0, 1, 5, 3))

    assert (result.pvalue.shape, result.mean_ranks.shape, result.method.tolist()) == ((1,), (1, 3), ["exact"])


def test_auto_is_exact_where_affordable_then_drawn_then_chi2() -> None:
    used = {
        (n, k): friedman_test(random_table(0, n, k)).method
        for n, k in [
            (1, 50),
            (500, 2),
            (14, 4),
            (49, 4),
            (60, 4),
            (15, 5),
            (19, 5),
            (20, 5),
            (6, 6),
            (19, 12),
            (20, 12),
        ]
    }

    assert used == {
        (1, 50): "exact",
        (500, 2): "exact",
        (14, 4): "exact",
        (49, 4): "exact",
        (60, 4): "chi2",
        (15, 5): "exact",
        (19, 5): "monte-carlo",
        (20, 5): "chi2",
        (6, 6): "exact",
        (19, 12): "monte-carlo",
        (20, 12): "chi2",
    }


def test_datasets_that_tie_all_classifiers_do_not_count_towards_chi2() -> None:
    scores = random_table(0, 30, 12)
    scores[5:] = 1.0

    assert friedman_test(scores).method == "monte-carlo"


def test_auto_has_one_pvalue_per_table() -> None:
    """Where it draws, it draws from a fixed seed, and says how many."""
    scores = random_table(3, 12, 12)
    result = friedman_test(scores)

    assert (result.method, result.n_resamples) == ("monte-carlo", 9999)
    assert result.pvalue == friedman_test(scores).pvalue
    assert result.pvalue == friedman_test(scores, method="monte-carlo", rng=0).pvalue
    assert result.pvalue != friedman_test(scores, rng=1).pvalue


def test_monte_carlo_varies_with_the_seed_alone() -> None:
    scores = random_table(3, 12, 12)
    of_seed = [friedman_test(scores, method="monte-carlo", n_resamples=999, rng=seed).pvalue for seed in (3, 3, 4)]

    assert of_seed[0] == of_seed[1] != of_seed[2]


def test_generator_goes_on_where_it_stopped() -> None:
    rng = np.random.default_rng(0)
    scores = random_table(3, 12, 12)

    first, second = (friedman_test(scores, method="monte-carlo", n_resamples=999, rng=rng).pvalue for _ in range(2))

    assert first != second


def test_monte_carlo_comes_near_the_exact_pvalue() -> None:
    """With ties of every kind, within four standard errors."""
    for seed in range(6):
        scores = random_table(seed, 8, 4, digits=1)
        exact = friedman_test(scores, method="exact").pvalue
        drawn = friedman_test(scores, method="monte-carlo", n_resamples=19_999, rng=seed).pvalue
        assert abs(drawn - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000) + 1 / 20_000


def test_monte_carlo_is_never_below_its_resolution() -> None:
    result = friedman_test(np.tile(np.arange(12.0), (15, 1)), method="monte-carlo", n_resamples=499, rng=0)

    assert (result.pvalue, result.min_attainable_pvalue, result.n_resamples) == (1 / 500, 1 / 500, 499)


@pytest.mark.parametrize("method", METHODS)
def test_all_tied(method: str) -> None:
    result = friedman_test(np.ones((4, 3)), method=method)

    assert (result.statistic, result.pvalue, result.kendall_w, result.f, result.f_pvalue) == (0, 1, 0, 0, 1)
    assert (result.min_attainable_pvalue, result.reason) == (1, "all classifiers are tied on every dataset")


@pytest.mark.parametrize("method", METHODS)
def test_one_dataset(method: str) -> None:
    """All orders are equally extreme: p = 1 wherever the distribution is that of the ranks; F is 0 / 0."""
    result = friedman_test([[0.1, 0.7, 0.3, 0.3]], method=method, rng=0)

    assert result.pvalue == result.min_attainable_pvalue
    assert result.pvalue == (pytest.approx(special.chdtrc(3, 3)) if method == "chi2" else 1)
    assert (result.chi2, result.f_pvalue) == (3, 1)
    assert math.isnan(result.f)
    assert result.reason == "with one dataset, all orders of the classifiers are equally extreme"


def test_complete_agreement_has_an_infinite_f_and_no_zero_pvalue() -> None:
    """The F distribution would give 0; ten other datasets in the order of the first are 24^-10."""
    scores = np.tile([4.0, 3.0, 2.0, 1.0], (11, 1))

    result, exact = friedman_test(scores, method="f"), friedman_test(scores, method="exact")

    assert (result.statistic, result.pvalue) == (math.inf, pytest.approx(24.0**-10, rel=1e-13))
    assert result.min_attainable_pvalue == result.pvalue == pytest.approx(exact.pvalue, rel=1e-12)
    assert result.reason == "all datasets agree, so F is infinite; its p-value is the exact probability of agreement"
    assert exact.reason is None


def test_complete_agreement_with_ties() -> None:
    """(1.5, 1.5, 3) has three arrangements."""
    assert friedman_test([[2, 2, 1]] * 5).f_pvalue == pytest.approx(3.0**-4, rel=1e-13)


@pytest.mark.sampled
@pytest.mark.parametrize("method", ["exact", "chi2", "f"])
def test_pvalue_below_every_float_is_not_zero(method: str) -> None:
    n = 450 if method == "exact" else 2000
    result = friedman_test(np.tile([3.0, 2.0, 1.0], (n, 1)), method=method)

    assert 0 < result.pvalue <= 5e-324


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e307])
def test_extreme_magnitudes(scale: float) -> None:
    scores = np.array([[1.0, -2.0, 3.0], [3.0, -1.0, 2.0], [5.0, -9.0, 4.0]])

    assert friedman_test(scores * scale).mean_ranks.tolist() == friedman_test(scores).mean_ranks.tolist()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"scores": [[1, 2, 3]], "method": "F"}, InvalidValueError, "method must be 'auto' or 'exact' or"),
        ({"scores": [[1, 2, 3]], "n_resamples": 0}, InvalidValueError, "n_resamples must be at least 1, not 0"),
        ({"scores": [[1, 2, 3]], "rng": "seed"}, InvalidTypeError, "rng must be None, a seed"),
        (
            {"scores": [[1, 2, 3]], "greater_is_better": "yes"},
            InvalidTypeError,
            "greater_is_better must be True or False",
        ),
        ({"scores": [[1, 2, 3]], "tie_tolerance": 0.5}, InvalidValueError, "tie_tolerance must be 0 or a power of ten"),
        ({"scores": [[1], [2]]}, InvalidValueError, "scores must hold at least 1 dataset (rows) and 2 classifiers"),
        ({"scores": [1, 2, 3]}, InvalidValueError, "scores must have the shape (n_datasets, n_classifiers)"),
        ({"scores": [[1, 2], [math.nan, 3]]}, InvalidValueError, "scores must be finite, but scores[1, 0] is nan"),
    ],
)
def test_messages(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        friedman_test(**arguments)


def test_exact_that_would_take_years_is_refused() -> None:
    """Before anything is computed, with the price and the way out."""
    message = (
        r"method='exact' would take about 3e\+20 additions and \S+ bytes for 100 datasets and 8 classifiers "
        r"\(the limits are 1e\+10 and 5e\+08\); use method='monte-carlo' or method='chi2'"
    )
    with pytest.raises(InvalidValueError, match=message):
        friedman_test(random_table(0, 100, 8), method="exact")


def test_agreement_with_ties_that_are_not_the_first_has_its_probability() -> None:
    """Three datasets that tie the two in the middle: 12 orders each."""
    result = friedman_test([[1, 2, 2, 3], [4, 5, 5, 9], [0, 3, 3, 4]], method="f")

    assert (result.statistic, result.pvalue) == (math.inf, pytest.approx(12.0**-2, rel=1e-12))


# García, Fernández, Luengo & Herrera (2010), Information Sciences 180, section 4: accuracies in thousandths of PDFC,
# NNEP, IS-CHC + 1NN and FH-GBML on 24 datasets; the published values are those that the tests of StaTDS quote
GARCIA = [
    *([752, 773, 785, 795], [727, 748, 724, 713], [736, 716, 585, 638], [994, 861, 880, 791], [508, 553, 575, 515]),
    *([535, 536, 513, 471], [967, 871, 954, 532], [831, 807, 819, 768], [745, 702, 719, 705], [709, 572, 669, 607]),
    *([722, 728, 725, 732], [967, 947, 953, 960], [832, 752, 802, 691], [998, 992, 482, 910], [963, 963, 954, 926]),
    *([982, 953, 932, 630], [978, 773, 834, 849], [854, 787, 841, 779], [965, 984, 995, 947], [924, 887, 861, 804]),
    *([929, 942, 931, 921], [837, 643, 602, 554], [972, 956, 944, 922], [958, 959, 964, 964]),
]
# adjusted p-values of PDFC against NNEP (as against IS-CHC + 1NN), and against FH-GBML
GARCIA_ADJUSTED = {
    "none": (0.05735, 5.69941e-5),
    "bonferroni": (0.17204, 1.70982e-4),
    "holm": (0.11469, 1.70982e-4),
    "hochberg": (0.05735, 1.70982e-4),
    "hommel": (0.05735, 1.70982e-4),
    "rom": (0.05735, 1.70982e-4),
    "holland": (0.11141, 1.70973e-4),
    "li": (0.05735, 6.04577e-5),
}


def test_published_ranks_and_statistics_of_garcia() -> None:
    """The published Friedman statistic has no correction for ties; the table has two."""
    result = friedman_test(GARCIA, method="chi2")
    quade = quade_test(GARCIA, method="f")

    assert result.mean_ranks.round(3).tolist() == [1.771, 2.479, 2.479, 3.271]
    assert round(result.chi2_uncorrected, 3) == 16.225
    assert round(result.f_uncorrected, 3) == 6.691
    assert result.statistic > result.chi2_uncorrected
    np.testing.assert_allclose(quade.weighted_mean_ranks, [1.388333, 2.538333, 2.591667, 3.481667], atol=1e-6)
    assert (quade.statistic, quade.pvalue) == pytest.approx((11.767101928445536, 2.579837843238313e-06), rel=1e-12)


@pytest.mark.parametrize("adjust", GARCIA_ADJUSTED)
def test_published_pvalues_of_garcia_against_the_best(adjust: str) -> None:
    found = siegel_castellan_test(GARCIA, control=0, adjust=adjust).pvalue
    of_nnep, of_gbml = GARCIA_ADJUSTED[adjust]

    assert found[1:] == pytest.approx([of_nnep, of_nnep, of_gbml], rel=1e-4)


def test_two_classifiers_are_exact_on_any_number_of_datasets() -> None:
    """The test is then the sign test."""
    scores = np.random.default_rng(4).normal([0.05, 0.0], 1.0, (1500, 2))

    result = friedman_test(scores)

    assert result.method == "exact"
    assert result.pvalue == pytest.approx(sign_test(*scores.T).pvalue, rel=1e-12)


@pytest.mark.parametrize(("limit", "n", "k"), [("AUTO_DATASETS", 5, 3), ("AUTO_CLASSIFIERS", 4, 4)])
def test_default_is_exact_up_to_the_limits(limit: str, n: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(0).random((n, k))

    monkeypatch.setattr(friedman, limit, n if limit == "AUTO_DATASETS" else k)
    assert friedman_test(scores).method == "exact"
    monkeypatch.setattr(friedman, limit, (n if limit == "AUTO_DATASETS" else k) - 1)
    assert friedman_test(scores).method == "monte-carlo"
