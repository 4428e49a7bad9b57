"""Max-T: all sign assignments and all resamples of small tables, one pair, and what must never change."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalstats import InvalidValueError, pairwise_wilcoxon_test, permutation_test, wilcoxon_test
from evalstats._canonical_order import unsigned_order
from evalstats._checks import random_source
from evalstats.paired import clustered_permutation_test
from evalstats.pairwise import max_t, pairwise_max_t_test, pairwise_paired_ttest

ALTERNATIVES = ["two-sided", "less", "greater"]
TOWARDS: dict[str, Any] = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}
SCORES = np.random.default_rng(1).random((9, 4)) + np.array([0.0, 0.1, 0.3, 0.3])


def by_definition(
    scores: np.ndarray, pairs: list[tuple[int, int]], alternative: str, step_down: bool
) -> tuple[list[float], list[float]]:
    """Compute adjusted and unadjusted p-values from t under all signs, as Westfall & Young write it."""
    towards = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}[alternative]
    d = np.array([scores[:, i] - scores[:, j] for i, j in pairs])

    def statistics(values: np.ndarray) -> np.ndarray:
        return towards(values.mean(axis=1) / (values.std(axis=1, ddof=1) / np.sqrt(values.shape[1])))

    observed = statistics(d)
    drawn = np.array([statistics(d * signs) for signs in itertools.product((-1, 1), repeat=len(scores))])
    slack = 1e-9 * np.maximum(abs(observed), 1)
    order, adjusted, before = np.argsort(-observed), np.empty(len(d)), 0.0
    for place, pair in enumerate(order):
        left = order[place:] if step_down else order
        share = float(np.mean(drawn[:, left].max(axis=1) >= observed[pair] - slack[pair]))
        before = max(before, share) if step_down else share
        adjusted[pair] = before
    return adjusted.tolist(), (drawn >= observed - slack).mean(axis=0).tolist()


def test_two_datasets_by_hand() -> None:
    """Differences 1 and 3: with equal signs |t| is 2, in two of four assignments, with others 1/2."""
    result = pairwise_max_t_test([[2, 1], [5, 2]])

    assert result.statistic[0, 1] == pytest.approx(2, rel=1e-14)
    assert result.pvalue.tolist() == [[1, 0.5], [0.5, 1]]
    assert result.min_attainable_pvalue == 0.5


@pytest.mark.parametrize("step_down", [True, False])
def test_pvalues_of_all_pairs_are_shares_of_all_signs(step_down: bool) -> None:
    pairs = list(itertools.combinations(range(4), 2))

    result = pairwise_max_t_test(SCORES, step_down=step_down)

    adjusted, alone = by_definition(SCORES, pairs, "two-sided", step_down)
    i, j = np.transpose(pairs)
    assert result.pvalue[i, j] == pytest.approx(adjusted, rel=1e-12)
    assert result.unadjusted_pvalue[i, j] == pytest.approx(alone, rel=1e-12)
    assert result.adjustment == ("step-down" if step_down else "single-step")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("step_down", [True, False])
def test_pvalues_comparison_with_control_are_shares_of_all_signs(step_down: bool, alternative: str) -> None:
    result = pairwise_max_t_test(SCORES, control=1, step_down=step_down, alternative=alternative)

    adjusted, alone = by_definition(SCORES, [(0, 1), (2, 1), (3, 1)], alternative, step_down)
    assert np.delete(result.pvalue, 1) == pytest.approx(adjusted, rel=1e-12)
    assert np.delete(result.unadjusted_pvalue, 1) == pytest.approx(alone, rel=1e-12)


def test_coincidences_are_ties() -> None:
    """Whole numbers, of which many sign assignments give the same t."""
    scores = np.random.default_rng(2).integers(0, 4, (7, 4)) + np.arange(4) * 0.5
    i, j = np.triu_indices(4, 1)

    result = pairwise_max_t_test(scores)

    adjusted, _ = by_definition(scores, list(itertools.combinations(range(4), 2)), "two-sided", True)
    assert result.pvalue[i, j] == pytest.approx(adjusted, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_one_pair_is_the_permutation_test(alternative: str) -> None:
    x, y = SCORES[:, 0], SCORES[:, 1]

    result = pairwise_max_t_test(np.column_stack([x, y]), control=1, alternative=alternative)

    assert result.pvalue[0] == pytest.approx(permutation_test(x, y, alternative=alternative).pvalue, rel=1e-12)
    assert result.statistic[0] == pytest.approx(stats.ttest_rel(x, y).statistic, rel=1e-9)


def test_statistic_and_mean_are_those_of_the_t_test() -> None:
    result, t_test = pairwise_max_t_test(SCORES), pairwise_paired_ttest(SCORES)

    assert result.statistic == pytest.approx(t_test.statistic, rel=1e-9)
    assert result.mean_difference == pytest.approx(t_test.mean_difference, rel=1e-9)


def test_laws_of_adjusted_pvalues() -> None:
    """Never below the unadjusted; step-down never above single-step; both below Bonferroni, for signs enumerated."""
    step_down, single = (pairwise_max_t_test(SCORES, step_down=step_down) for step_down in (True, False))
    pairs = np.triu_indices(4, 1)

    raw = step_down.unadjusted_pvalue[pairs]
    assert (raw <= step_down.pvalue[pairs]).all()
    assert (step_down.pvalue[pairs] <= single.pvalue[pairs]).all()
    assert (single.pvalue[pairs] <= np.minimum(6 * raw, 1) + 1e-12).all()


def test_random_signs_come_close_to_all_signs() -> None:
    exact, drawn = (pairwise_max_t_test(SCORES, method=method).pvalue for method in ("exact", "monte-carlo"))

    assert drawn == pytest.approx(exact, abs=0.02)


def test_both_ways_to_add_up_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """A classifier far below all others costs digits of the faster way; the slower one keeps them."""
    far = np.column_stack([SCORES, SCORES[:, 0] - 1e9])
    close = max_t._Sums(
        far,
        *max_t._differences(far, max_t.which_pairs.compared_pairs(5, None), 0.0),
        max_t.which_pairs.compared_pairs(5, None),
    )
    assert close._is_close
    expected = pairwise_max_t_test(SCORES, method="monte-carlo", n_resamples=299)

    monkeypatch.setattr(max_t, "SLACK", 1e-16)

    slow = pairwise_max_t_test(SCORES, method="monte-carlo", n_resamples=299)
    np.testing.assert_array_equal(slow.pvalue, expected.pvalue)


def test_an_outlier_leaves_the_other_pairs_as_they_are() -> None:
    """Single pvalues do not depend on the other classifiers."""
    far = np.column_stack([SCORES, SCORES[:, 0] - 1e9])

    alone = pairwise_max_t_test(far, tie_tolerance=0).unadjusted_pvalue[:4, :4]

    np.testing.assert_array_equal(alone, pairwise_max_t_test(SCORES).unadjusted_pvalue)


def test_level_holds_in_noise_that_is_alike() -> None:
    """Eight classifiers that share most of their noise: the family-wise error at 5 % is about 5 %."""
    rng = np.random.default_rng(3)
    tables = rng.standard_normal((600, 10, 1)) + 0.3 * rng.standard_normal((600, 10, 8))

    result = pairwise_max_t_test(tables)

    assert np.mean((result.pvalue <= 0.05).any(axis=(-2, -1))) < 0.05 + 3 * 0.009


def test_more_is_found_than_by_holm() -> None:
    scores = np.random.default_rng(4).normal(0, 0.02, (15, 1)) + np.random.default_rng(5).normal(
        np.arange(8) * 0.005, 0.01, (15, 8)
    )

    found = [int((r.pvalue <= 0.05).sum()) for r in (pairwise_max_t_test(scores), pairwise_paired_ttest(scores))]

    assert found[0] >= found[1] > 0


def test_equal_pair_has_p_one_and_a_reason() -> None:
    scores = np.column_stack([SCORES[:, 0], SCORES[:, 0] + 1e-15, SCORES[:, 1]])

    result = pairwise_max_t_test(scores)

    assert result.pvalue[0, 1] == result.unadjusted_pvalue[0, 1] == 1
    assert result.statistic[0, 1] == 0
    assert result.reason == max_t.EQUAL.format(of="1 of 3")


def test_equal_percentages_have_p_one() -> None:
    assert pairwise_max_t_test(np.full((4, 3), 80.0)).pvalue.tolist() == np.ones((3, 3)).tolist()


def test_difference_beside_scores_of_another_size_is_noise() -> None:
    """On the first dataset the two are equal, and 1e350 times as large as their difference on the second."""
    x, y = [1e150, 2e-200, 4e-200], [1e150, 1e-200, 1e-200]

    assert pairwise_max_t_test(np.transpose([x, y])).pvalue[0, 1] == permutation_test(x, y).pvalue == 1


def test_constant_difference_has_an_infinite_t_and_the_smallest_pvalue() -> None:
    result = pairwise_max_t_test(np.outer(np.arange(6), [1, 1]) + np.array([0.5, 0]))

    assert result.statistic[0, 1] == np.inf
    assert result.pvalue[0, 1] == result.min_attainable_pvalue == 2 / 2**6


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e150])
def test_unit_of_the_scores_does_not_matter(scale: float) -> None:
    result = pairwise_max_t_test(SCORES * scale)

    np.testing.assert_array_equal(result.pvalue, pairwise_max_t_test(SCORES).pvalue)


def test_batch_is_the_loop() -> None:
    tables = np.random.default_rng(6).random((2, 3, 15, 4))
    tables[0, 0] = 0.5

    batch = pairwise_max_t_test(tables, n_resamples=199)

    assert batch.pvalue.shape == (2, 3, 4, 4)
    for at in np.ndindex(2, 3):
        member = pairwise_max_t_test(tables[at], n_resamples=199)
        for name in ("statistic", "pvalue", "unadjusted_pvalue", "mean_difference"):
            np.testing.assert_array_equal(getattr(batch, name)[at], getattr(member, name))
        assert (batch.reason[at], batch.seed[at]) == (member.reason, member.seed)


def test_less_is_greater_of_negated_scores() -> None:
    less = pairwise_max_t_test(SCORES, control=0, alternative="less")

    greater = pairwise_max_t_test(-SCORES, control=0, alternative="greater")
    np.testing.assert_array_equal(less.pvalue, greater.pvalue)


def test_many_datasets_are_drawn_by_default() -> None:
    methods = [str(pairwise_max_t_test(np.random.default_rng(0).random((n, 3))).method) for n in (14, 15)]

    assert methods == ["exact", "monte-carlo"]


def test_control_by_name() -> None:
    frame = pd.DataFrame(SCORES, columns=list("abcd"))

    assert pairwise_max_t_test(frame, control="c").control == "c"


@pytest.mark.parametrize(
    ("scores", "choices", "message"),
    [
        ([[1, 2]], {}, "scores must hold at least 2 datasets"),
        ([[1, 2], [1, np.nan]], {}, "scores must be finite"),
        (SCORES, {"alternative": "less"}, "alternative must be 'two-sided' without a control, not 'less'"),
        (SCORES, {"control": 9}, "control must be an index from 0 to 3, not 9"),
        (SCORES, {"step_down": 1}, "step_down must be True or False, not 1"),
        (
            SCORES,
            {"method": "t"},
            "method must be 'auto' or 'exact' or 'monte-carlo' or 'bootstrap' or 'range', not 't'",
        ),
        (np.ones((21, 2)), {"method": "exact"}, r"method='exact' would need 2\^21 sign assignments"),
    ],
)
def test_what_is_refused(scores: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        pairwise_max_t_test(scores, **choices)


def test_rounding_of_single_precision_hides_no_coincidence() -> None:
    """Decimals in single precision have the p-values of the decimals: sums that coincide still do."""
    decimals = np.random.default_rng(5).random((8, 4)).round(2)
    single = decimals.astype(np.float32)

    exact, rounded = (pairwise_max_t_test(scores, tie_tolerance=1e-6) for scores in (decimals, single))

    assert np.unique(exact.unadjusted_pvalue[0]).size > 1
    np.testing.assert_array_equal(exact.pvalue, rounded.pvalue)
    np.testing.assert_array_equal(exact.unadjusted_pvalue, rounded.unadjusted_pvalue)


# --- signed ranks -----------------------------------------------------------------------------------------------------


def signed_ranks(d: np.ndarray) -> np.ndarray:
    """Rank what is not zero by its size, with its sign, as Wilcoxon (1945) writes it."""
    ranks = np.zeros(len(d))
    ranks[d != 0] = stats.rankdata(np.abs(d[d != 0])) * np.sign(d[d != 0])
    return ranks


def by_definition_of_ranks(
    scores: np.ndarray, pairs: list[tuple[int, int]], alternative: str, step_down: bool
) -> tuple[list[float], list[float], list[float]]:
    """Compute z, adjusted and unadjusted p-values from the signed ranks under all signs, pair by pair."""
    d = np.array([signed_ranks(np.round(scores[:, i] - scores[:, j], 9)) for i, j in pairs])
    length = np.sqrt((d**2).sum(axis=1))
    z = d.sum(axis=1) / np.where(length > 0, length, 1)
    observed = TOWARDS[alternative](z)
    signs = itertools.product((1, -1), repeat=len(scores))
    drawn = TOWARDS[alternative](np.array([(d * s).sum(axis=1) / np.where(length > 0, length, 1) for s in signs]))
    adjusted = {}
    for pair in range(len(pairs)):  # of the larger ones, each is tested before, against at least as many
        before = [q for q in range(len(pairs)) if observed[q] >= observed[pair] - 1e-9]
        shares = []
        for q in before:
            left = [r for r in range(len(pairs)) if not step_down or observed[r] <= observed[q] + 1e-9]
            shares.append(np.mean(drawn[:, left].max(axis=1) >= observed[q] - 1e-9))
        adjusted[pair] = max(shares) if step_down else shares[before.index(pair)]
    return z.tolist(), list(adjusted.values()), (drawn >= observed - 1e-9).mean(axis=0).tolist()


TIED = np.random.default_rng(7).integers(0, 5, (9, 4)) / 4 + np.array([0, 0, 0.25, 0.5])


@pytest.mark.parametrize("scores", [SCORES, TIED], ids=["untied", "ties and zeros"])
@pytest.mark.parametrize("step_down", [True, False])
@pytest.mark.parametrize(("control", "alternative"), [(None, "two-sided"), *((1, name) for name in ALTERNATIVES)])
def test_signed_ranks_are_those_of_the_definition(
    scores: np.ndarray, step_down: bool, control: int | None, alternative: str
) -> None:
    pairs = list(itertools.combinations(range(4), 2)) if control is None else [(0, 1), (2, 1), (3, 1)]

    result = pairwise_max_t_test(scores, ranks=True, control=control, alternative=alternative, step_down=step_down)

    z, adjusted, alone = by_definition_of_ranks(scores, pairs, alternative, step_down)
    at = tuple(np.transpose(pairs)) if control is None else [0, 2, 3]
    assert result.statistic[at] == pytest.approx(z, rel=1e-12)
    assert result.pvalue[at] == pytest.approx(adjusted, rel=1e-12)
    assert result.unadjusted_pvalue[at] == pytest.approx(alone, rel=1e-12)
    assert result.ranks


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("scores", [SCORES[:, :2], TIED[:, :2], np.full((5, 2), 0.5)], ids=["untied", "tied", "equal"])
def test_signed_ranks_of_one_pair_are_the_wilcoxon_test(scores: np.ndarray, alternative: str) -> None:
    result = pairwise_max_t_test(scores, ranks=True, control=1, alternative=alternative)

    alone = wilcoxon_test(*scores.T, alternative=alternative)
    assert result.pvalue[0] == pytest.approx(alone.pvalue, rel=1e-12)
    assert result.unadjusted_pvalue[0] == result.pvalue[0]


def test_each_pair_alone_is_the_wilcoxon_test() -> None:
    result = pairwise_max_t_test(TIED, ranks=True)

    expected = pairwise_wilcoxon_test(TIED, adjust="none").pvalue
    assert result.unadjusted_pvalue == pytest.approx(expected, rel=1e-12)
    holm = pairwise_wilcoxon_test(TIED).pvalue
    assert (result.pvalue <= holm + 1e-12).all()


def test_random_signs_of_ranks_come_close_to_all() -> None:
    exact = pairwise_max_t_test(SCORES, ranks=True).pvalue
    drawn = pairwise_max_t_test(SCORES, ranks=True, method="monte-carlo", n_resamples=20_000).pvalue

    assert np.abs(exact - drawn).max() < 4 * 0.5 / np.sqrt(20_000)


def test_an_outlier_weighs_as_its_rank() -> None:
    scores = SCORES.copy()
    scores[np.argmax(SCORES[:, 3] - SCORES[:, 0]), 3] += 1e6

    far, near = (pairwise_max_t_test(one, ranks=True, control=0).pvalue[3] for one in (scores, SCORES))

    assert far == near


def test_six_datasets_are_enough_for_signed_ranks() -> None:
    scores = np.arange(6)[:, None] + np.arange(6) * np.linspace(1, 2, 6)[:, None]

    assert pairwise_max_t_test(scores, ranks=True).pvalue[0, 5] == 2 * 0.5**6 < 0.05


def test_signed_ranks_of_thousands_of_datasets_keep_their_coincidences() -> None:
    """Steps of half a rank are far below one in a million of the largest sum, and still told apart."""
    rng = np.random.default_rng(4)
    scores = np.column_stack([rng.integers(0, 3, 5000), rng.integers(0, 3, 5000)]) / 2

    drawn = pairwise_max_t_test(scores, ranks=True, control=1, n_resamples=2000).pvalue[0]

    alone = wilcoxon_test(*scores.T).pvalue
    assert drawn == pytest.approx(alone, abs=4 * np.sqrt(alone * (1 - alone) / 2000) + 1e-3)


def test_bootstrap_takes_no_ranks() -> None:
    with pytest.raises(InvalidValueError, match="method='bootstrap' does not support ranks=True"):
        pairwise_max_t_test(SCORES, ranks=True, method="bootstrap")


# --- the bootstrap ----------------------------------------------------------------------------------------------------

PAIRS = tuple(np.triu_indices(4, 1))


def recentered(d: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Compute t of the mean difference of a resample minus the observed one, (n_pairs,), as Romano & Wolf write it."""
    values = d[:, drawn]
    away, spread = values.mean(axis=1) - d.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(d.shape[1])
    is_constant = values.max(axis=1) == values.min(axis=1)
    return np.where(is_constant, np.copysign(np.inf, away), away / np.where(is_constant, 1.0, spread))


