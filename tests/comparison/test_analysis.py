"""The whole way: from a table of scores to the decisions."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from public_names import public_names
from repetitions import repetitions
from scipy import stats

import evalstats
from evalstats import InvalidValueError, ScoreTable, compare, example_table, read_table
from evalstats.comparison.registry import POSTHOC_TESTS


def wide(scores: np.ndarray, classifiers: str = "ABCDEFGH") -> pd.DataFrame:
    scores = np.asarray(scores)
    return pd.DataFrame(
        scores, index=[f"d{i}" for i in range(len(scores))], columns=list(classifiers[: scores.shape[1]])
    )


class TestPublishedTables:
    def test_demsar_table_6(self) -> None:
        """Demšar (2006), section 3.2.2, from the table as printed: mean ranks, both chi-squared values, both CDs."""
        c = compare(example_table("demsar-2006"), posthoc="nemenyi")

        assert c.mean_ranks == pytest.approx([3.143, 2.000, 2.929, 1.929], abs=5e-4)
        assert c.omnibus.chi2_uncorrected == pytest.approx(9.857, abs=5e-4)
        assert c.omnibus.chi2 == pytest.approx(10.952, abs=5e-4)
        assert c.critical_difference == pytest.approx(1.254, abs=5e-4)
        assert c.posthoc.critical_difference(0.10) == pytest.approx(1.118, abs=5e-4)
        assert not c.different.any()

    def test_demsar_against_the_control(self) -> None:
        """Demšar's example with C4.5 as the control: CD 1.168 at .05 (printed 1.16); two variants beat it."""
        c = compare(example_table("demsar-2006"), control="C4.5", posthoc="bonferroni-dunn")

        assert c.critical_difference == pytest.approx(1.168, abs=5e-4)
        assert [(p.first, p.second, p.different) for p in c.pairs] == [
            ("C4.5+m+cf", "C4.5", True),
            ("C4.5+m", "C4.5", False),
            ("C4.5+cf", "C4.5", False),
        ]

    @pytest.mark.parametrize("control", [None, "C4.5"])
    def test_pairs_of_demsars_table_are_those_of_scipy(self, control: str | None) -> None:
        """Each pair by scipy's test of all signs, and Holm's method by hand; C4.5+m differs from C4.5 (p = .044)."""
        table = example_table("demsar-2006")
        c = compare(table, control=control)

        alone = []
        for a, b in c.compared:
            x, y = (table.scores[:, table.position(name)] for name in (a, b))
            d = np.round(x - y, 12)
            d = d[d != 0]
            ranks = stats.rankdata(np.abs(d))
            totals = np.array([ranks @ signs for signs in itertools.product((0, 1), repeat=len(d))])
            half = ranks.sum() / 2
            alone.append(np.mean(np.abs(totals - half) >= abs(ranks[d > 0].sum() - half) - 1e-9))
        m, before, holm = len(alone), 0.0, {}
        for place, at in enumerate(np.argsort(alone)):
            holm[at] = before = max(before, min(1.0, (m - place) * alone[at]))
        assert [pair.pvalue for pair in c.pairs] == pytest.approx([holm[i] for i in range(m)], rel=1e-12)
        different = {(p.first, p.second) for p in c.pairs if p.different}
        assert different == ({("C4.5+m", "C4.5")} | ({("C4.5+m+cf", "C4.5")} if control else set()))
        assert c.critical_difference is None

    @pytest.mark.parametrize(("seed", "pvalue", "significant"), [("216", 0.00129, True), ("459", 0.2288, False)])
    def test_raeder_table_ii(self, seed: str, pvalue: float, significant: bool) -> None:
        """Raeder, Hoens & Chawla (2010), Table II: the tick of iteration 459 does not follow from its numbers."""
        c = compare(example_table(f"raeder-2010-seed-{seed}"))

        assert c.wilcoxon.pvalue == pytest.approx(pvalue, rel=5e-3)
        assert c.significant is significant


