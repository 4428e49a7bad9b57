"""The report says whether the verdict would survive another run, with the numbers of evalstats.reproducibility."""

from __future__ import annotations

import csv
import io
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalstats import reproducibility
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats.comparison.over_runs import RunReport, report_runs
from evalstats.report import sentence as verdict
from evalstats.reproducibility import FixedRuns, KolmogorovSmirnov, RankCorrelation
from evalstats.study import run_study
from evalstats.tables.predictions import Predictions, read_predictions

DATASETS, CLASSIFIERS = ("colic", "glass", "sonar", "vehicle", "zoo"), ("C4.5", "NB", "SVM")
# dataset, run, fold, classifier: a clear order on two datasets, chance on the others
RNG = np.random.default_rng(7)
FOLDS = (
    0.75 + RNG.normal(0, 0.03, size=(5, 20, 10, 3)) + np.array([0.05, 0.05, 0, 0, 0])[:, None, None, None] * [0, 1, 2]
)
RUNS = FOLDS.mean(axis=2)  # dataset, run, classifier


def rows_of(folds: np.ndarray = FOLDS, score: str = "accuracy") -> dict[str, list[Any]]:
    places = list(itertools.product(*map(range, folds.shape)))
    return {
        "dataset": [DATASETS[d] for d, _, _, _ in places],
        "repeat": [r + 1 for _, r, _, _ in places],
        "fold": [f + 1 for _, _, f, _ in places],
        "classifier": [CLASSIFIERS[c] for _, _, _, c in places],
        score: folds.ravel().tolist(),
    }


def of_runs(*runs: list[float], score: str = "accuracy") -> dict[str, list[Any]]:
    """Return a table of one dataset: the runs of each classifier."""
    return rows_of(np.array(runs, dtype=float).T[np.newaxis, :, np.newaxis, :], score)


def codes(report: RunReport) -> list[str]:
    return [finding.code for finding in report.findings]


def probabilities(n_runs: int = 6, n_cases: int = 12) -> dict[str, list[Any]]:
    """Return predictions of two classifiers on one dataset, each case once in each of several runs of three folds."""
    rng = np.random.default_rng(1)
    rows = [
        ("d", name, run, case % 3, case, case % 2, round(0.3 * (case % 2) + 0.7 * rng.random(), 6))
        for name, run, case in itertools.product("ab", range(n_runs), range(n_cases))
    ]
    names = ("dataset", "classifier", "repeat", "fold", "row", "y_true", "y_score")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


@pytest.fixture(scope="module")
def report() -> RunReport:
    return report_runs(rows_of())


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_one_pair_by_hand() -> None:
    """Ahead in 3 runs of 4, tied in one: R' = 3.5 / 4."""
    pair = report_runs(of_runs([0.9, 0.8, 0.9, 0.7], [0.8, 0.8, 0.7, 0.6])).pairs[0]

    assert (pair.n_wins, pair.n_ties, pair.n_losses, pair.win_share, pair.reproducibility) == (3, 1, 0, 0.875, 0.75)


def test_pairs_are_those_of_overlap(report: RunReport) -> None:
    for pair in report.pairs:
        own = RUNS[DATASETS.index(pair.dataset)]
        x, y = (own[:, CLASSIFIERS.index(name)] for name in (pair.first, pair.second))
        expected = reproducibility.overlap(x, y)
        assert (pair.win_share, pair.reproducibility) == (expected.win_share, expected.reproducibility)
        assert tuple(pair.interval) == tuple(expected.confidence_interval())


def test_estimates_are_those_of_the_functions(report: RunReport) -> None:
    for one in report.estimates:
        runs = RUNS[DATASETS.index(one.dataset), :, CLASSIFIERS.index(one.classifier)]
        steady, shape = reproducibility.steady_state(runs), reproducibility.estimate_distribution(runs, ceiling=1)
        assert one.canonical == runs[0]
        assert (one.steady_state, one.standard_error) == pytest.approx(
            (steady.estimate, steady.standard_error), rel=1e-14
        )
        assert (one.skewness, one.normality_pvalue) == pytest.approx((shape.skewness, shape.normality_pvalue), rel=1e-9)
        assert tuple(one.skewness_interval) == pytest.approx(tuple(shape.skewness_interval()), rel=1e-9)
        assert one.ceiling_share == shape.ceiling_share