def stepped_down(drawn: np.ndarray, observed: np.ndarray, added: int, step_down: bool = True) -> np.ndarray:
    """Compute adjusted p-values from the statistics of all resamples, (n_resamples, n_pairs)."""
    order, adjusted, before = np.argsort(-observed), np.empty(len(observed)), 0.0
    for place, pair in enumerate(order):
        largest = drawn[:, order[place:] if step_down else order].max(axis=1)
        share = (np.sum(largest >= observed[pair]) + added) / (len(drawn) + added)
        adjusted[pair] = before = max(before, share)
    return adjusted


def drawn_datasets(scores: np.ndarray, n_resamples: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the rows in the order in which they are drawn, and the rows of each resample."""
    counts = max_t._random_counts(len(scores), n_resamples, random_source(0)).astype(int)
    return scores[unsigned_order(np.round(scores, 12))[0]], [
        np.repeat(np.arange(len(scores)), times) for times in counts
    ]


@pytest.mark.parametrize("step_down", [True, False])
@pytest.mark.parametrize(("control", "alternative"), [(None, "two-sided"), *((1, name) for name in ALTERNATIVES)])
def test_bootstrap_is_a_loop_over_the_resamples(control: int | None, alternative: str, step_down: bool) -> None:
    ordered, drawn = drawn_datasets(SCORES, 399)
    i, j = PAIRS if control is None else (np.array([0, 2, 3]), np.full(3, 1))
    d = (ordered[:, i] - ordered[:, j]).T
    statistics = TOWARDS[alternative](np.array([recentered(d, rows) for rows in drawn]))
    observed = TOWARDS[alternative](stats.ttest_1samp(d, 0, axis=1).statistic)

    result = pairwise_max_t_test(
        SCORES, control=control, alternative=alternative, step_down=step_down, method="bootstrap", n_resamples=399
    )

    at = (i, j) if control is None else i
    assert result.pvalue[at] == pytest.approx(stepped_down(statistics, observed, 1, step_down), rel=1e-12)
    assert result.unadjusted_pvalue[at] == pytest.approx((np.sum(statistics >= observed, axis=0) + 1) / 400, rel=1e-12)
    assert (result.method, result.min_attainable_pvalue, result.seed) == ("bootstrap", 1 / 400, 0)


def test_bootstrap_comes_close_to_all_resamples() -> None:
    """Five datasets have 3125 resamples, five of which hold one dataset alone."""
    scores = np.random.default_rng(3).random((5, 3)) + np.array([0, 0.2, 0.5])
    i, j = np.triu_indices(3, 1)
    d = (scores[:, i] - scores[:, j]).T
    every = np.abs([recentered(d, np.array(rows)) for rows in itertools.product(range(5), repeat=5)])
    expected = stepped_down(every, np.abs(stats.ttest_1samp(d, 0, axis=1).statistic), 0)
    n_resamples = 100_000

    found = pairwise_max_t_test(scores, method="bootstrap", n_resamples=n_resamples).pvalue[i, j]

    assert np.abs(found - expected).max() < 4 * np.sqrt(expected * (1 - expected) / n_resamples).max()
    assert (every == np.inf).all(axis=1).sum() == 5


@pytest.mark.long
def test_bootstrap_holds_its_level_where_differences_are_skewed() -> None:
    """Means are equal, but the differences are skewed: random signs, which expect symmetry, reject too often."""
    rng = np.random.default_rng(8)
    tables = (rng.exponential(size=(300, 30, 6)) - 1) * np.arange(1, 7)

    signs, bootstrap = (
        np.mean((pairwise_max_t_test(tables, method=method, n_resamples=199).pvalue <= 0.05).any(axis=(-2, -1)))
        for method in ("monte-carlo", "bootstrap")
    )

    assert bootstrap < 0.05 + 3 * 0.0126 < signs


def test_bootstrap_of_a_constant_difference_has_no_pvalue() -> None:
    """No resample tells anything of it, and the other pairs are as if it were not there."""
    scores = np.column_stack([SCORES[:, :2], SCORES[:, 0] + 0.25])

    result = pairwise_max_t_test(scores, method="bootstrap", n_resamples=99, step_down=False)

    assert result.statistic[2, 0] == np.inf
    assert np.isnan(result.pvalue[2, 0])
    assert np.isnan(result.unadjusted_pvalue[0, 2])
    assert result.reason == max_t.CONSTANT.format(of="1 of 3")
    assert np.isfinite(result.pvalue[[0, 1], [1, 2]]).all()
    assert pairwise_max_t_test([[0.3, 0.2], [0.9, 0.8], [0.5, 0.4]], method="bootstrap").reason is not None


def test_bootstrap_of_an_equal_pair_has_p_one() -> None:
    result = pairwise_max_t_test(np.column_stack([SCORES[:, 0], SCORES[:, 0], SCORES[:, 1]]), method="bootstrap")

    assert result.pvalue[0, 1] == result.unadjusted_pvalue[0, 1] == 1
    assert result.reason == max_t.EQUAL.format(of="1 of 3")


def test_dataset_at_the_mean_difference_is_no_extreme_resample() -> None:
    """Resamples of that dataset alone lie at the mean, though 0.9 - 0.8 is not the float 0.2 - 0.1."""
    scores = np.array([[0.5, 0.5], [0.9, 0.8], [0.7, 0.5]])

    result = pairwise_max_t_test(scores, method="bootstrap", n_resamples=20_000)

    # of differences 0, 1 and 2 the observed t is sqrt(3): 000 and 222 are infinite, 001 and 122 in three orders have 2
    assert result.pvalue[0, 1] == pytest.approx(8 / 27, abs=4 * np.sqrt(8 / 27 * 19 / 27 / 20_000))


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e150])
def test_unit_of_the_scores_does_not_matter_to_the_bootstrap(scale: float) -> None:
    result = pairwise_max_t_test(SCORES * scale, method="bootstrap", n_resamples=199)

    same = pairwise_max_t_test(SCORES, method="bootstrap", n_resamples=199)
    np.testing.assert_array_equal(result.pvalue, same.pvalue)


def test_bootstrap_batch_is_the_loop() -> None:
    tables = np.random.default_rng(6).random((2, 12, 4))

    batch = pairwise_max_t_test(tables, method="bootstrap", n_resamples=199)

    for at in range(2):
        np.testing.assert_array_equal(
            batch.pvalue[at], pairwise_max_t_test(tables[at], method="bootstrap", n_resamples=199).pvalue
        )


ANSWERS = np.random.default_rng(12).normal(size=(30, 4)) + np.array([0, 0, 0.4, 0.8])
PASSAGES = np.random.default_rng(13).permutation(30) % 9
BENCHMARKS = PASSAGES % 3


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("strata", [None, BENCHMARKS])
def test_groups_keep_their_signs_as_in_the_test_of_one_pair(average: str, strata) -> None:
    """The p-value of a pair alone is that of clustered_permutation_test, and so is its mean."""
    result = pairwise_max_t_test(ANSWERS, clusters=PASSAGES, strata=strata, average=average)

    assert result.method == "exact"
    assert (result.n_datasets, result.n_clusters, result.average) == (30, 9, average)
    for i, j in itertools.combinations(range(4), 2):
        alone = clustered_permutation_test(
            ANSWERS[:, i], ANSWERS[:, j], clusters=PASSAGES, strata=strata, average=average
        )
        assert result.unadjusted_pvalue[i, j] == pytest.approx(alone.pvalue, rel=1e-12)
        assert result.mean_difference[i, j] == pytest.approx(alone.statistic, rel=1e-12)


def test_groups_by_a_loop_over_all_signs() -> None:
    """Westfall & Young (1993), algorithm 4.1, step-down over the totals of the groups."""
    totals = np.array([ANSWERS[g == PASSAGES].sum(axis=0) for g in range(9)])
    pairs = list(itertools.combinations(range(4), 2))
    d = np.array([totals[:, i] - totals[:, j] for i, j in pairs])

    def t(of):
        return np.abs(of.mean(axis=1)) / (of.std(axis=1, ddof=1) / 3)

    observed, flipped = t(d), np.array([t(d * signs) for signs in itertools.product((1, -1), repeat=9)])
    order, expected, before = np.argsort(-observed), np.empty(6), 0.0
    for at, pair in enumerate(order):
        before = max(before, np.mean(flipped[:, order[at:]].max(axis=1) >= observed[pair] - 1e-9))
        expected[pair] = before

    result = pairwise_max_t_test(ANSWERS, clusters=PASSAGES)

    assert [result.pvalue[pair] for pair in pairs] == pytest.approx(expected)
    assert [abs(result.statistic[pair]) for pair in pairs] == pytest.approx(observed)


@pytest.mark.parametrize("method", ["exact", "monte-carlo", "bootstrap"])
def test_groups_of_one_row_each_are_rows(method: str) -> None:
    scores = ANSWERS[:10]

    grouped = pairwise_max_t_test(scores, clusters=np.arange(10), method=method)

    alone = pairwise_max_t_test(scores, method=method)
    assert grouped.pvalue.tolist() == alone.pvalue.tolist()
    assert grouped.statistic == pytest.approx(alone.statistic)


def test_order_of_rows_in_groups_changes_nothing() -> None:
    order = np.random.default_rng(2).permutation(30)

    moved = pairwise_max_t_test(ANSWERS[order], clusters=PASSAGES[order], method="bootstrap")

    assert moved.pvalue == pytest.approx(pairwise_max_t_test(ANSWERS, clusters=PASSAGES, method="bootstrap").pvalue)


@pytest.mark.parametrize("method", ["monte-carlo", "bootstrap"])
@pytest.mark.long
def test_family_of_groups_keeps_its_level(method: str) -> None:
    """Null tables of 40 groups whose rows hang together: one of three pairs is called different in about 5 %."""
    generator, rejections = np.random.default_rng(3), 0
    groups = np.repeat(np.arange(40), 4)
    for seed in range(400):
        scores = generator.normal(size=(40, 3))[groups] + generator.normal(size=(160, 3))
        found = pairwise_max_t_test(scores, clusters=groups, method=method, n_resamples=199, rng=seed)
        rejections += bool((found.pvalue <= 0.05).any())

    assert 7 <= rejections <= 36  # 20 expected, four standard errors on either side


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"clusters": [1] * 30}, "clusters must have at least two different values, but all rows have the same value"),
        (
            {"clusters": PASSAGES, "strata": BENCHMARKS, "method": "bootstrap"},
            "method='bootstrap' resamples all clusters together and does not support 3 strata",
        ),
        ({"clusters": PASSAGES, "strata": np.arange(30) % 2}, "clusters must not cross strata"),
        (
            {"clusters": PASSAGES[:5]},
            r"clusters must name one cluster for each of the 30 instances, but its shape is \(5,\)",
        ),
        ({"average": "mean"}, "average must be 'micro' or 'macro', not 'mean'"),
    ],
)
def test_groups_that_do_not_fit_are_refused(choices, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        pairwise_max_t_test(ANSWERS, **choices)


QUERIES = np.array([[0.9, 0.7, 0.6], [0.5, 0.4, 0.45], [0.8, 0.75, 0.3], [0.6, 0.65, 0.2]])


def by_range(scores: np.ndarray) -> np.ndarray:
    """Compute the p-values of all pairs from the range of the means under all permutations within rows."""
    rows = [np.array(list(itertools.permutations(row))) for row in scores]
    means = np.array([np.mean(drawn, axis=0) for drawn in itertools.product(*rows)])
    mean = scores.mean(axis=0)
    return np.array([[np.mean(np.ptp(means, axis=1) >= abs(a - b) - 1e-9) for b in mean] for a in mean])


def test_range_of_retrieval_systems_by_hand() -> None:
    """Four queries, three systems, 1,296 permutations."""
    result = pairwise_max_t_test(QUERIES, method="range")

    counts = 1296 * result.pvalue
    assert counts[[0, 0, 1], [1, 2, 2]].round(9).tolist() == [1236, 66, 294]
    assert (result.method, result.adjustment, result.n_resamples, result.seed) == ("range", "single-step", None, None)
    assert result.statistic[0] == pytest.approx([0, 0.075, 0.3125])


def test_range_is_that_of_all_permutations_of_ties() -> None:
    scores = np.array([[1.0, 0, 1], [0, 0, 1], [0.3, 0.1, 0.2], [1, 1, 1]])

    assert pairwise_max_t_test(scores, method="range").pvalue == pytest.approx(by_range(scores))


def test_range_of_two_is_the_permutation_test() -> None:
    result = pairwise_max_t_test(SCORES[:, :2], method="range")

    assert result.pvalue[0, 1] == pytest.approx(permutation_test(*SCORES[:, :2].T).pvalue)
    assert result.unadjusted_pvalue[0, 1] == pytest.approx(result.pvalue[0, 1])
    assert result.min_attainable_pvalue == 2 / 2**9


def test_random_permutations_are_near_all_of_them() -> None:
    """Of 7,776 permutations; four standard errors of a share of 7,000 are below 0.025."""
    drawn = pairwise_max_t_test(np.vstack([QUERIES, QUERIES[:1] / 2]), method="range", n_resamples=7_000)

    assert drawn.n_resamples == 7_000
    assert drawn.pvalue == pytest.approx(by_range(np.vstack([QUERIES, QUERIES[:1] / 2])), abs=0.025)
    assert drawn.min_attainable_pvalue == 1 / 7_001


def test_range_permutes_whole_clusters() -> None:
    clusters = ["p", "q", "p", "r"]
    totals = np.array([QUERIES[[0, 2]].sum(axis=0), QUERIES[1], QUERIES[3]])

    result = pairwise_max_t_test(QUERIES, clusters=clusters, method="range")

    assert result.pvalue == pytest.approx(by_range(totals))
    assert result.mean_difference[0, 2] == pytest.approx(0.3125)


def test_range_does_not_depend_on_order_or_sign() -> None:
    scores = np.random.default_rng(5).random((12, 4))
    one = pairwise_max_t_test(scores, method="range", n_resamples=99)
    other = pairwise_max_t_test(1 - scores[::-1, [2, 0, 3, 1]], method="range", n_resamples=99)

    assert np.array_equal(one.pvalue[np.ix_([2, 0, 3, 1], [2, 0, 3, 1])], other.pvalue)


def test_range_of_equal_systems_is_one_with_a_reason() -> None:
    result = pairwise_max_t_test(QUERIES[:, [0, 0, 1]], method="range")

    assert result.pvalue[0, 1] == 1
    assert result.reason == max_t.EQUAL.format(of="1 of 3")


@pytest.mark.parametrize(("asked", "name"), [({"ranks": True}, "ranks=True"), ({"control": 0}, "a control")])
def test_range_refuses_ranks_and_a_control(asked: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidValueError, match=f"method='range' does not support {name}"):
        pairwise_max_t_test(QUERIES, method="range", **asked)


@pytest.mark.parametrize("spread", [1e-3, 1e-6, 1e-9])
def test_large_statistics_keep_their_digits(spread: float) -> None:
    """The variance is that of the differences from their mean, not 1 minus a square close to 1."""
    d = np.array([1.0, 1.0 + spread, 1.0 - spread / 2, 1.0 + spread / 4])
    exact = [Fraction(float(one)) for one in d]
    mean = sum(exact) / 4
    square = mean**2 * 4 / (sum((one - mean) ** 2 for one in exact) / 3)
    result = pairwise_max_t_test(np.column_stack([d, np.zeros(4)]), method="exact")
    assert result.statistic[0, 1] == pytest.approx(math.sqrt(square), rel=1e-15 / spread)