class TestDecisions:
    def test_two_classifiers_go_to_wilcoxon_and_sign(self) -> None:
        c = compare(example_table("raeder-2010-seed-216"))

        assert (c.omnibus, c.posthoc, c.critical_difference) == (None, None, None)
        assert c.wilcoxon.statistic == 155
        assert (c.sign.n_wins, c.sign.n_losses) == (16, 2)
        assert c.hodges_lehmann_interval.confidence_level == 0.95
        assert c.hodges_lehmann_interval.low > 0
        assert c.pairs[0].hodges_lehmann == c.wilcoxon.hodges_lehmann

    def test_several_go_to_friedman_and_wilcoxon_with_holm(self, demsar: evalstats.Comparison) -> None:
        assert (demsar.wilcoxon, demsar.sign) == (None, None)
        assert (demsar.omnibus_test, demsar.posthoc_test, demsar.adjustment) == ("friedman", "wilcoxon", "holm")
        assert demsar.omnibus.method == "exact"
        np.testing.assert_array_equal(demsar.different, demsar.posthoc.pvalue <= 0.05)

    def test_pair_differs_though_friedman_does_not_reject(self) -> None:
        """The first two differ on every dataset by a hair, in the noise of eight others."""
        rng = np.random.default_rng(1)
        noise = rng.normal(size=(14, 8))
        x = rng.normal(size=14)
        c = compare(wide(np.column_stack([x, x + 0.01, noise]), "ABCDEFGHIJ"))

        assert not c.significant
        assert {(p.first, p.second) for p in c.pairs if p.different} == {("B", "A")}
        assert "pairs-without-omnibus" in c.notes
        assert (c.is_gated, c.is_conclusive) == (False, True)

    def test_friedman_rejects_though_no_pair_differs(self) -> None:
        """Five datasets that agree on one order: their 2^-4 is too large for any pair."""
        c = compare(wide(np.tile(np.arange(4), (5, 1)) + np.arange(5)[:, None]))

        assert c.significant
        assert not c.different.any()
        assert {"omnibus-without-pairs", "posthoc-cannot-reach-alpha"} <= set(c.notes)

    def test_no_pair_differs_by_nemenyi_unless_friedman_rejects(self) -> None:
        """The numbers of the post-hoc test are there, the conclusions are not."""
        scores = np.random.default_rng(0).random((8, 4))
        c = compare(wide(scores), alpha=0.01, posthoc="nemenyi")

        assert not c.significant
        assert not c.different.any()
        assert not any(p.different for p in c.pairs)
        assert np.isfinite(c.posthoc.pvalue).all()
        assert len(c.homogeneous_subsets) == 1

    def test_rejection_includes_equality(self) -> None:
        """The rule is p <= alpha: five wins of five have p = 1/16 exactly."""
        c = compare(wide(np.column_stack([np.arange(5) + 1.0 + np.arange(5) / 10, np.arange(5)])), alpha=0.0625)

        assert c.wilcoxon.pvalue == c.alpha
        assert c.significant

    def test_design_that_cannot_reach_alpha(self) -> None:
        """With five datasets no two-sided Wilcoxon p can be below 1/16."""
        c = compare(wide(np.random.default_rng(1).random((5, 2))))

        assert c.min_attainable_pvalue == 0.0625
        assert "design-cannot-reach-alpha" in c.notes

    def test_one_dataset_cannot_show_anything(self) -> None:
        c = compare(wide([[0.3, 0.5, 0.4]]))

        assert c.omnibus.pvalue == 1
        assert c.min_attainable_pvalue == 1
        assert "design-cannot-reach-alpha" in c.notes
        assert not c.significant

    def test_identical_classifiers(self) -> None:
        c = compare(wide([[0.5, 0.5], [0.7, 0.7], [0.9, 0.9]]))

        assert c.wilcoxon.pvalue == 1
        assert "degenerate" in c.notes
        assert c.homogeneous_subsets == (("A", "B"),)

    def test_all_scores_tied(self) -> None:
        c = compare(wide(np.full((6, 4), 0.5)))

        assert c.omnibus.pvalue == 1
        assert not c.significant
        assert c.homogeneous_subsets == (("A", "B", "C", "D"),)
        assert {p.rank_biserial for p in c.pairs} == {0.0}

    def test_groups_of_a_clear_ranking(self) -> None:
        """Two good and two bad classifiers on twenty datasets: two groups, no loose pair."""
        rng = np.random.default_rng(2)
        good, bad = rng.random((20, 2)) + 5, rng.random((20, 2))
        c = compare(wide(np.hstack([good, bad])))

        assert {frozenset(g) for g in c.homogeneous_subsets} == {frozenset("AB"), frozenset("CD")}
        assert c.pairs_outside_subsets == ()

    def test_control_has_no_groups(self) -> None:
        c = compare(example_table("demsar-2006"), control="C4.5")

        assert c.homogeneous_subsets == ()
        assert [p.second for p in c.pairs] == ["C4.5"] * 3
        assert np.flatnonzero(c.different.any(axis=1)).tolist() == [0, 1, 3]


