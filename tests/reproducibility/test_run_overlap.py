"""overlap, overlap_matrix, verdict_reproducibility, pvalues_over_runs: would another run give the same order?"""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from public_names import public_names
from scipy import stats

import evalstats
from evalstats import example_table, friedman_test, nemenyi_test, overlap, sign_test, wilcoxon_test
from evalstats.reproducibility import overlap_matrix, pvalues_over_runs, verdict_reproducibility

# Raeder, Hoens & Chawla (2010), eq. 1 and 2 for 50 applications, as in Table III
WINS_OF_50 = {25: 0.0, 26.5: 0.06, 39.5: 0.58, 50: 1.0}

scores = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=20)


def runs_with(wins: float, n: int = 50) -> tuple[np.ndarray, np.ndarray]:
    whole, n_ties = int(wins), round(2 * (wins % 1))
    x = np.repeat([1.0, 0.5, 0.0], [whole, n_ties, n - whole - n_ties])
    return x, np.repeat([0.0, 0.5, 1.0], [whole, n_ties, n - whole - n_ties])


def indicator(a: float, b: float) -> float:
    return 1.0 if a > b else 0.5 if a == b else 0.0


@pytest.fixture
def tables() -> np.ndarray:
    return np.random.default_rng(3).normal([0.0, 0.3, 0.4, 1.2], size=(12, 9, 4))


@pytest.mark.parametrize(("wins", "expected"), WINS_OF_50.items())
def test_published_granularity(wins: float, expected: float) -> None:
    result = overlap(*runs_with(wins))

    assert result.win_share == wins / 50
    assert result.reproducibility == expected


@given(scores)
def test_definition(pairs: list[tuple[int, int]]) -> None:
    """Eq. 1 and 2, letter by letter."""
    x, y = np.array(pairs).T

    result = overlap(x, y)

    of_x = sum(indicator(a, b) for a, b in pairs) / len(pairs)
    of_y = sum(indicator(b, a) for a, b in pairs) / len(pairs)
    assert result.win_share == pytest.approx(of_x, abs=1e-15)
    assert result.reproducibility == pytest.approx(max(2 * of_x - 1, 2 * of_y - 1), abs=1e-15)


@given(scores)
def test_all_pairs_is_the_absolute_value_of_cliffs_delta(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs).T

    result = overlap(x, y, pairing="all")

    shares = [indicator(a, b) for a in x for b in y]
    assert result.win_share == pytest.approx(np.mean(shares), abs=1e-15)
    assert result.reproducibility == pytest.approx(abs(2 * np.mean(shares) - 1), abs=1e-15)
    assert result.n_wins + result.n_losses + result.n_ties == len(x) ** 2


@given(scores)
def test_swapping_mirrors(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs).T
    here, there = overlap(x, y), overlap(y, x)

    assert here.reproducibility == there.reproducibility
    assert here.win_share == pytest.approx(1 - there.win_share, abs=1e-15)
    low, high = there.win_share_interval()
    assert list(here.win_share_interval()) == pytest.approx([1 - high, 1 - low], abs=1e-12)
    assert list(here.confidence_interval()) == pytest.approx(list(there.confidence_interval()), abs=1e-12)


def test_wins_are_those_of_the_sign_test() -> None:
    x, y = np.random.default_rng(0).integers(0, 6, size=(2, 40)) / 10

    result, test = overlap(x, y), sign_test(x, y)

    assert (result.n_wins, result.n_losses, result.n_ties) == (test.n_wins, test.n_losses, test.n_ties)


@pytest.mark.parametrize("wins", [0, 3, 25, 39, 50])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_interval_without_ties_is_wilsons(wins: int, level: float) -> None:
    interval = overlap(*runs_with(wins)).win_share_interval(level)

    expected = stats.binomtest(wins, 50).proportion_ci(level, method="wilson")
    assert list(interval) == pytest.approx([expected.low, expected.high], abs=1e-12)


