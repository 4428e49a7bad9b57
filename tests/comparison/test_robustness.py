"""The multiverse of a comparison: every number is what compare() says when it is asked so."""

from __future__ import annotations

import numpy as np
import pytest

import evalstats
from evalstats import Comparison, InvalidValueError, ScoreTable, compare, example_table
from evalstats.comparison.registry import POSTHOC_TESTS

TABLE = example_table("demsar-2006")


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(TABLE, alpha=0.10, robustness=True, rng=1)


def without_dataset(table: ScoreTable, name: str) -> ScoreTable:
    kept = [i for i, dataset in enumerate(table.datasets) if dataset != name]
    return ScoreTable(
        scores=table.scores[kept], datasets=tuple(table.datasets[i] for i in kept), classifiers=table.classifiers
    )


def decisions(comparison: Comparison) -> dict[frozenset[str], bool]:
    return {frozenset((pair.first, pair.second)): pair.different for pair in comparison.pairs}


def test_primary_analysis_is_the_comparison(comparison: Comparison) -> None:
    primary = comparison.robustness.analyses[0]

    assert primary.is_primary
    assert (primary.omnibus_test, primary.posthoc_test) == ("friedman", "wilcoxon")
    assert primary.omnibus_pvalue == comparison.omnibus.pvalue
    assert primary.pvalues == tuple(pair.pvalue for pair in comparison.pairs)
    assert primary.different == tuple(pair.different for pair in comparison.pairs)
    assert primary.agreement == 1


def test_each_analysis_is_what_compare_says(comparison: Comparison) -> None:
    for analysis in comparison.robustness.analyses:
        adjust = None if analysis.adjustment == "single-step" else analysis.adjustment
        alone = compare(TABLE, alpha=0.10, posthoc=analysis.posthoc_test, adjust=adjust, rng=1)

        assert [pair.pvalue for pair in alone.pairs] == list(analysis.pvalues)
        assert [pair.different for pair in alone.pairs] == list(analysis.different)
        assert alone.omnibus.pvalue == analysis.omnibus_pvalue


def test_every_test_of_pairs_is_asked_unless_its_assumptions_fail(comparison: Comparison) -> None:
    asked = {analysis.posthoc_test for analysis in comparison.robustness.analyses}
    led = {name: test.omnibus for name, test in POSTHOC_TESTS.items() if test.pairs}

    # what is simulated would take minutes without each dataset in turn
    assert asked == {
        name
        for name, omnibus in led.items()
        if omnibus != "rm-anova" and name not in {"max-t", "max-t-means", "romano-wolf", "range"}
    }
    assert [name for name, _ in comparison.robustness.left_out] == ["rm-anova"]


def test_normal_differences_admit_the_analysis_of_variance() -> None:
    scores = np.random.default_rng(5).normal(0.8, 0.05, (30, 3)) + np.array([0, 0.01, 0.05])

    asked = {analysis.posthoc_test for analysis in compare(scores, robustness=True, rng=1).robustness.analyses}

    assert {"tukey", "paired-t"} < asked


def test_counts_are_those_of_the_analyses(comparison: Comparison) -> None:
    robustness = comparison.robustness
    different = np.array([analysis.different for analysis in robustness.analyses])

    assert [pair.n_different for pair in robustness.pairs] == different.sum(axis=0).tolist()
    assert robustness.agreement == (different == different[0]).mean()
    assert not robustness.is_unanimous
    assert "depends-on-the-analysis" in comparison.notes


def test_deciding_datasets_are_those_without_which_the_decision_changes(comparison: Comparison) -> None:
    decided = decisions(comparison)
    for dataset in TABLE.datasets:
        again = decisions(compare(without_dataset(TABLE, dataset), alpha=0.10))
        for pair in comparison.robustness.pairs:
            key = frozenset((pair.first, pair.second))
            assert (dataset in pair.deciding_datasets) == (again[key] != decided[key])


def test_stability_is_the_share_of_datasets_that_do_not_matter(comparison: Comparison) -> None:
    for pair in comparison.robustness.pairs:
        assert pair.stability == pytest.approx(1 - len(pair.deciding_datasets) / len(TABLE.datasets))