class TestDirection:
    def test_lower_is_better_turns_ranks_wins_and_effects(self) -> None:
        scores = np.random.default_rng(3).random((9, 3))
        up, down = compare(wide(scores)), compare(wide(-scores), greater_is_better=False)

        assert up.mean_ranks == down.mean_ranks
        for a, b in zip(up.pairs, down.pairs, strict=True):
            assert (a.n_wins, a.n_ties, a.n_losses, a.rank_biserial) == (
                b.n_wins,
                b.n_ties,
                b.n_losses,
                b.rank_biserial,
            )
            assert a.hodges_lehmann == -b.hodges_lehmann

    @pytest.mark.parametrize("greater_is_better", [True, False])
    def test_effects_favor_the_better_rank(self, greater_is_better: bool) -> None:
        base = np.linspace(0, 1, 12)[:, None]
        scores = base + np.array([0.0, 0.01, 0.02]) * (1 if greater_is_better else -1)
        c = compare(wide(scores), greater_is_better=greater_is_better)

        assert c.ranking == ("C", "B", "A")
        for pair in c.pairs:
            assert pair.mean_rank_difference < 0
            assert (pair.n_wins, pair.n_losses, pair.rank_biserial) == (12, 0, 1.0)
            assert np.sign(pair.hodges_lehmann) == (1 if greater_is_better else -1)

    def test_table_keeps_its_own_direction(self) -> None:
        table = evalstats.read_table(wide(np.random.default_rng(4).random((6, 3))), greater_is_better=False)

        assert compare(table).table.greater_is_better is False
        assert compare(table, greater_is_better=True).table.greater_is_better is True