def test_verdicts_over_datasets_are_those_of_the_functions(report: RunReport) -> None:
    runs = RUNS.swapaxes(0, 1)

    assert report.pvalues is not None
    assert np.array_equal(report.pvalues.pvalues, reproducibility.pvalues_over_runs(runs, rng=0).pvalues)
    assert report.over_datasets is not None
    assert report.over_datasets.to_dict() == reproducibility.verdict_reproducibility(runs).to_dict()


def test_stopping_is_that_of_replay() -> None:
    report = report_runs(rows_of(FOLDS[:2]), stop=[FixedRuns(5), KolmogorovSmirnov(0.3)], n_orders=10, rng=3)
    expected = reproducibility.replay(KolmogorovSmirnov(0.3), RUNS[1, :, 2], n_orders=10, rng=3)
    last = report.stopping[-1]

    assert (last.rule, last.dataset, last.classifier) == ("KolmogorovSmirnov(threshold=0.3)", "glass", "SVM")
    assert (last.mean_runs, last.not_stopped_share) == (expected.mean_runs, expected.not_stopped_share)
    assert {one.mean_runs for one in report.stopping if one.rule == "FixedRuns(5)"} == {5.0}


def test_shuffled_rows_change_nothing(report: RunReport) -> None:
    order = np.random.default_rng(0).permutation(FOLDS.size)
    shuffled = {name: [values[i] for i in order] for name, values in rows_of().items()}

    assert report_runs(shuffled).to_csv() == report.to_csv()


def test_errors_are_mirrored_scores() -> None:
    """Who is ahead stays the same when accuracies become error rates."""
    scores = report_runs(rows_of())
    errors = report_runs(rows_of(1 - FOLDS, "error"))

    assert [pair.win_share for pair in errors.pairs] == [pair.win_share for pair in scores.pairs]
    assert errors.pvalues is not None
    assert scores.pvalues is not None
    assert errors.pvalues.n_reject == scores.pvalues.n_reject
    assert (errors.ceiling, scores.ceiling) == (0.0, 1.0)
    assert [a.skewness for a in errors.estimates] == pytest.approx([-b.skewness for b in scores.estimates], rel=1e-6)


def test_canonical_estimate_is_the_mean_of_the_first_runs() -> None:
    assert report_runs(of_runs([0.5, 0.7, 0.9, 0.9]), canonical=2).estimates[0].canonical == pytest.approx(0.6)


# --- predictions ------------------------------------------------------------------------------------------------------


def test_runs_of_predictions_are_scored_as_the_table_is() -> None:
    """The AUC of all cases of a run together, not the mean over its folds."""
    report = report_runs(probabilities(), metric="roc_auc", aggregate="merge")
    predictions = read_predictions(probabilities(n_runs=6))
    first = predictions.repeat == 0
    own = first & (predictions.classifier == 0)
    score, true = predictions.y_score, predictions.y_true.astype(bool)
    assert score is not None
    ahead = score[own & true][:, None] - score[own & ~true]

    assert report.estimates[0].canonical == pytest.approx(((ahead > 0) + 0.5 * (ahead == 0)).mean())


def test_rank_correlation_sees_the_probabilities_of_cases() -> None:
    rows = probabilities()
    report = report_runs(rows, metric="brier", stop=RankCorrelation(0.95), rng=2)
    cases = np.array([rows["row"], rows["repeat"]])[:, :72]  # of classifier a, run by run
    of_runs = np.array(rows["y_score"])[:72][np.lexsort(cases)].reshape(6, 12)
    expected = reproducibility.replay(RankCorrelation(0.95), np.zeros(6), probabilities=of_runs, rng=2)

    assert [one.classifier for one in report.stopping] == ["a", "b"]
    assert report.stopping[0].not_stopped_share == expected.not_stopped_share
    assert np.array_equal(report.stopping[0].mean_runs, expected.mean_runs, equal_nan=True)


