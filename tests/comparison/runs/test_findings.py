"""One run, runs that disagree, skewed runs and runs at the ceiling are told; others are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalstats.comparison.runs.analysis import analyze_runs
from evalstats.comparison.runs.record import RunAnalysis
from evalstats.report import sentence as verdict
from evalstats.reproducibility import FixedRuns


def codes(report: RunAnalysis) -> list[str]:
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize(
    "rows",
    [
        lambda rows_of, of_runs: {"dataset": ["d", "e"], "NB": [0.8, 0.9], "SVM": [0.7, 0.8]},
        lambda rows_of, of_runs: {name: values[:30] for name, values in rows_of().items()},
        lambda rows_of, of_runs: of_runs([0.8], [0.7]),
    ],
    ids=["wide", "folds", "one-repeat"],
)
def test_one_run_is_never_reproducible(rows_of, of_runs, rows: Callable[..., dict[str, list[Any]]]) -> None:
    report = analyze_runs(rows(rows_of, of_runs))

    assert codes(report) == ["one-run"]
    assert "the reproducibility of the decision is unknown" in verdict(report)
    assert (report.pairs, report.stopping, report.pvalues, report.over_datasets) == ((), (), None, None)


def test_datasets_with_one_run_are_named(fold_scores, rows_of) -> None:
    rows = rows_of(fold_scores[:2])
    kept = [i for i, (d, r) in enumerate(zip(rows["dataset"], rows["repeat"], strict=True)) if d == "colic" or r == 1]
    report = analyze_runs({name: [values[i] for i in kept] for name, values in rows.items()})

    assert report.n_runs == (20, 1)
    assert report.findings[0].places == ({"dataset": "glass"},)
    assert verdict(report).startswith("The datasets have different runs")


def test_runs_that_disagree(rows_of) -> None:
    """Of the two runs of five datasets, all favor the first classifier in one and the second in the other."""
    rng = np.random.default_rng(0)
    folds = np.stack([rng.uniform(0.5, 0.6, (5, 1)), rng.uniform(0.7, 0.8, (5, 1))], axis=-1)[:, np.newaxis]
    report = analyze_runs(rows_of(np.concatenate([folds, folds[..., ::-1]], axis=1)), alpha=0.1)

    assert codes(report)[:2] == ["runs-disagree", "pair-reverses"]
    assert verdict(report).startswith(
        "The verdict depends on the run: of 2 runs, 2 reject (Wilcoxon test at α = 0.1, median p = 0.0625), "
        "1 in favor of C4.5 and 1 in favor of NB;"
    )


def test_pair_that_reverses(of_runs) -> None:
    """At R = 1/2 one of four runs disagrees, and no more."""
    first, second, third = [9, 9, 9, 9], [8, 8, 8, 10], [8, 8, 10, 10]
    report = analyze_runs(of_runs(first, second, third, score="x"), stopping_rule=FixedRuns(2))
    finding = report.findings[0]

    assert [pair.reproducibility for pair in report.pairs] == [0.5, 0, 0.25]
    assert finding.code == "pair-reverses"
    assert finding.places == (
        {"dataset": "colic", "classifier": "C4.5", "against": "SVM"},
        {"dataset": "colic", "classifier": "NB", "against": "SVM"},
    )
    assert finding.sentence.endswith(
        "R of these pairs is below 0.5: C4.5 against SVM on colic, NB against SVM on colic."
    )


@pytest.mark.parametrize(("score", "sign", "code"), [("gain", 1, "left-skewed"), ("error", -1, "right-skewed")])
def test_skewed_runs(of_runs, score: str, sign: int, code: str) -> None:
    runs = sign * -np.random.default_rng(0).exponential(size=100)

    assert codes(analyze_runs(of_runs(runs.tolist(), score=score), stopping_rule=FixedRuns(2))) == [code]


def test_runs_at_the_ceiling(of_runs) -> None:
    report = analyze_runs(of_runs([1.0, 0.98, 1.0, 0.99], score="auc"))

    assert report.estimates[0].ceiling_proportion == 0.5
    assert "at-ceiling" in codes(report)


def test_canonical_estimate_far_from_the_steady_state(of_runs) -> None:
    report = analyze_runs(of_runs([0.7, *[0.9, 0.91, 0.92] * 4]))

    assert "canonical-far-from-steady-state" in codes(report)
    assert "canonical-far-from-steady-state" not in codes(analyze_runs(of_runs([*[0.9, 0.91, 0.92] * 4, 0.7])))


def test_equal_runs_have_a_reason_and_no_warning(of_runs) -> None:
    report = analyze_runs(of_runs([0.8] * 4, [0.8] * 4))

    assert report.estimates[0].reason == "all runs give the same score: skewness and normality are not defined"
    assert codes(report) == ["pair-reverses", "rule-not-replayed"]


@pytest.mark.parametrize(("n", "is_few"), [(2, True), (28, True), (29, False)])
def test_few_runs_may_hide_a_rare_failure(of_runs, n: int, is_few: bool) -> None:
    report = analyze_runs(of_runs(np.linspace(0.8, 0.9, n).tolist()), stopping_rule=FixedRuns(2))

    assert ("few-runs" in codes(report)) == is_few