class TestLaws:
    @settings(max_examples=repetitions(40))
    @given(
        hnp.arrays(
            float, st.tuples(st.integers(1, 6), st.integers(2, 4)), elements=st.integers(0, 4).map(lambda v: v / 4)
        )
    )
    def test_any_table_gets_a_sound_record(self, scores: np.ndarray) -> None:
        """Whatever the scores: p-values are probabilities, decisions follow from them, every pair is accounted for."""
        c = compare(wide(scores))
        k = scores.shape[1]

        leading = c.omnibus or c.wilcoxon
        assert 0 < leading.pvalue <= 1
        assert c.significant == (leading.pvalue <= c.alpha)
        assert c.min_attainable_pvalue <= leading.pvalue * (1 + 1e-9) or leading.method == "monte-carlo"
        assert len(c.pairs) == k * (k - 1) // 2
        for pair in c.pairs:
            assert pair.n_wins + pair.n_ties + pair.n_losses == len(scores)
            assert pair.different == (c.significant and pair.pvalue <= c.alpha)
        assert not any(
            c.pair(a, b).different for group in c.homogeneous_subsets for a, b in itertools.combinations(group, 2)
        )
        json.dumps(c.to_dict())

    def test_names_and_order_of_columns_do_not_matter(self) -> None:
        frame = wide(np.random.default_rng(5).random((10, 4)))
        here, there = compare(frame), compare(frame[["D", "B", "A", "C"]])

        assert here.ranking == there.ranking
        assert here.homogeneous_subsets == there.homogeneous_subsets
        assert here.omnibus.pvalue == pytest.approx(there.omnibus.pvalue, rel=1e-12)

    def test_same_answer_on_every_run(self) -> None:
        """Nothing random unless asked for, and then by the seed."""
        frame = wide(np.random.default_rng(6).random((7, 5)))

        assert compare(frame).omnibus.pvalue == compare(frame).omnibus.pvalue
        one, two = (compare(frame, method="monte-carlo", rng=1).omnibus.pvalue for _ in range(2))
        assert one == two

    @pytest.mark.sampled
    @pytest.mark.parametrize("shape", [(10, 3), (40, 12), (8, 10)])
    def test_no_import_takes_longer_than_the_comparison(self, shape: tuple[int, int]) -> None:
        """By the exact, the chi-squared and the Monte Carlo distribution, with all effect sizes and the report."""
        script = f"""
import sys, numpy, evalstats
scores = numpy.random.default_rng(8).random({shape})
comparison = evalstats.compare(scores)
comparison.to_dict(), evalstats.report.text(comparison)
print(comparison.omnibus.method, "scipy.special" in sys.modules)
"""

        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

        assert done.stdout.split() == [{3: "exact", 12: "chi2", 10: "monte-carlo"}[shape[1]], "False"]


class TestMessages:
    @pytest.mark.parametrize(
        ("choices", "message"),
        [
            ({"control": "E"}, "control must be one of 'A', 'B', 'C', not 'E'"),
            ({"alpha": 0}, "alpha must lie between 0 and 1, not 0"),
            ({"alpha": 5}, "alpha must lie between 0 and 1, not 5"),
            ({"posthoc": "dunn"}, "posthoc must be 'auto' or 'wilcoxon' or 'sign' or 'nemenyi' or 'bonferroni-dunn'"),
            ({"posthoc": "nemenyi", "control": "A"}, "compares all pairs"),
            ({"posthoc": "bonferroni-dunn"}, "pass the control as control="),
            ({"method": "magic"}, "method must be"),
            ({"adjust": "simes"}, "adjust must be 'none' or 'bonferroni'"),
            ({"adjust": "shaffer", "control": "A"}, "adjust must be .* not 'shaffer'"),
            ({"greater_is_better": "no"}, "greater_is_better must be True or False"),
        ],
    )
    def test_options_are_refused_by_name(self, choices: dict, message: str) -> None:
        with pytest.raises((ValueError, TypeError), match=message) as caught:
            compare(wide(np.random.default_rng(7).random((5, 3))), **choices)

        assert isinstance(caught.value, evalstats.EvalstatsError)

    def test_one_classifier(self) -> None:
        with pytest.raises(ValueError, match="the table holds 1 classifier; compare requires 2 or more"):
            compare(wide([[0.5], [0.6]]))

    def test_two_classifiers_have_no_posthoc(self) -> None:
        with pytest.raises(ValueError, match="posthoc must be 'auto'"):
            compare(wide([[0.5, 0.6], [0.6, 0.7]]), posthoc="nemenyi")

    def test_two_classifiers_have_no_omnibus(self) -> None:
        with pytest.raises(ValueError, match="omnibus must be 'auto', not 'quade'"):
            compare(wide([[0.5, 0.6], [0.6, 0.7]]), omnibus="quade")


FAMILIES = [
    (name, control)
    for name, test in POSTHOC_TESTS.items()
    for control in (None, "C4.5")
    if (test.control if control else test.pairs)
]


