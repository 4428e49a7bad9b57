"""One rule of equality: whatever is computed from scores is what their counts of right answers say.

Counts are whole numbers, which have no noise. The same counts as fractions of a test set differ from their true values
by floating-point noise, and the digits of many of them end in the middle between two decimals of twelve digits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from public_names import public_names

import evalstats
from evalstats.paired.sign import wins_and_losses
from evalstats.reproducibility import KolmogorovSmirnov

# an odd number of answers of 40,960 has thirteen decimals, the last of which is a 5
TEST_SETS = (30, 10_007, 40_960, 81_920, 163_840, 199_999, 1_024_000)
SINGLE, HALF = (1000, np.float32), (100, np.float16)
SCALES = [*((n, np.float64) for n in TEST_SETS), SINGLE, HALF]

rng = np.random.default_rng(0)
Y = rng.integers(5, 25, 14)
X = Y + np.array([1, -1, 1, 1, 3, -1, 1, 5, 3, 1, 0, -1, 3, 1])
FOLDS_X, FOLDS_Y = Y[:10] + np.array([1, 3, -1, 1, 3, 1, 1, 5, 1, 3]), Y[:10]
TABLE = Y[:, None] + np.array([[0, 3, -1, 3]] * 6 + [[0, -1, 2, 3]] * 5 + [[1, 1, 0, -2]] * 3)
RUNS = np.stack([X, Y, Y + 1], axis=-1)


PAIRED: dict[str, Callable[[Any, Any], Any]] = {
    "sign_test": evalstats.sign_test,
    "wilcoxon_test": evalstats.wilcoxon_test,
    "wilcoxon_test, asymptotic": partial(evalstats.wilcoxon_test, method="asymptotic"),
    "wilcoxon_test, pratt": partial(evalstats.wilcoxon_test, zero_method="pratt"),
    "permutation_test": evalstats.permutation_test,
    "paired_ttest": evalstats.paired_ttest,
    "corrected_ttest": partial(evalstats.corrected_ttest, n_train=9, n_test=1),
    "naive_resampled_ttest": evalstats.paired.naive_resampled_ttest,
    "rank_biserial": evalstats.effects.rank_biserial,
    "cohen_dz": evalstats.effects.cohen_dz,
    "cliffs_delta": evalstats.effects.cliffs_delta,
    "vargha_delaney_a": evalstats.effects.vargha_delaney_a,
    "overlap": evalstats.overlap,
    "overlap, all": partial(evalstats.overlap, pairing="all"),
    "bayes_correlated_ttest": partial(evalstats.bayes_correlated_ttest, correlation=0.1),
}
TABLES: dict[str, Callable[[Any], Any]] = {
    "friedman_test": evalstats.friedman_test,
    "nemenyi_test": evalstats.nemenyi_test,
    "kendall_w": evalstats.multiple.kendall_w,
    "page_test": partial(evalstats.multiple.page_test, order=[0, 1, 2, 3]),
    "quade_test": evalstats.quade_test,
    "quade_posthoc_test": evalstats.multiple.quade_posthoc_test,
    "friedman_aligned_test": evalstats.friedman_aligned_test,
    "friedman_aligned_posthoc_test": evalstats.multiple.friedman_aligned_posthoc_test,
    "rm_anova_test": evalstats.rm_anova_test,
    "tukey_test": evalstats.tukey_test,
    "dunnett_test": partial(evalstats.multiple.dunnett_test, control=0),
    "pairwise_wilcoxon_test": evalstats.pairwise_wilcoxon_test,
    "pairwise_sign_test": evalstats.pairwise.pairwise_sign_test,
    "pairwise_paired_ttest": evalstats.pairwise.pairwise_paired_ttest,
    "pairwise_corrected_ttest": partial(evalstats.pairwise.pairwise_corrected_ttest, n_train=9, n_test=1),
    "skillings_mack_test": evalstats.multiple.skillings_mack_test,
    "overlap_matrix": evalstats.reproducibility.overlap_matrix,
    "rank_distribution": partial(evalstats.multiple.rank_distribution, rng=0),
    "running_means": evalstats.reproducibility.running_means,
}
FREE_OF_UNIT = (
    *("statistic", "pvalue", "unadjusted_pvalue", "reason", "method", "n_zero", "n_ties", "n_wins", "mean_ranks"),
    *("rank_biserial", "estimate", "n_greater", "n_less", "win_share", "p_less", "p_rope", "p_greater", "kendall_w"),
    *("min_attainable_pvalue", "probabilities", "n_crossings", "last_crossing", "n_rope", "expected"),
)
IN_THE_UNIT = {"permutation_test"}  # its statistic is a mean difference


def agree(name: str, here: Any, there: Any, precision: float) -> None:
    """Everything that does not depend on the unit of the scores is the same."""
    n = 0
    for field in FREE_OF_UNIT:
        if not hasattr(there, field) or (field == "statistic" and name in IN_THE_UNIT):
            continue
        a, b = getattr(here, field), getattr(there, field)
        if hasattr(b, "to_dict"):
            a, b = list(a.to_dict().values()), list(b.to_dict().values())
        n += 1
        if isinstance(b, str | None) or np.asarray(b).dtype.kind in "OU":
            assert np.array_equal(a, b), (name, field, a, b)
        else:
            np.testing.assert_allclose(a, b, rtol=precision, atol=precision, err_msg=f"{name}, {field}")
    assert n > 1


def scored(counts: Any, size: int, dtype: Any) -> Any:
    return (np.asarray(counts) / size).astype(dtype)


def precision_of(dtype: Any) -> float:
    """Return what a t statistic of so few digits can keep; ranks have no error."""
    return {np.float64: 1e-7, np.float32: 2e-3, np.float16: 0.6}[dtype]


scales = pytest.mark.parametrize(("size", "dtype"), SCALES, ids=[f"{d.__name__} of {n}" for n, d in SCALES])
EACH_SCALE = {f"{dtype.__name__} of {size}": (size, dtype) for size, dtype in SCALES}


@pytest.mark.parametrize("name", PAIRED)
def test_pairs_of_fractions_are_pairs_of_counts(hold_for_each, name: str) -> None:
    def law(size: int, dtype: Any) -> None:
        here = PAIRED[name](scored(X, size, dtype), scored(Y, size, dtype))
        agree(name, here, PAIRED[name](X, Y), precision_of(dtype))

    hold_for_each(EACH_SCALE, law)


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_fractions_are_tables_of_counts(hold_for_each, name: str) -> None:
    def law(size: int, dtype: Any) -> None:
        agree(name, TABLES[name](scored(TABLE, size, dtype)), TABLES[name](TABLE), precision_of(dtype))

    hold_for_each(EACH_SCALE, law)


@pytest.mark.parametrize("name", [name for name in PAIRED if "ttest" in name or name == "cohen_dz"])
def test_a_constant_difference_has_no_variance(hold_for_each, name: str) -> None:
    """It is no evidence of a t distribution, and not a p-value of 1e-131."""

    def law(size: int, dtype: Any) -> None:
        result = PAIRED[name](scored(Y + 3, size, dtype), scored(Y, size, dtype))

        assert np.isnan(getattr(result, "pvalue", np.nan))
        assert "by the same" in result.reason or "variance" in result.reason

    hold_for_each(EACH_SCALE, law)


@pytest.mark.parametrize("name", ["rm_anova_test", "tukey_test", "dunnett_test", "pairwise_corrected_ttest"])
def test_constant_differences_leave_no_error(hold_for_each, name: str) -> None:
    """Each classifier differs from each other by the same on every dataset."""
    table = Y[:, None] + np.array([0, 1, 4])

    def law(size: int, dtype: Any) -> None:
        agree(name, TABLES[name](scored(table, size, dtype)), TABLES[name](table), 1e-12)

    hold_for_each(EACH_SCALE, law)


def test_five_by_two_and_ten_by_ten(hold_for_each) -> None:
    x, y = (v.reshape(5, 2) for v in (FOLDS_Y + 1, FOLDS_Y))

    def law(size: int, dtype: Any) -> None:
        for test in (evalstats.ttest_5x2cv, evalstats.ftest_5x2cv):
            agree("5x2", test(scored(x, size, dtype), scored(y, size, dtype)), test(x, y), 1e-12)
        result = evalstats.paired.ttest_10x10(
            *(scored(v, size, dtype) for v in (np.tile(FOLDS_X, (10, 1)), np.tile(FOLDS_X - 1, (10, 1))))
        )
        assert np.isnan(result.pvalue)

    hold_for_each(EACH_SCALE, law)


@pytest.mark.parametrize("rope", [1, 3, 5])
@pytest.mark.parametrize("name", ["bayes_sign_test", "bayes_signed_rank_test"])
def test_a_difference_of_exactly_the_rope_is_inside(hold_for_each, name: str, rope: int) -> None:
    """The region of practical equivalence is closed; 29/30 - 27/30 lies on the edge of 2/30."""
    choices: dict[str, Any] = {"rng": 1} | ({"n_simulations": 500} if "rank" in name else {})
    test = partial(public_names()[name], **choices)

    def law(size: int, dtype: Any) -> None:
        here = test(scored(X, size, dtype), scored(Y, size, dtype), rope=rope / size)
        agree(name, here, test(X, Y, rope=rope), 1e-12)

    hold_for_each(EACH_SCALE, law)


def test_the_mean_of_two_differences_on_the_edge_of_the_rope_is_inside() -> None:
    """(2/30 + 0) / 2 is the rope 1/30, though the thirds of twelve digits do not add up."""
    x, y = np.array([29, 20, 18]) / 30, np.array([27, 20, 18]) / 30

    result = evalstats.bayes_signed_rank_test(x, y, rope=1 / 30, prior_strength=0, n_simulations=100, rng=0)

    assert result.expected.greater == pytest.approx(2 / 12)  # the pair of 2/30 with itself alone


@scales
def test_constant_folds_of_the_hierarchical_model(size: int, dtype: Any) -> None:
    with pytest.raises(ValueError, match="rope must be above 0 if x - y is the same in every fold"):
        evalstats.bayes.bayes_hierarchical_test(
            scored([Y + 1, Y + 3], size, dtype), scored([Y, Y], size, dtype), correlation=0.1, rng=0
        )


@scales
def test_wins_are_counted_alike_everywhere(size: int, dtype: Any) -> None:
    """By the sign test, in the effects of a comparison, and in the legend of a picture."""
    table = pd.DataFrame(scored(RUNS, size, dtype), index=[f"d{i}" for i in range(14)], columns=["a", "b", "c"])
    ties = {frozenset("ab"): 1, frozenset("ac"): int((X == Y + 1).sum()), frozenset("bc"): 0}

    comparison = evalstats.compare(table)

    assert {frozenset((p.first, p.second)): p.n_ties for p in comparison.pairs} == ties
    x, y = scored(X, size, dtype), scored(Y, size, dtype)
    assert wins_and_losses(x.astype(float), y.astype(float), 1e-12) == ((X > Y).sum(), (X < Y).sum())


@pytest.mark.parametrize("size", [40_960, 163_840])
def test_means_over_folds_in_any_order_are_equal(size: int) -> None:
    """Ten folds of 4,096 cases have the scores of 40,960, but for the noise of the mean."""
    folds = rng.integers(0, size // 10, (40, 10)) / (size // 10)
    x, y = folds.mean(axis=1), rng.permuted(folds, axis=1)[:, ::-1].mean(axis=1)

    assert evalstats.sign_test(x, y).n_ties == 40
    assert evalstats.wilcoxon_test(x + 1 / size, y).rank_biserial == 1
    assert evalstats.paired_ttest(x + 3 / size, y).standard_error == 0
    assert (evalstats.friedman_test(np.stack([x, y], axis=1)).mean_ranks == 1.5).all()


@pytest.mark.parametrize("size", [40_960, 163_840, 199_999])
def test_one_score_by_two_ways_is_one_score(size: int) -> None:
    """Right answers of all, and all less the wrong ones: the last bit of the two differs."""
    right = np.random.default_rng(1).integers(size // 10, size // 2, 2000)
    x, y = right / size, 1 - (size - right) / size
    both = np.stack([x, y], axis=1)

    assert evalstats.sign_test(x, y).n_ties == 2000
    assert evalstats.wilcoxon_test(x, y).n_zero == 2000
    assert (evalstats.friedman_test(both).mean_ranks == 1.5).all()
    assert (evalstats.multiple.rank_distribution(both, n_resamples=9, rng=0).probabilities == 0.5).all()
    assert evalstats.overlap(x, y).n_ties == evalstats.reproducibility.overlap_matrix(both).n_ties[0, 1] == 2000
    assert evalstats.effects.cliffs_delta(x, y).n_greater == evalstats.effects.cliffs_delta(x, y).n_less
    assert (
        evalstats.reproducibility.estimation_bias(x, y).n_optimistic
        == evalstats.reproducibility.estimation_bias(x, y).n_pessimistic
        == 0
    )
    assert all(
        evalstats.reproducibility.run_distribution([a, a, a], ceiling=b).ceiling_proportion == 1
        for a, b in both[:99].tolist()
    )
    assert (evalstats.reproducibility.running_means(both[:1]).n_crossings == 0).all()


@pytest.mark.parametrize("size", [40_960, 199_999])
def test_equal_estimates_are_one_step_of_the_distribution(size: int) -> None:
    """Odd runs and even runs with the same estimates, by two ways and in two orders, have no distance in the end."""
    right = np.random.default_rng(1).integers(size // 10, size // 2, 500)
    rule = KolmogorovSmirnov(1e-9)
    for odd, even in zip(right.tolist(), right[::-1].tolist(), strict=True):
        rule.update(odd / size)
        rule.update(1 - (size - even) / size)

    assert rule.distance == 0


@pytest.mark.parametrize(
    ("base", "denominator"),
    [*((base, d) for base in (10.0, 1e4) for d in (64, 1024, 8192, 2**17)), (10.0, 2**22), (1e6, 64), (1e6, 8192)],
)
def test_binary_fractions_beside_large_scores_keep_their_sums(base: float, denominator: int) -> None:
    """Twelve digits of 1,000,000 cannot hold 1/8192, but sums of such differences are equal or not."""
    own = np.random.default_rng(int(base) + denominator)
    for _ in range(20):
        k = own.integers(-40, 60, 12)
        y = base + own.integers(0, 100, 12) / denominator

        assert evalstats.permutation_test(y + k / denominator, y).pvalue == evalstats.permutation_test(k, 0 * k).pvalue


TYPES = {
    "array": np.float32,
    "series": lambda v: pd.Series(np.float32(v)),
    "masked series": lambda v: pd.Series(v, dtype="Float32"),
    "list": lambda v: list(np.float32(v)),
    "mixed list": lambda v: [*np.float32(v[:1]), *v[1:].tolist()],
    "nested list": lambda v: [list(np.float32(v))],
    "arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(__import__("pyarrow").float32())),
}


@pytest.mark.parametrize("beside", ["single", "double"])
@pytest.mark.parametrize("kind", TYPES)
def test_single_precision_is_seen_wherever_it_comes_from(kind: str, beside: str) -> None:
    """The least precise of the arguments says how much noise there is."""
    x = TYPES[kind]((Y + 30) / 1000)
    y = Y / 1000 if beside == "double" else np.float32(Y / 1000)
    if kind == "nested list":
        y = y[None]

    assert np.isnan(evalstats.paired_ttest(x, y).pvalue).all()
    assert np.isnan(evalstats.paired_ttest(y, x).pvalue).all()


def test_double_precision_is_not_taken_for_single() -> None:
    """Numbers that single precision could hold, in double precision: less than a millionth counts."""
    x, y = np.float32([0.5, 0.25, 0.75]).astype(float), np.array([0.5, 0.25, 0.75]) + 6e-7

    assert evalstats.sign_test(x, y).n_losses == 3
    assert evalstats.sign_test(x.tolist(), y.tolist()).n_losses == 3
    assert evalstats.sign_test(np.float32(x), y).n_ties == 1  # the largest is closest, relative to it


@pytest.mark.parametrize("source", ["frame", "array", "dict", "long", "parquet"])
def test_a_table_knows_its_precision(source: str, tmp_path: Any) -> None:
    """In single precision the constant difference of two columns is constant."""
    scores = np.float32(np.stack([Y + 30, Y, Y[::-1]], axis=1) / 1000)
    frame = pd.DataFrame(scores, columns=["a", "b", "c"], index=[f"d{i}" for i in range(14)])
    made: Any = {
        "frame": lambda: frame,
        "array": lambda: scores,
        "dict": lambda: {"dataset": list(frame.index), **{name: frame[name] for name in frame}},
        "long": lambda: frame.rename_axis("dataset").reset_index().melt("dataset", var_name="classifier"),
        "parquet": lambda: frame.to_parquet(tmp_path / "scores.parquet") or tmp_path / "scores.parquet",
    }[source]()

    table = evalstats.read_table(made)

    assert table.noise == 2.0**-21
    assert table.select(table.classifiers[:2]).noise == table.noise
    assert evalstats.compare(table).tie_tolerance == 1e-12
    assert evalstats.read_table(frame.astype(float)).noise == 0
    replaced = evalstats.compare(table, omnibus="rm-anova", posthoc="paired-t").validity.replacements
    assert [(one.test, one.by) for one in replaced] == [("paired t-test", "Wilcoxon signed-rank test")]


def test_bits_are_compared_on_request() -> None:
    """Whatever their type: 0 is no tolerance at all."""
    x, y = np.float32((Y + 30) / 1000), np.float32(Y / 1000)

    assert evalstats.paired_ttest(x, y, tie_tolerance=0).pvalue < 1e-30
    assert evalstats.paired_ttest((Y + 3) / 40_960, Y / 40_960, tie_tolerance=0).standard_error > 0
