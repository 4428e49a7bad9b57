"""The report says whether the verdict would survive another run, with the numbers of evalstats.reproducibility."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalstats import reproducibility
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.comparison.runs.analysis import analyze_runs
from evalstats.comparison.runs.record import RunAnalysis
from evalstats.io.reader.predictions import read_predictions
from evalstats.reproducibility import AnytimeValid, FixedRuns, KolmogorovSmirnov, RankCorrelation
from evalstats.study import run_study
from evalstats.tables.predictions import Predictions


def probabilities(n_runs: int = 6, n_instances: int = 12) -> dict[str, list[Any]]:
    """Return predictions of two classifiers on one dataset, each case once in each of several runs of three folds."""
    rng = np.random.default_rng(1)
    rows = [
        ("d", name, run, case % 3, case, case % 2, round(0.3 * (case % 2) + 0.7 * rng.random(), 6))
        for name, run, case in itertools.product("ab", range(n_runs), range(n_instances))
    ]
    names = ("dataset", "classifier", "repeat", "fold", "row", "y_true", "y_score")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_one_pair_by_hand(of_runs) -> None:
    """Ahead in 3 runs of 4, tied in one: R' = 3.5 / 4."""
    pair = analyze_runs(of_runs([0.9, 0.8, 0.9, 0.7], [0.8, 0.8, 0.7, 0.6])).pairs[0]

    assert (pair.n_wins, pair.n_ties, pair.n_losses, pair.win_share, pair.reproducibility) == (3, 1, 0, 0.875, 0.75)


def test_pairs_are_those_of_overlap(fold_scores, report: RunAnalysis) -> None:
    for pair in report.pairs:
        own = fold_scores.mean(axis=2)[report.datasets.index(pair.dataset)]
        x, y = (own[:, report.classifiers.index(name)] for name in (pair.first, pair.second))
        expected = reproducibility.overlap(x, y)
        assert (pair.win_share, pair.reproducibility) == (expected.win_share, expected.reproducibility)
        assert tuple(pair.interval) == tuple(expected.confidence_interval())


def test_estimates_are_those_of_the_functions(fold_scores, report: RunAnalysis) -> None:
    for one in report.estimates:
        runs = fold_scores.mean(axis=2)[report.datasets.index(one.dataset), :, report.classifiers.index(one.classifier)]
        steady, shape = reproducibility.long_run_mean(runs), reproducibility.run_distribution(runs, ceiling=1)
        assert one.canonical == runs[0]
        assert (one.long_run_mean, one.standard_error) == pytest.approx(
            (steady.estimate, steady.standard_error), rel=1e-14
        )
        assert (one.skewness, one.normality_pvalue) == pytest.approx((shape.skewness, shape.normality_pvalue), rel=1e-9)
        assert tuple(one.skewness_interval) == pytest.approx(tuple(shape.skewness_interval()), rel=1e-9)
        assert one.ceiling_proportion == shape.ceiling_proportion


def test_verdicts_over_datasets_are_those_of_the_functions(fold_scores, report: RunAnalysis) -> None:
    runs = fold_scores.mean(axis=2).swapaxes(0, 1)

    assert report.pvalues is not None
    assert np.array_equal(report.pvalues.pvalues, reproducibility.pvalues_over_runs(runs, rng=0).pvalues)
    assert report.over_datasets is not None
    assert report.over_datasets.to_dict() == reproducibility.verdict_reproducibility(runs).to_dict()


def test_rule_of_two_classifiers_is_refused_with_the_way_out(fold_scores, rows_of) -> None:
    with pytest.raises(ValueError, match=r"AnytimeValid\(0.05\) uses two classifiers; replay it with replay"):
        analyze_runs(rows_of(fold_scores[:2]), stopping_rule=AnytimeValid())


def test_stopping_is_that_of_replay(fold_scores, rows_of) -> None:
    report = analyze_runs(
        rows_of(fold_scores[:2]), stopping_rule=[FixedRuns(5), KolmogorovSmirnov(0.3)], n_resamples=10, rng=3
    )
    expected = reproducibility.replay_stopping_rule(
        KolmogorovSmirnov(0.3), fold_scores.mean(axis=2)[1, :, 2], n_resamples=10, rng=3
    )
    last = report.stopping[-1]

    assert (last.rule, last.dataset, last.classifier) == ("KolmogorovSmirnov(threshold=0.3)", "glass", "SVM")
    assert (last.mean_runs, last.not_stopped_proportion) == (expected.mean_runs, expected.not_stopped_proportion)
    assert {one.mean_runs for one in report.stopping if one.rule == "FixedRuns(5)"} == {5.0}