@pytest.mark.parametrize(("posthoc", "control"), FAMILIES)
def test_posthoc_test_decides(posthoc: str, control: str | None) -> None:
    """The decisions are those of the test, called by hand."""
    table = example_table("demsar-2006")
    test = POSTHOC_TESTS[posthoc]
    function = public_names()[test.function]
    choices = dict(test.always) | ({} if control is None else {"control": table.classifiers.index(control)})
    if test.simulates:
        choices["rng"] = 1

    comparison = compare(table, posthoc=posthoc, control=control, alpha=0.10, rng=1)

    result = function(table.scores, **choices)
    assert comparison.omnibus_test == test.omnibus
    for pair in comparison.pairs:
        i, j = table.classifiers.index(pair.first), table.classifiers.index(pair.second)
        assert pair.pvalue == (result.pvalue[i, j] if control is None else result.pvalue[i])
        assert pair.different == ((comparison.significant or not test.is_gated) and pair.pvalue <= 0.10)


@pytest.mark.parametrize(("posthoc", "control"), FAMILIES)
def test_posthoc_test_agrees_with_its_critical_difference(posthoc: str, control: str | None) -> None:
    comparison = compare(example_table("demsar-2006"), posthoc=posthoc, control=control, alpha=0.10)

    has_one = POSTHOC_TESTS[posthoc].has_critical_difference

    assert (comparison.critical_difference is not None) == has_one
    assert ("no-critical-difference" in comparison.notes) == (not has_one)
    if comparison.critical_difference is not None:
        for pair in comparison.pairs:
            assert (abs(pair.mean_rank_difference) >= comparison.critical_difference) == (pair.pvalue <= 0.10)


def test_resampling_tests_take_the_seed_and_the_amount() -> None:
    """A smaller amount gives other p-values, another seed too; the same seed the same."""
    scores = np.random.default_rng(4).random((30, 6))
    for posthoc, control in (("max-t", None), ("romano-wolf", None), ("range", None), ("steel", "A")):
        of = partial(compare, wide(scores), posthoc=posthoc, control=control)
        first, again, other, few = (
            [pair.pvalue for pair in of(rng=seed, n_resamples=n).pairs]
            for seed, n in ((1, 999), (1, 999), (2, 999), (1, 99))
        )
        assert first == again
        assert first != other
        assert all(p * 100 == pytest.approx(round(p * 100)) for p in few)


def test_range_is_the_randomized_tukey_test_of_queries() -> None:
    """Four queries, three systems: of 1296 permutations, 1236, 66 and 294 have at least the difference as range."""
    queries = pd.DataFrame([[0.9, 0.7, 0.6], [0.5, 0.4, 0.45], [0.8, 0.75, 0.3], [0.6, 0.65, 0.2]], columns=list("ABC"))

    comparison = compare(queries, posthoc="range")

    assert {pair.first + pair.second: round(1296 * pair.pvalue, 6) for pair in comparison.pairs} == {
        "AB": 1236,
        "AC": 66,
        "BC": 294,
    }
    assert "monte-carlo" not in comparison.notes


def test_steel_needs_a_control() -> None:
    with pytest.raises(
        InvalidValueError, match="posthoc 'steel' compares with a control; pass the control as control="
    ):
        compare(example_table("demsar-2006"), posthoc="steel")


def test_adjustment_is_passed_on() -> None:
    table = example_table("demsar-2006")

    pvalues = {
        adjust: [pair.pvalue for pair in compare(table, posthoc="conover", adjust=adjust).pairs]
        for adjust in ("none", "bonferroni", "holm", "shaffer", "bergmann-hommel")
    }

    for small, large in itertools.pairwise(("none", "bergmann-hommel", "shaffer", "holm", "bonferroni")):
        assert all(a <= b for a, b in zip(pvalues[small], pvalues[large], strict=True))
    assert compare(table, posthoc="conover", adjust="shaffer").adjustment == "shaffer"