def test_deciding_classifiers_are_those_without_whom_the_decision_changes() -> None:
    rng = np.random.default_rng(0)
    scores = np.round(rng.random((12, 5)) + np.linspace(0, 0.6, 5), 2)
    comparison = compare(scores, robustness=True, rng=1)
    decided = decisions(comparison)
    changed = 0

    for out in comparison.table.classifiers:
        kept = [name for name in comparison.table.classifiers if name != out]
        again = decisions(compare(comparison.table.select(kept)))
        for pair in comparison.robustness.pairs:
            key = frozenset((pair.first, pair.second))
            if out not in key:
                assert (out in pair.deciding_classifiers) == (again[key] != decided[key])
                changed += again[key] != decided[key]
    assert changed > 0


def test_control_is_compared_by_tests_that_have_one() -> None:
    comparison = compare(TABLE, control="C4.5", robustness=True, rng=1)

    asked = {analysis.posthoc_test for analysis in comparison.robustness.analyses}

    fitting = {name for name, test in POSTHOC_TESTS.items() if test.control and test.omnibus != "rm-anova"}
    assert asked == fitting - {"max-t", "max-t-means", "romano-wolf", "steel"}
    assert not {"shaffer", "bergmann-hommel"} & {a.adjustment for a in comparison.robustness.analyses}


def test_two_classifiers_have_their_own_tests() -> None:
    table = example_table("raeder-2010-seed-459")
    x, y = table.scores.T

    robustness = compare(table, robustness=True).robustness

    pvalues = {analysis.posthoc_test: analysis.pvalues[0] for analysis in robustness.analyses}
    assert pvalues["wilcoxon"] == evalstats.wilcoxon_test(x, y).pvalue
    assert pvalues["sign"] == evalstats.sign_test(x, y).pvalue
    assert pvalues["permutation"] == evalstats.permutation_test(x, y).pvalue


def test_classifiers_in_one_order_leave_no_choice() -> None:
    scores = np.linspace(0, 1, 20)[:, None] + np.array([0.0, 0.1, 0.2])

    robustness = compare(scores, robustness=True, rng=1).robustness

    assert all(pair.stability == 1 for pair in robustness.pairs)


def test_record_is_plain(comparison: Comparison) -> None:
    record = comparison.to_dict()["robustness"]

    assert [pair["first"] for pair in record["pairs"]] == [pair.first for pair in comparison.pairs]


def test_it_is_not_there_unless_asked_for() -> None:
    assert compare(TABLE).robustness is None


def test_one_dataset_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="robustness requires several datasets"):
        compare([[0.1, 0.2, 0.3]], robustness=True)


@pytest.mark.parametrize("greater_is_better", [True, False])
@pytest.mark.parametrize("control", [None, "C4.5+cf"])
def test_bayesian_answers_agree_if_they_name_the_same_classifier_or_none(
    greater_is_better: bool, control: str | None
) -> None:
    found = compare(TABLE, alpha=0.2, robustness=True, rope=0.005, control=control, greater_is_better=greater_is_better)
    outcomes = {(pair.first, pair.second): pair.outcome for pair in found.posteriors.pairs}
    decided = {(pair.first, pair.second): pair for pair in found.pairs}
    seen = set()
    for pair in found.robustness.pairs:
        names = (pair.first, pair.second)
        winner = {"better": names[0], "worse": names[1]}.get(outcomes[names])
        first, second = (found.table.classifiers.index(name) for name in names)
        shown = None if not decided[names].different else names[0] if found.better[first, second] else names[1]
        assert pair.posterior == outcomes[names]
        assert pair.posterior_agrees is (winner == shown)
        seen.add(pair.posterior_agrees)

    assert seen == {True, False} or control


def test_without_a_rope_there_is_no_bayesian_answer(comparison: Comparison) -> None:
    assert {(pair.posterior, pair.posterior_agrees) for pair in comparison.robustness.pairs} == {(None, None)}


def test_bayesian_answers_change_no_count_of_the_other_analyses(comparison: Comparison) -> None:
    both = compare(TABLE, alpha=0.10, robustness=True, rope=0.01, rng=1).robustness

    assert (both.n_analyses, both.agreement) == (comparison.robustness.n_analyses, comparison.robustness.agreement)