@pytest.mark.parametrize("change", ["no-names", "other-cases"])
def test_without_the_same_cases_there_is_no_rank_correlation(change: str) -> None:
    rows = probabilities()
    if change == "no-names":
        del rows["row"]
    else:
        rows["row"] = [case + 100 * run for case, run in zip(rows["row"], rows["repeat"], strict=True)]

    assert {one.rule for one in report_runs(rows).stopping} == {"FixedRuns(10)", "KolmogorovSmirnov(threshold=0.1)"}


def test_predictions_that_were_read_are_the_same() -> None:
    predictions = read_predictions(probabilities())
    assert isinstance(predictions, Predictions)

    assert report_runs(predictions).to_csv() == report_runs(probabilities()).to_csv()


# --- findings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        {"dataset": ["d", "e"], "NB": [0.8, 0.9], "SVM": [0.7, 0.8]},
        {name: values[:30] for name, values in rows_of().items()},
        of_runs([0.8], [0.7]),
    ],
    ids=["wide", "folds", "one-repeat"],
)
def test_one_run_is_never_reproducible(rows: dict[str, list[Any]]) -> None:
    report = report_runs(rows)

    assert codes(report) == ["one-run"]
    assert "no verdict can be called reproducible" in verdict(report)
    assert (report.pairs, report.stopping, report.pvalues, report.over_datasets) == ((), (), None, None)


def test_datasets_with_one_run_are_named() -> None:
    rows = rows_of(FOLDS[:2])
    kept = [i for i, (d, r) in enumerate(zip(rows["dataset"], rows["repeat"], strict=True)) if d == "colic" or r == 1]
    report = report_runs({name: [values[i] for i in kept] for name, values in rows.items()})

    assert report.n_runs == (20, 1)
    assert report.findings[0].places == ({"dataset": "glass"},)
    assert verdict(report).startswith("The datasets have different runs")


def test_runs_that_disagree() -> None:
    """Of the two runs of five datasets, all favour the first classifier in one and the second in the other."""
    rng = np.random.default_rng(0)
    folds = np.stack([rng.uniform(0.5, 0.6, (5, 1)), rng.uniform(0.7, 0.8, (5, 1))], axis=-1)[:, np.newaxis]
    report = report_runs(rows_of(np.concatenate([folds, folds[..., ::-1]], axis=1)), alpha=0.1)

    assert codes(report)[:2] == ["runs-disagree", "pair-reverses"]
    assert verdict(report).startswith(
        "The verdict depends on the run: of 2 runs, 2 reject (Wilcoxon test at α = 0.1, median p = 0.0625), "
        "1 in favour of C4.5 and 1 in favour of NB;"
    )


def test_pair_that_reverses() -> None:
    """At R = 1/2 one of four runs disagrees, and no more."""
    first, second, third = [9, 9, 9, 9], [8, 8, 8, 10], [8, 8, 10, 10]
    report = report_runs(of_runs(first, second, third, score="x"), stop=FixedRuns(2))
    finding = report.findings[0]

    assert [pair.reproducibility for pair in report.pairs] == [0.5, 0, 0.25]
    assert finding.code == "pair-reverses"
    assert finding.places == (
        {"dataset": "colic", "classifier": "C4.5", "against": "SVM"},
        {"dataset": "colic", "classifier": "NB", "against": "SVM"},
    )
    assert finding.sentence.endswith("R is below 0.5: C4.5 against SVM on colic, NB against SVM on colic.")


@pytest.mark.parametrize(("score", "sign", "code"), [("gain", 1, "left-skewed"), ("error", -1, "right-skewed")])
def test_skewed_runs(score: str, sign: int, code: str) -> None:
    runs = sign * -np.random.default_rng(0).exponential(size=100)

    assert codes(report_runs(of_runs(runs.tolist(), score=score), stop=FixedRuns(2))) == [code]


def test_runs_at_the_ceiling() -> None:
    report = report_runs(of_runs([1.0, 0.98, 1.0, 0.99], score="auc"))

    assert report.estimates[0].ceiling_share == 0.5
    assert "at-ceiling" in codes(report)