def test_better_is_what_the_test_compares() -> None:
    """B loses on nine of ten datasets by a little and wins the tenth by much: means and ranks disagree."""
    scores = np.column_stack([np.linspace(0.5, 0.6, 10), np.linspace(0.49, 0.59, 10), np.linspace(0.1, 0.2, 10)])
    scores[9, 1] = 5.0

    by_scores, by_ranks = compare(scores, posthoc="tukey"), compare(scores, posthoc="nemenyi")

    assert by_ranks.better[0, 1]
    assert not by_ranks.better[1, 0]
    assert by_scores.better[1, 0]
    assert not by_scores.better[0, 1]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"posthoc": "tukey", "control": "C4.5"}, "posthoc 'tukey' compares all pairs"),
        ({"posthoc": "friedman-dunnett"}, "compares with a control; pass the control as control="),
        ({"omnibus": "anova"}, "omnibus must be 'auto' or 'friedman'"),
        ({"posthoc": "conover", "adjust": "best"}, "'best'"),
    ],
)
def test_tests_that_do_not_fit_are_refused(choices: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidValueError) as error:
        compare(example_table("demsar-2006"), **choices)

    assert message in str(error.value)


# --- repeats ----------------------------------------------------------------------------------------------------------


def repeated(k: int, *, n_datasets: int = 8, n_repeats: int = 6) -> ScoreTable:
    rng = np.random.default_rng(k)
    at = list(np.ndindex(n_datasets, k, n_repeats, 3))
    level = rng.random(n_datasets)
    names = {"dataset": [f"d{d}" for d, *_ in at], "classifier": ["ABCD"[c] for _, c, *_ in at]}
    runs = {"run": [r for *_, r, _ in at], "fold": [f for *_, f in at]}
    return read_table({**names, **runs, "score": [level[d] + 0.01 * c + 0.02 * rng.normal() for d, c, *_ in at]})


@pytest.mark.parametrize("k", [2, 4])
def test_repeats_are_compared_one_by_one(k: int) -> None:
    table = repeated(k)
    runs = np.stack([one.scores.mean(axis=1) for one in table.folds], axis=1)

    comparison = compare(table)

    test = evalstats.friedman_test if k > 2 else lambda scores: evalstats.wilcoxon_test(*scores.T)
    assert comparison.pvalues_over_runs.pvalues == pytest.approx([test(run).pvalue for run in runs])
    assert comparison.reproducibility.n_runs == 6
    assert comparison.reproducibility.mean_ranks == pytest.approx(np.array([compare(run).mean_ranks for run in runs]))


def test_runs_that_disagree_are_noted() -> None:
    """The verdict on the means stands; a verdict from one run would not."""
    comparison = compare(repeated(2))
    found = comparison.pvalues_over_runs

    assert 0 < found.n_reject < found.n_runs
    assert "runs-disagree" in comparison.notes
    assert "one-run" not in comparison.notes


def test_one_run_is_never_called_reproducible() -> None:
    comparison = compare(repeated(3, n_repeats=1))

    assert comparison.reproducibility is None
    assert "one-run" in comparison.notes


def test_table_without_folds_says_nothing_of_runs() -> None:
    comparison = compare(example_table("demsar-2006"))

    assert comparison.reproducibility is None
    assert not {"one-run", "runs-disagree"} & set(comparison.notes)


def test_repeats_of_errors_are_those_of_their_negatives() -> None:
    table = repeated(3)
    errors = replace(
        table,
        scores=-table.scores,
        greater_is_better=False,
        folds=tuple(replace(one, scores=-one.scores) for one in table.folds),
    )

    ours, theirs = compare(table), compare(errors)

    np.testing.assert_array_equal(ours.reproducibility.pairs.n_wins, theirs.reproducibility.pairs.n_wins)
    np.testing.assert_array_equal(ours.pvalues_over_runs.pvalues, theirs.pvalues_over_runs.pvalues)