def test_shuffled_rows_change_nothing(fold_scores, rows_of, report: RunAnalysis) -> None:
    order = np.random.default_rng(0).permutation(fold_scores.size)
    shuffled = {name: [values[i] for i in order] for name, values in rows_of().items()}

    assert analyze_runs(shuffled).to_csv() == report.to_csv()


def test_errors_are_mirrored_scores(fold_scores, rows_of) -> None:
    """Who is ahead stays the same when accuracies become error rates."""
    scores = analyze_runs(rows_of())
    errors = analyze_runs(rows_of(1 - fold_scores, "error"))

    assert [pair.win_share for pair in errors.pairs] == [pair.win_share for pair in scores.pairs]
    assert errors.pvalues is not None
    assert scores.pvalues is not None
    assert errors.pvalues.n_reject == scores.pvalues.n_reject
    assert (errors.ceiling, scores.ceiling) == (0.0, 1.0)
    assert [a.skewness for a in errors.estimates] == pytest.approx([-b.skewness for b in scores.estimates], rel=1e-6)


def test_canonical_estimate_is_the_mean_of_the_first_runs(of_runs) -> None:
    assert analyze_runs(of_runs([0.5, 0.7, 0.9, 0.9]), n_canonical=2).estimates[0].canonical == pytest.approx(0.6)


# --- predictions ------------------------------------------------------------------------------------------------------


def test_runs_of_predictions_are_scored_as_the_table_is() -> None:
    """The AUC of all cases of a run together, not the mean over its folds."""
    report = analyze_runs(probabilities(), metric="roc_auc", aggregate="merge")
    predictions = read_predictions(probabilities(n_runs=6))
    first = predictions.repeat == 0
    own = first & (predictions.classifier == 0)
    score, true = predictions.y_score, predictions.y_true.astype(bool)
    assert score is not None
    ahead = score[own & true][:, None] - score[own & ~true]

    assert report.estimates[0].canonical == pytest.approx(((ahead > 0) + 0.5 * (ahead == 0)).mean())


def test_rank_correlation_sees_the_probabilities_of_cases(of_runs) -> None:
    rows = probabilities()
    report = analyze_runs(rows, metric="brier", stopping_rule=RankCorrelation(0.95), rng=2)
    cases = np.array([rows["row"], rows["repeat"]])[:, :72]  # of classifier a, run by run
    of_runs = np.array(rows["y_score"])[:72][np.lexsort(cases)].reshape(6, 12)
    expected = reproducibility.replay_stopping_rule(RankCorrelation(0.95), np.zeros(6), probabilities=of_runs, rng=2)

    assert [one.classifier for one in report.stopping] == ["a", "b"]
    assert report.stopping[0].not_stopped_proportion == expected.not_stopped_proportion
    assert np.array_equal(report.stopping[0].mean_runs, expected.mean_runs, equal_nan=True)


@pytest.mark.parametrize("change", ["no-names", "other-cases"])
def test_without_the_same_cases_there_is_no_rank_correlation(change: str) -> None:
    rows = probabilities()
    if change == "no-names":
        del rows["row"]
    else:
        rows["row"] = [case + 100 * run for case, run in zip(rows["row"], rows["repeat"], strict=True)]

    assert {one.rule for one in analyze_runs(rows).stopping} == {"FixedRuns(10)", "KolmogorovSmirnov(threshold=0.1)"}


def test_predictions_that_were_read_are_the_same() -> None:
    predictions = read_predictions(probabilities())
    assert isinstance(predictions, Predictions)

    assert analyze_runs(predictions).to_csv() == analyze_runs(probabilities()).to_csv()


# --- findings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "runs", "ceiling"),
    [("accuracy", [0.9, 0.8], 1.0), ("accuracy", [90.0, 80.0], 100.0), ("f1_macro", [0.9, 0.8], 1.0),
     ("log_loss", [3.0, 4.0], 0.0), ("profit", [3.0, 4.0], None)],
)  # fmt: skip
def test_ceiling_is_that_of_the_metric(of_runs, score: str, runs: list[float], ceiling: float | None) -> None:
    assert analyze_runs(of_runs(runs, score=score)).ceiling == ceiling


# --- as a table -------------------------------------------------------------------------------------------------------


# --- sources and mistakes ---------------------------------------------------------------------------------------------