@pytest.mark.parametrize("counts", [(5, 3, 4), (10, 0, 6), (2, 9, 30), (0, 0, 7)])
def test_interval_with_ties_is_what_a_score_test_does_not_reject(counts: tuple[int, int, int]) -> None:
    """The limits solve the score equation at the most likely share of ties, found by search."""
    wins, losses, ties = counts
    n = sum(counts)
    x = np.repeat([1.0, 0.0, 0.0], counts)
    y = np.repeat([0.0, 1.0, 0.0], counts)

    low, high = overlap(x, y).win_share_interval()

    def score(p: float) -> float:
        tied = np.linspace(0, 2 * min(p, 1 - p), 200_001)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = [
                np.log(share) * n for share, n in ((p - tied / 2, wins), (1 - p - tied / 2, losses), (tied, ties)) if n
            ]
        best = tied[np.nanargmax(np.sum(logs, axis=0))]
        return abs(wins + ties / 2 - n * p) / np.sqrt(n * (p * (1 - p) - best / 4))

    for limit in (low, high):
        if 0 < limit < 1:
            assert score(limit) == pytest.approx(stats.norm.ppf(0.975), abs=2e-4)


def test_interval_of_reproducibility_begins_at_zero_where_nobody_is_ahead() -> None:
    result = overlap(*runs_with(29))

    low, high = result.win_share_interval()
    assert low < 0.5 < high
    assert list(result.confidence_interval()) == pytest.approx([0, max(1 - 2 * low, 2 * high - 1)])


def test_intervals_cover() -> None:
    """Of the reproducibility, with ties, for 20 runs: at least about 95%."""
    rng = np.random.default_rng(7)
    outcomes = rng.choice([1, 0, -1], p=[0.6, 0.15, 0.25], size=(4000, 20))

    low, high = overlap(outcomes, np.zeros((4000, 20))).confidence_interval()

    assert np.mean((low <= 0.35) & (high >= 0.35)) > 0.935


def test_identical_classifiers_have_no_order_to_repeat() -> None:
    result = overlap([0.8, 0.9, 0.7], [0.8, 0.9, 0.7])

    assert (result.win_share, result.reproducibility) == (0.5, 0.0)
    assert "tied in every run" in result.reason
    assert list(overlap([1, 1], [1, 1], pairing="all").win_share_interval()) == pytest.approx([np.nan] * 2, nan_ok=True)


def test_noise_of_floating_point_is_a_tie() -> None:
    x, y = [0.1 + 0.2, 0.5], [0.3, 0.4]

    assert overlap(x, y).n_ties == 1
    assert overlap(x, y, tie_tolerance=0).n_wins == 2


@pytest.mark.parametrize("pairing", ["index", "all"])
def test_batch_is_the_loop(pairing: str) -> None:
    x, y = np.random.default_rng(1).integers(0, 9, size=(2, 5, 7)) / 10

    batch = overlap(x, y, pairing=pairing)

    for i in range(5):
        alone = overlap(x[i], y[i], pairing=pairing)
        assert batch.win_share[i] == alone.win_share
        assert [limit[i] for limit in batch.confidence_interval()] == list(alone.confidence_interval())