class TestMissingScores:
    """compare(missing='skillings-mack')"""

    SCORES = np.round(np.random.default_rng(3).random((12, 4)) + np.array([0, 0.1, 0.2, 0.6]), 2)
    NAN = np.nan

    def incomplete(self) -> pd.DataFrame:
        frame = wide(self.SCORES.copy())
        for row, column in ((0, "A"), (3, "B"), (3, "C"), (7, "A"), (9, "D")):
            frame.loc[f"d{row}", column] = np.nan
        return frame

    def test_tests_are_those_of_the_table(self) -> None:
        frame = self.incomplete()

        c = compare(frame, missing="skillings-mack", greater_is_better=False)

        skillings_mack = evalstats.multiple.skillings_mack_test(frame, greater_is_better=False)
        assert (c.omnibus_test, c.posthoc_test, c.adjustment) == ("skillings-mack", "wilcoxon", "holm")
        assert (c.omnibus.statistic, c.omnibus.pvalue) == (skillings_mack.statistic, skillings_mack.pvalue)
        assert c.table.missing == (("d0", "A"), ("d3", "B"), ("d3", "C"), ("d7", "A"), ("d9", "D"))
        assert "missing-cells" in c.notes

    @pytest.mark.parametrize("control", [None, "B"])
    @pytest.mark.parametrize("greater_is_better", [True, False])
    def test_pairs_are_compared_on_their_common_datasets(self, control: str | None, greater_is_better: bool) -> None:
        """Each pair is what a table of the two says, and Holm's method adjusts for all of them."""
        frame = self.incomplete()

        c = compare(frame, missing="skillings-mack", control=control, greater_is_better=greater_is_better)

        alone = []
        for pair in c.pairs:
            own = compare(
                frame[[pair.first, pair.second]], missing="drop-datasets", greater_is_better=greater_is_better
            )
            alone.append(own.wilcoxon.pvalue)
            two = own.pair(pair.first, pair.second)
            assert (pair.n_wins, pair.n_ties, pair.n_losses) == (two.n_wins, two.n_ties, two.n_losses)
            assert (pair.rank_biserial, pair.hodges_lehmann) == (two.rank_biserial, two.hodges_lehmann)
            assert pair.statistic == own.wilcoxon.statistic
            better = c.better[frame.columns.get_loc(pair.first), frame.columns.get_loc(pair.second)]
            assert better == (pair.rank_biserial > 0)
        assert [pair.pvalue for pair in c.pairs] == evalstats.adjust_pvalues(alone, "holm").tolist()

    def test_mean_ranks_by_hand(self) -> None:
        """Two of three scores are ranked 1 and 2, which count as 1 and 3."""
        scores = [[3, 2, 1], [self.NAN, 2, 1], [1, 2, self.NAN], [1, 1, self.NAN]]

        c = compare(scores, missing="skillings-mack")

        assert c.mean_ranks == ((1 + 3 + 2) / 3, (2 + 1 + 1 + 2) / 4, (3 + 3) / 2)

    def test_few_missing_scores_change_ranks_little(self) -> None:
        """Of the complete table they are the ordinary mean ranks."""
        from evalstats.comparison.designs.datasets import _stretched_mean_ranks

        assert _stretched_mean_ranks(self.SCORES, True, 1e-12).tolist() == list(compare(self.SCORES).mean_ranks)

    def test_relabeling_and_direction(self) -> None:
        frame = self.incomplete()
        choices = {"missing": "skillings-mack", "method": "chi2"}

        c = compare(frame, **choices)
        shuffled = compare(frame.sample(frac=1, random_state=0)[list("CADB")], **choices)
        negated = compare(-frame, greater_is_better=False, **choices)

        for other in (shuffled, negated):
            assert other.omnibus.pvalue == pytest.approx(c.omnibus.pvalue, rel=1e-12)
            assert other.ranking == c.ranking
            for pair in c.pairs:
                assert other.pair(pair.first, pair.second).pvalue == pair.pvalue

    def test_pair_without_a_common_dataset(self) -> None:
        """It counts in the family and is never different."""
        rows = [[i, i + 9.0, self.NAN] for i in range(8)] + [[self.NAN, i, i + 9.0] for i in range(8)]

        c = compare(rows, missing="skillings-mack")

        pair = c.pair("classifier 1", "classifier 3")
        assert np.isnan([pair.pvalue, pair.statistic, pair.rank_biserial, pair.hodges_lehmann]).all()
        assert (pair.n_wins, pair.n_ties, pair.n_losses, pair.different) == (0, 0, 0, False)
        assert c.pair("classifier 1", "classifier 2").pvalue == 3 * 2 / 2**8
        assert c.pair("classifier 1", "classifier 2").different
        assert "no-common-dataset" in c.notes

    def test_smallest_pvalue_is_reached(self) -> None:
        rows = [[i, i + 9.0, self.NAN] for i in range(8)] + [[self.NAN, i, i + 9.0] for i in range(6)]

        c = compare(rows, missing="skillings-mack", posthoc="sign")

        assert c.smallest_posthoc_pvalue == min(pair.pvalue for pair in c.pairs if pair.pvalue == pair.pvalue)

    def test_two_classifiers_are_compared_without_the_dropped(self) -> None:
        frame = self.incomplete()[["A", "B"]]

        kept, dropped = (compare(frame, missing=word) for word in ("skillings-mack", "drop-datasets"))

        assert kept.to_dict() | {"options": None} == dropped.to_dict() | {"options": None}

    def test_complete_table_is_compared_as_ever(self) -> None:
        assert compare(self.SCORES, missing="skillings-mack").omnibus_test == "friedman"

    def test_skillings_mack_of_a_complete_table(self) -> None:
        c = compare(self.SCORES, omnibus="skillings-mack", method="chi2")

        assert c.posthoc_test == "wilcoxon"
        assert c.omnibus.pvalue == pytest.approx(evalstats.friedman_test(self.SCORES, method="chi2").pvalue, rel=1e-9)

    @pytest.mark.parametrize(
        ("choices", "message"),
        [
            ({"posthoc": "nemenyi"}, "posthoc must be 'auto' or 'wilcoxon' or 'sign' if scores are missing, not"),
            ({"posthoc": "tukey"}, "posthoc must be 'auto' or 'wilcoxon' or 'sign' if scores are missing, not"),
            ({"omnibus": "friedman"}, "omnibus must be 'auto' or 'skillings-mack' if scores are missing, not"),
            ({"robustness": True}, "robustness needs a score in every cell, but 5 are missing: leave out their"),
            ({"method": "f"}, "method must be 'auto' or 'exact' or 'monte-carlo' or 'chi2', not 'f'"),
            ({"posthoc": "astrology"}, "posthoc must be 'auto' or 'wilcoxon'"),
        ],
    )
    def test_refusals(self, choices: dict, message: str) -> None:
        with pytest.raises(InvalidValueError, match=message):
            compare(self.incomplete(), missing="skillings-mack", **choices)

    def test_every_classifier_needs_a_score(self) -> None:
        with pytest.raises(InvalidValueError, match="none of the remaining datasets has a score of 'classifier 3'"):
            compare([[1, 2, self.NAN, 3]], missing="skillings-mack")


def test_wide_table_of_folds_is_compared_by_the_corrected_test() -> None:
    rows = {"fold": range(1, 6), "NB": [0.9, 0.8, 0.7, 0.8, 0.9], "SVM": [0.8, 0.8, 0.6, 0.7, 0.8]}

    c = compare(rows)

    assert isinstance(c, evalstats.Comparison)
    assert c.pairs[0].pvalue == pytest.approx(
        evalstats.corrected_ttest(rows["NB"], rows["SVM"], n_train=4, n_test=1).pvalue, rel=1e-12
    )


def test_one_fold_is_one_score() -> None:
    c = compare({"fold": [1], "NB": [0.9], "SVM": [0.8]})

    assert (c.n_datasets, c.significant) == (1, False)
    assert "design-cannot-reach-alpha" in c.notes