def test_directory_of_a_study(tmp_path: Path) -> None:
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    classifiers = {"NB": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2)}
    iris = {"iris": load_iris(return_X_y=True)}
    study = run_study(
        classifiers, iris, n_folds=3, n_repeats=4, stopping_rule=None, rng=1, directory=tmp_path / "study"
    )
    report = analyze_runs(tmp_path / "study")

    assert report.n_runs == (4,)
    assert report.to_csv() == analyze_runs(study.columns).to_csv()


def test_directory_of_a_study_brings_the_probabilities_that_it_kept(tmp_path: Path) -> None:
    """The study, its directory and the predictions in it: one answer of the rule."""
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB

    cases, labels = load_iris(return_X_y=True)
    datasets = {"versicolor": (cases[:, :2], (labels == 1).astype(int))}
    choices = {"n_folds": 2, "n_repeats": 6, "rng": 0, "stopping_rule": None, "predictions": True}
    study = run_study({"a": GaussianNB(), "b": GaussianNB()}, datasets, directory=tmp_path / "study", **choices)
    rule = RankCorrelation(0.99)

    reports = [
        analyze_runs(s, stopping_rule=rule, n_resamples=4) for s in (study, tmp_path / "study", read_predictions(study))
    ]

    runs = [
        [(one.rule, one.classifier, one.mean_runs, one.not_stopped_proportion) for one in r.stopping] for r in reports
    ]
    assert len(runs[0]) == 2
    assert runs[0] == runs[1] == runs[2]
    assert "rule-not-replayed" not in {finding.code for finding in reports[1].findings}


def test_study_of_more_than_two_classes_keeps_their_probabilities(tmp_path: Path) -> None:
    """A rule is replayed wherever a classifier gives probabilities, and told as it was while the study ran."""
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.svm import LinearSVC

    cases, labels = load_iris(return_X_y=True)
    datasets = {"three": (cases, labels), "two": (cases[:, :2], (labels == 1).astype(int))}
    choices = {"n_folds": 2, "n_repeats": 6, "rng": 0, "predictions": True}
    study = run_study({"NB": GaussianNB(), "SVM": LinearSVC()}, datasets, directory=tmp_path / "study", **choices)

    for source in (study, tmp_path / "study"):
        report = analyze_runs(source, stopping_rule=RankCorrelation(0.9), n_resamples=4, rng=0)
        assert [(one.dataset, one.classifier) for one in report.stopping] == [
            ("three", "NB"),
            ("two", "NB"),
            ("two", "SVM"),
        ]
        note = report.findings[-1]
        assert note.code == "rule-not-replayed"
        assert "was not replayed for SVM on three: it takes" in note.sentence
        assert note.places == ({"dataset": "three", "classifier": "SVM"},)

    stopped = run_study({"NB": GaussianNB()}, datasets, stopping_rule=RankCorrelation(0.9), **choices)
    for dataset in datasets:
        kept = study._scores_of_cases()[dataset, "NB"]
        assert kept.shape[2:] == ((3,) if dataset == "three" else ())
        rule = RankCorrelation(0.9)
        runs = next(i for i, run in enumerate(kept, start=1) if rule.update(run))
        assert len(set(stopped.to_frame().query("dataset == @dataset")["repeat"])) == runs


@pytest.mark.parametrize(
    ("choices", "error", "message"),
    [
        ({"alpha": 2}, InvalidValueError, "alpha must lie between 0 and 1"),
        ({"n_canonical": 5}, InvalidValueError, "n_canonical must be at most the number of runs, 2, not 5"),
        ({"n_canonical": 0}, InvalidValueError, "n_canonical must be at least 1"),
        ({"ceiling": 0.85}, InvalidValueError, "scores must not be better than the ceiling of 0.85, but one is 0.9"),
        ({"ceiling": "high"}, InvalidTypeError, "ceiling"),
        (
            {"stopping_rule": "never"},
            InvalidTypeError,
            "stopping_rule must be a sequence of stopping rules such as FixedRuns",
        ),
        (
            {"stopping_rule": 5},
            InvalidTypeError,
            "stopping_rule must be a sequence of stopping rules such as FixedRuns",
        ),
        ({"n_resamples": 1}, InvalidValueError, "n_resamples must be at least 2"),
        ({"rng": "x"}, InvalidTypeError, "rng must be None, a seed or a numpy Generator"),
    ],
)
def test_mistakes(of_runs, choices: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        analyze_runs(of_runs([0.9, 0.8], [0.8, 0.9]), **choices)


def test_drawn_seed_is_recorded(of_runs) -> None:
    rows = of_runs(*np.random.default_rng(7).random((2, 9)).tolist())
    report = analyze_runs(rows, rng=np.random.default_rng(5))

    assert analyze_runs(rows, rng=report.seed).to_csv() == report.to_csv()