@pytest.mark.parametrize("k", [2, 5, 300])
def test_matrix_is_all_pairs(k: int) -> None:
    runs = np.random.default_rng(k).integers(0, 12, size=(2, 9, k)) / 10

    matrix = overlap_matrix(runs)

    assert matrix.win_share.shape == (2, k, k)
    for i, j in [(0, 1), (1, 0), (k - 1, 0), (k // 2, k - 2)]:
        if i != j:
            alone = overlap(runs[..., i], runs[..., j])
            for name in ("win_share", "reproducibility", "n_wins", "n_losses", "n_ties", "reason"):
                np.testing.assert_array_equal(getattr(matrix, name)[..., i, j], getattr(alone, name))
    assert (matrix.win_share[..., range(k), range(k)] == 0.5).all()
    assert (matrix.reason[..., range(k), range(k)] == None).all()  # noqa: E711 - elementwise


def test_matrix_of_one_table_has_two_axes() -> None:
    low, high = overlap_matrix([[1, 2, 3], [1, 3, 2], [3, 1, 2]]).confidence_interval()

    assert low.shape == high.shape == (3, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: overlap([0.8], [0.7]), "at least 2 pairs"),
        (lambda: overlap([0.8, 0.9], [0.7, 0.8, 0.9]), "x has 2 values, y has 3"),
        (lambda: overlap([0.8, np.nan], [0.7, 0.8]), r"x\[1\] is nan"),
        (lambda: overlap([1, 2], [1, 2], pairing="rank"), "pairing must be 'index' or 'all'"),
        (lambda: overlap_matrix([[1, 2, 3]]), "n_runs must be at least 2"),
        (lambda: overlap_matrix([[1], [2]]), "n_classifiers must be at least 2"),
        (lambda: overlap_matrix([1, 2]), r"shape \(n_runs, n_classifiers\)"),
        (lambda: verdict_reproducibility([[[1, 2], [2, 1]]]), "n_runs must be at least 2"),
        (lambda: verdict_reproducibility([[1, 2], [2, 1]]), r"shape \(n_runs, n_datasets, n_classifiers\)"),
        (lambda: pvalues_over_runs(np.zeros((3, 5, 3)), test="sign"), "compares 2 classifiers, but runs hold 3"),
        (lambda: pvalues_over_runs(np.zeros((1, 5, 3))), "n_runs must be at least 2"),
    ],
)
def test_messages(call, message) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_verdicts_are_those_of_every_run(tables: np.ndarray) -> None:
    """Mean ranks, wins and significant differences, one run at a time."""
    result = verdict_reproducibility(tables, test="nemenyi", alpha=0.1)

    ranks = np.array([friedman_test(table).mean_ranks for table in tables])
    np.testing.assert_allclose(result.mean_ranks, ranks, rtol=1e-15)
    better = sum(np.less.outer(r, r).astype(int) for r in ranks.round(12))
    np.testing.assert_array_equal(result.pairs.n_wins, better)
    significant = sum((nemenyi_test(t).pvalue <= 0.1) & np.less.outer(r, r) for t, r in zip(tables, ranks, strict=True))
    np.testing.assert_array_equal(result.n_significant, significant)


@pytest.mark.parametrize(
    "choices",
    [{}, {"posthoc": "sign", "adjust": "bonferroni"}, {"control": "b"}, {"control": "b", "posthoc": "bonferroni-dunn"}],
)
@pytest.mark.parametrize("greater_is_better", [True, False])
def test_runs_are_analyzed_as_compare_analyses_each(tables: np.ndarray, choices, greater_is_better: bool) -> None:
    """By default with Wilcoxon's test and Holm's method; the rank test is that of mean ranks alone, without a gate."""
    asked = {{"posthoc": "test"}.get(name, name): value for name, value in choices.items()}
    asked |= {"control": 1} if "control" in choices else {}

    result = verdict_reproducibility(tables, greater_is_better=greater_is_better, **asked)

    expected = np.zeros_like(result.n_significant)
    for table in tables:
        named = pd.DataFrame(table, columns=list("abcd"))
        verdict = evalstats.compare(named, greater_is_better=greater_is_better, **choices)
        names = list(verdict.table.classifiers)
        for pair in verdict.pairs:
            i, j = names.index(pair.first), names.index(pair.second)
            expected[[i, j], [j, i]] += pair.pvalue <= 0.05
    assert expected.any()
    np.testing.assert_array_equal(result.n_significant + result.n_significant.T, expected)