@pytest.mark.parametrize(
    ("score", "runs", "ceiling"),
    [("accuracy", [0.9, 0.8], 1.0), ("accuracy", [90.0, 80.0], 100.0), ("f1_macro", [0.9, 0.8], 1.0),
     ("log_loss", [3.0, 4.0], 0.0), ("profit", [3.0, 4.0], None)],
)  # fmt: skip
def test_ceiling_is_that_of_the_metric(score: str, runs: list[float], ceiling: float | None) -> None:
    assert report_runs(of_runs(runs, score=score)).ceiling == ceiling


def test_canonical_estimate_far_from_the_steady_state() -> None:
    report = report_runs(of_runs([0.7, *[0.9, 0.91, 0.92] * 4]))

    assert "canonical-far-from-steady-state" in codes(report)
    assert "canonical-far-from-steady-state" not in codes(report_runs(of_runs([*[0.9, 0.91, 0.92] * 4, 0.7])))


def test_equal_runs_have_a_reason_and_no_warning() -> None:
    report = report_runs(of_runs([0.8] * 4, [0.8] * 4))

    assert report.estimates[0].reason == "all runs give the same score: skewness and normality are not defined"
    assert codes(report) == ["pair-reverses"]


# --- as a table -------------------------------------------------------------------------------------------------------


def test_csv_has_every_number(report: RunReport) -> None:
    rows = list(csv.DictReader(io.StringIO(report.to_csv())))
    found = {(r["dataset"], r["classifier"], r["against"], r["quantity"]): r for r in rows}

    assert len(found) == len(rows)
    for pair in report.pairs:
        row = found[pair.dataset, pair.first, pair.second, "reproducibility"]
        assert [float(row[name]) for name in ("value", "low", "high")] == [pair.reproducibility, *pair.interval]
    for one in report.estimates:
        assert float(found[one.dataset, one.classifier, "", "steady_state"]["value"]) == one.steady_state
    assert found["", "C4.5", "SVM", "n_significant"] != found["", "SVM", "C4.5", "n_significant"]


def test_record_is_json(report: RunReport) -> None:
    record = json.loads(json.dumps(report.to_dict()))

    assert len(record["estimates"]) == 15
    assert record["pairs"][0]["interval"]["confidence_level"] == 0.95


# --- sources and mistakes ---------------------------------------------------------------------------------------------


def test_directory_of_a_study(tmp_path: Path) -> None:
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    classifiers = {"NB": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    iris = {"iris": load_iris(return_X_y=True)}
    study = run_study(classifiers, iris, folds=3, repeats=4, stop=None, rng=1, directory=tmp_path / "study")
    report = report_runs(tmp_path / "study")

    assert report.n_runs == (4,)
    assert report.to_csv() == report_runs(study.columns).to_csv()


@pytest.mark.parametrize(
    ("choices", "error", "message"),
    [
        ({"alpha": 2}, InvalidValueError, "alpha must lie between 0 and 1"),
        ({"canonical": 5}, InvalidValueError, "canonical must be at most the number of runs, 2, not 5"),
        ({"canonical": 0}, InvalidValueError, "canonical must be at least 1"),
        ({"ceiling": 0.85}, InvalidValueError, "scores must not be better than the ceiling of 0.85, but one is 0.9"),
        ({"ceiling": "high"}, InvalidTypeError, "ceiling"),
        ({"stop": "never"}, InvalidTypeError, "stop must be a sequence of stopping rules such as FixedRuns"),
        ({"stop": 5}, InvalidTypeError, "stop must be a sequence of stopping rules such as FixedRuns"),
        ({"n_orders": 1}, InvalidValueError, "n_orders must be at least 2"),
        ({"rng": "x"}, InvalidTypeError, "rng must be None, a seed or a numpy Generator"),
    ],
)
def test_mistakes(choices: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        report_runs(of_runs([0.9, 0.8], [0.8, 0.9]), **choices)


def test_drawn_seed_is_recorded() -> None:
    rows = of_runs(*RNG.random((2, 9)).tolist())
    report = report_runs(rows, rng=np.random.default_rng(5))

    assert report_runs(rows, rng=report.seed).to_csv() == report.to_csv()