def test_significant_differences_have_the_direction_of_the_scores() -> None:
    scores = np.random.default_rng(1).normal([3, 2, 1], 0.1, (4, 8, 3))

    assert verdict_reproducibility(scores).n_significant.tolist() == [[0, 4, 4], [0, 0, 4], [0, 0, 0]]
    of_control = verdict_reproducibility(scores, control=1, greater_is_better=False).n_significant
    assert of_control.tolist() == [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    named = [pd.DataFrame(run, columns=list("abc")) for run in scores]
    assert verdict_reproducibility(named, control="b", test="bonferroni-dunn").control == "b"


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"test": "nemenyi", "control": 0}, "control must be left out: test='nemenyi' compares all pairs"),
        ({"test": "bonferroni-dunn"}, "control must be the index of a column, not None: test='bonferroni-dunn'"),
        ({"test": "nemenyi", "adjust": "holm"}, "adjust must be left out, not 'holm': test='nemenyi' already adjusts"),
        ({"test": "tukey"}, "test must be 'wilcoxon' or 'sign' or 'nemenyi' or 'bonferroni-dunn', not 'tukey'"),
    ],
)
def test_choices_that_do_not_fit_the_test_are_refused(tables: np.ndarray, choices, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        verdict_reproducibility(tables, **choices)


def test_ranking_and_tau_are_those_of_all_pairs_of_runs(tables: np.ndarray) -> None:
    result = verdict_reproducibility(tables)

    ranks = [tuple(stats.rankdata(r.round(12))) for r in result.mean_ranks]
    pairs = list(combinations(ranks, 2))
    assert result.ranking_agreement == pytest.approx(np.mean([a == b for a, b in pairs]), abs=1e-15)
    assert result.n_rankings == len(set(ranks))
    assert result.kendall_tau == pytest.approx(np.mean([stats.kendalltau(a, b).statistic for a, b in pairs]), abs=1e-14)
    without = [np.mean([a == b for a, b in combinations(ranks[:i] + ranks[i + 1 :], 2)]) for i in range(len(ranks))]
    n = len(ranks)
    assert result.ranking_agreement_standard_error == pytest.approx(np.sqrt((n - 1) * np.var(without)), abs=1e-14)


def test_one_ranking_in_all_runs() -> None:
    result = verdict_reproducibility(np.tile([[0.9, 0.8, 0.7]], (4, 5, 1)))

    assert (result.ranking_agreement, result.n_rankings, result.kendall_tau) == (1, 1, pytest.approx(1))
    assert "cannot show how rare" in result.reason


def test_runs_without_an_order_have_no_tau() -> None:
    result = verdict_reproducibility(np.ones((3, 5, 3)))

    assert np.isnan(result.kendall_tau)
    assert "not defined" in result.reason


def test_direction_of_scores(tables: np.ndarray) -> None:
    here, there = verdict_reproducibility(tables), verdict_reproducibility(-tables, greater_is_better=False)

    assert json.dumps(here.to_dict()) == json.dumps(there.to_dict())


def test_table_ii_rejects_for_one_seed_only() -> None:
    """Raeder, Hoens & Chawla (2010), Table II: p = .0013 for seed 216, and .23, not below .05, for seed 459."""
    runs = [example_table(f"raeder-2010-seed-{seed}").scores for seed in (216, 459)]

    result = pvalues_over_runs(runs)

    assert result.pvalues == pytest.approx([0.001289367676, 0.2287521362], abs=1e-9)
    assert (result.n_reject, result.n_reject_first, result.n_reject_second) == (1, 1, 0)
    assert result.reason == "the test rejects in 1 of 2 runs: the verdict depends on the run"
    assert verdict_reproducibility(runs).mean_ranks == pytest.approx(np.array([[1.11, 1.89], [1.72, 1.28]]), abs=0.005)


@pytest.mark.parametrize("test", ["auto", "wilcoxon", "sign", "paired-t", "permutation", "friedman"])
def test_pvalues_are_those_of_every_run(tables: np.ndarray, test: str) -> None:
    two = tables[..., [0, 3]]
    tests = {"auto": wilcoxon_test, "paired-t": evalstats.paired_ttest}

    result = pvalues_over_runs(two, test=test, rng=0)

    if test == "friedman":
        expected = [friedman_test(table, rng=0).pvalue for table in two]
    else:
        function = tests.get(test) or public_names()[f"{test}_test"]
        expected = [function(*table.T).pvalue for table in two]
    assert result.pvalues == pytest.approx(expected, rel=1e-12)
    assert (result.n_reject_first, result.n_reject_second) == (0, sum(p <= 0.05 for p in expected))
    low, high = result.confidence_interval()
    assert low < result.reject_proportion < high or result.reject_proportion in {low, high}


def test_direction_of_rejections(tables: np.ndarray) -> None:
    result = pvalues_over_runs(tables[..., [0, 3]], greater_is_better=False)

    assert result.n_reject_second == 0
    assert result.n_reject_first == result.n_reject > 0


def test_friedman_over_runs(tables: np.ndarray) -> None:
    result = pvalues_over_runs(tables, rng=0)

    assert result.test == "friedman"
    assert result.n_reject_first is None
    assert result.n_reject == sum(friedman_test(t, method="chi2").pvalue <= 0.05 for t in tables) or result.n_reject > 6


def test_undefined_pvalue_never_rejects() -> None:
    runs = np.stack(
        [np.column_stack([np.arange(6.0) + 1, np.arange(6.0)]), np.random.default_rng(0).normal(size=(6, 2))]
    )

    result = pvalues_over_runs(runs, test="paired-t")

    assert (result.n_undefined, result.n_reject) == (1, 0)
    assert "undefined in 1 of 2 runs" in result.reason
