"""A study gives the same numbers wherever, and in however many sittings, it is computed."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from evalstats import compare, read_predictions, read_table, report, score_predictions
from evalstats._errors import EvalstatsError, EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats.metrics import accuracy_score, roc_auc_score
from evalstats.paired import sequential_sign_test
from evalstats.reproducibility import AnytimeValid, FixedRuns, KolmogorovSmirnov, RankCorrelation
from evalstats.study import runner as study_module
from evalstats.study.runner import StudyStorageError, read_study, run_study
from evalstats.study.splits import Splitting

IRIS = load_iris(return_X_y=True)
BINARY = make_classification(n_samples=60, n_features=5, flip_y=0.2, random_state=0)
CLASSIFIERS = {"NB": GaussianNB(), "tree": DecisionTreeClassifier(max_features=1)}
DATASETS = {"iris": IRIS, "made": BINARY}
SMALL = {"n_folds": 3, "n_repeats": 2, "rng": 1}
TIMES = ("fit_time", "score_time")


class Odd(ClassifierMixin, BaseEstimator):
    """Fails, or answers nonsense, in the way that `fault` says."""

    def __init__(self, fault: str = "", random_state: int | None = None) -> None:
        self.fault = fault
        self.random_state = random_state

    def fit(self, cases: Any, y: Any) -> Odd:
        if self.fault == "some" and self.random_state % 2:
            raise RuntimeError("no convergence\n  in 3 steps")
        if self.fault == "exit":
            raise SystemExit("cannot open \udce9.dat")
        self.classes_ = np.unique(y)
        return self

    def predict(self, cases: Any) -> Any:
        n = len(cases) - (self.fault == "short")
        return np.full(n, "what" if self.fault == "label" else self.classes_[0])

    def predict_proba(self, cases: Any) -> Any:
        proba = np.full((len(cases), len(self.classes_)), 1 / len(self.classes_))
        return proba * np.nan if self.fault == "nan" else proba[1:] if self.fault == "short proba" else proba


class Fatal(BaseEstimator):
    """Takes its process with it."""

    def fit(self, cases: Any, y: Any) -> None:
        os._exit(1)


def same(a: Any, b: Any) -> None:
    """Assert that two studies hold the same numbers; times are never the same."""
    frames = [study.to_frame().drop(columns=[*TIMES]) for study in (a, b)]
    pd.testing.assert_frame_equal(*frames)


def quiet(*arguments: Any, **choices: Any) -> Any:
    """Run a study whose failures are wanted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EvalstatsWarning)
        return run_study(*arguments, **choices)


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc"])
def test_scores_are_those_of_a_loop_over_the_splits(metric: str) -> None:
    """The recorded seed and the splits are all that is needed to repeat a run by hand."""
    frame = run_study(CLASSIFIERS, {"made": BINARY}, metric=metric, **SMALL).to_frame()
    cases, y = BINARY
    expected = []
    for name, given in CLASSIFIERS.items():
        estimator = clone(given)
        for repeat in (1, 2):
            splitting = Splitting(scheme="k-fold", dataset="made", seed=1, folds=3, test_size=0.25, stratify=True)
            for fold, (train, test) in enumerate(splitting.of_repeat(repeat, y), 1):
                own = frame[(frame.classifier == name) & (frame.repeat == repeat) & (frame.fold == fold)]
                if name == "tree":
                    estimator.set_params(random_state=int(own.seed.item()))
                fitted = estimator.fit(cases[train], y[train])
                by_label = metric == "accuracy"
                said = fitted.predict(cases[test]) if by_label else fitted.predict_proba(cases[test])[:, 1]
                expected.append((accuracy_score if by_label else roc_auc_score)(y[test], said))

    np.testing.assert_allclose(frame.score, expected, rtol=1e-14)


def test_632_bootstrap_is_weighed_with_the_training_score() -> None:
    choices = {"n_repeats": 4, "rng": 3}
    e0, weighed = (run_study(CLASSIFIERS, {"made": BINARY}, scheme=s, **choices) for s in ("e0", ".632"))
    apparent = (GaussianNB().fit(*BINARY).predict(BINARY[0]) == BINARY[1]).mean()

    expected = 0.368 * apparent + 0.632 * e0.columns["score"][:4]
    np.testing.assert_allclose(weighed.columns["score"][:4], expected, rtol=1e-12)
    # a tree that learns its training set by heart
    assert weighed.columns["score"][4:].mean() == pytest.approx(0.368 + 0.632 * e0.columns["score"][4:].mean())


def test_632_plus_does_not_believe_a_classifier_that_learns_by_heart() -> None:
    rng = np.random.default_rng(0)
    noise = {"noise": (rng.normal(size=(60, 4)), rng.permutation(np.repeat([0, 1], 30)))}
    tree = {"tree": DecisionTreeClassifier()}
    plain, plus = (
        run_study(tree, noise, scheme=s, n_repeats=20, rng=1).columns["score"].mean() for s in (".632", ".632+")
    )

    assert plain > 0.6
    assert plus == pytest.approx(0.5, abs=0.08)


def test_scorer_of_scikit_learn_measures_what_it_says() -> None:
    scorer = get_scorer("neg_log_loss")
    study = run_study(CLASSIFIERS, {"made": BINARY}, metric=scorer, **SMALL)
    ours = run_study(CLASSIFIERS, {"made": BINARY}, metric="log_loss", **SMALL)

    np.testing.assert_allclose(study.columns["score"], -ours.columns["score"])


def test_decision_function_speaks_of_the_positive_label() -> None:
    auc = {
        label: run_study({"svm": LinearSVC()}, {"made": BINARY}, metric="roc_auc", pos_label=label, **SMALL)
        for label in (0, 1)
    }

    np.testing.assert_allclose(auc[0].columns["score"], auc[1].columns["score"])


@pytest.mark.parametrize("kind", ["frame", "sparse", "list"])
def test_cases_of_every_kind(kind: str) -> None:
    from scipy.sparse import coo_matrix

    numbers, y = BINARY
    cases = {"frame": pd.DataFrame(numbers), "sparse": coo_matrix(numbers), "list": numbers.tolist()}[kind]
    estimators = {"tree": DecisionTreeClassifier(max_depth=2)}

    study = run_study(estimators, {"made": (cases, pd.Series(y))}, **SMALL)

    same(study, run_study(estimators, {"made": BINARY}, **SMALL))


def test_one_repeat_of_one_classifier_on_tiny_data() -> None:
    study = run_study(
        {"NB": GaussianNB()}, {"tiny": ([[0.0], [1.0], [0.1], [1.1]], ["a", "b", "a", "b"])}, n_folds=2, n_repeats=1
    )

    assert study.columns["score"].tolist() == [1.0, 1.0]
    assert [line.split() for line in report.text(study).splitlines()[8:11:2]] == [["Dataset", "NB"], ["tiny", "1.000"]]


# --- the same numbers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("backend", "n_jobs"), [("threading", 3), ("loky", 2)])
def test_numbers_do_not_depend_on_the_backend(backend: str, n_jobs: int) -> None:
    with joblib.parallel_config(backend=backend):
        elsewhere = run_study(CLASSIFIERS, DATASETS, n_jobs=n_jobs, **SMALL)

    same(elsewhere, run_study(CLASSIFIERS, DATASETS, **SMALL))


@pytest.mark.long
def test_numbers_do_not_depend_on_dask() -> None:
    """A real cluster on the loopback address, whose worker is another process."""
    from distributed import Client, LocalCluster

    settings = {"host": "127.0.0.1", "dashboard_address": None, "n_workers": 1, "threads_per_worker": 2}
    with (
        LocalCluster(**settings) as cluster,
        Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        elsewhere = run_study(CLASSIFIERS, DATASETS, **SMALL)
        pids = client.run(os.getpid)

    assert os.getpid() not in pids.values()
    same(elsewhere, run_study(CLASSIFIERS, DATASETS, **SMALL))


def test_backend_that_only_returns_lists_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = joblib.parallel.ThreadingBackend
    monkeypatch.setattr(backend, "supports_return_generator", False)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        elsewhere = run_study(CLASSIFIERS, DATASETS, **SMALL)

    same(elsewhere, run_study(CLASSIFIERS, DATASETS, **SMALL))


def test_another_classifier_changes_nothing_for_the_others() -> None:
    alone = run_study({"tree": CLASSIFIERS["tree"]}, {"made": BINARY}, **SMALL).to_frame()
    frame = run_study(CLASSIFIERS, DATASETS, **SMALL).to_frame()
    beside = frame[(frame.classifier == "tree") & (frame.dataset == "made")].reset_index(drop=True)

    pd.testing.assert_frame_equal(alone.drop(columns=[*TIMES]), beside.drop(columns=[*TIMES]))


def test_global_random_state_is_neither_used_nor_changed() -> None:
    np.random.seed(3)  # noqa: NPY002 - the global state is what is tested
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - as above
    first = run_study(CLASSIFIERS, DATASETS, **SMALL)

    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002 - as above
    np.random.seed(4)  # noqa: NPY002 - as above
    same(first, run_study(CLASSIFIERS, DATASETS, **SMALL))


# --- directories ------------------------------------------------------------------------------------------------------

SCRIPT = """
import sys, time
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from evalstats.study.runner import run_study
classifiers = {"NB": GaussianNB(), "tree": DecisionTreeClassifier(max_features=1)}
run_study(classifiers, {"iris": load_iris(return_X_y=True)}, n_folds=3, n_repeats=20, rng=5, directory=sys.argv[1],
    predictions=True, progress=lambda *_: time.sleep(0.05))
"""


@pytest.mark.long
def test_killed_study_goes_on_where_it_was(tmp_path: Path) -> None:
    """No run is lost and none is computed again; the table is that of a study that was never killed."""
    there = tmp_path / "runs"
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(there)])
    deadline = time.monotonic() + 60
    while len(list(there.glob("scores/*.parquet"))) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = {path: path.stat().st_mtime_ns for path in there.glob("scores/*.parquet")}
    assert 5 <= len(kept) < 40
    assert not read_study(there).complete
    done: list[int] = []
    choices = {"n_folds": 3, "n_repeats": 20, "rng": 5, "predictions": True}
    resumed = run_study(CLASSIFIERS, {"iris": IRIS}, directory=there, progress=lambda n, *_: done.append(n), **choices)

    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert done == list(range(len(kept) + 1, 41))
    whole = run_study(CLASSIFIERS, {"iris": IRIS}, **choices)
    same(resumed, whole)
    pd.testing.assert_frame_equal(resumed.predictions_to_frame(), whole.predictions_to_frame())


def test_directory_reads_back_as_it_was_written(tmp_path: Path) -> None:
    study = run_study(CLASSIFIERS, DATASETS, directory=tmp_path / "runs", predictions=True, **SMALL)
    back = read_study(tmp_path / "runs")

    pd.testing.assert_frame_equal(back.to_frame(), study.to_frame())
    pd.testing.assert_frame_equal(back.predictions_to_frame(), study.predictions_to_frame())
    assert back.complete
    assert (back.seed, back.metric, back.scheme) == (1, "accuracy", "k-fold")


def test_632_study_goes_on_too(tmp_path: Path) -> None:
    choices = {"scheme": ".632+", "n_repeats": 5, "rng": 1}

    def interrupt(done: int, *_: Any) -> None:
        if done == 4:
            raise KeyboardInterrupt

    quiet(CLASSIFIERS, {"made": BINARY}, directory=tmp_path, progress=interrupt, **choices)

    same(
        run_study(CLASSIFIERS, {"made": BINARY}, directory=tmp_path, **choices),
        run_study(CLASSIFIERS, {"made": BINARY}, **choices),
    )


def test_seed_of_the_directory_is_taken_if_none_is_given(tmp_path: Path) -> None:
    first = run_study(CLASSIFIERS, {"made": BINARY}, n_folds=2, n_repeats=1, directory=tmp_path)
    again = run_study(CLASSIFIERS, {"made": BINARY}, n_folds=2, n_repeats=1, directory=tmp_path)

    same(first, again)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n_folds": 4}, "folds is 3 in the directory and 4 in this call"),
        ({"rng": 2}, "seed is 1 in the directory and 2 in this call"),
        ({"classifiers": {"NB": GaussianNB()}}, "classifier 'tree' is only in the directory"),
        ({"classifiers": CLASSIFIERS | {"new": GaussianNB()}}, "classifier 'new' is missing in the directory"),
        (
            {"classifiers": CLASSIFIERS | {"NB": GaussianNB(var_smoothing=1)}},
            "classifier 'NB' is different in the directory",
        ),
        ({"datasets": {"made": (BINARY[0] + 1, BINARY[1])}}, "dataset 'made' is different in the directory"),
        ({"metric": "roc_auc"}, "metric is 'accuracy' in the directory and 'roc_auc' in this call"),
    ],
)
def test_directory_of_another_study_is_refused(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    given = {"classifiers": CLASSIFIERS, "datasets": {"made": BINARY}, **SMALL}
    run_study(**given, directory=tmp_path)

    with pytest.raises(InvalidValueError, match=f"holds a different study: {message}"):
        run_study(**given | changed, directory=tmp_path)


def test_disk_that_fills_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, written = Path.write_bytes, []

    def full(path: Path, content: bytes) -> None:
        written.append(path)
        real(path, content[:20] if len(written) > 3 else content)
        if len(written) > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StudyStorageError, match=r"No space left on device; the finished runs are saved there"):
        run_study(CLASSIFIERS, DATASETS, directory=tmp_path, **SMALL)
    monkeypatch.undo()

    assert len(list(tmp_path.glob("scores/*"))) == 2
    same(
        run_study(CLASSIFIERS, DATASETS, directory=tmp_path, **SMALL),
        run_study(CLASSIFIERS, DATASETS, **SMALL),
    )


def test_interrupt_keeps_what_was_computed() -> None:
    def interrupt(done: int, *_: Any) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.warns(EvalstatsWarning, match="interrupted"):
        study = run_study(CLASSIFIERS, DATASETS, progress=interrupt, **SMALL)

    assert not study.complete
    assert len(study.columns["score"]) == 9
    assert "The study was not finished." in report.text(study)


# --- failures ---------------------------------------------------------------------------------------------------------


def test_failing_runs_are_rows_and_the_study_goes_on() -> None:
    with pytest.warns(EvalstatsWarning, match="of 36 runs failed; the first: RuntimeError: no convergence in 3 steps"):
        study = run_study(CLASSIFIERS | {"odd": Odd("some")}, {"made": BINARY}, n_folds=6, n_repeats=2, rng=1)
    frame = study.to_frame()
    failed = frame[frame.failure.notna()]

    assert set(failed.classifier) == {"odd"}
    assert 0 < len(failed) < 12
    assert len(failed) == study.n_failed == frame.score.isna().sum()
    assert "x made / odd: RuntimeError: no convergence in 3 steps" in report.text(study)


@pytest.mark.parametrize(
    ("fault", "metric", "message"),
    [
        ("nan", "roc_auc", "predict_proba returned nan"),
        ("label", "accuracy", "predict returned"),
        ("short", "accuracy", "predict must return a value for each of 20 instances, but it returned 19"),
        ("short proba", "accuracy", "predict_proba must return a value for each of 20 instances, but it returned 19"),
        ("exit", "accuracy", r"SystemExit: cannot open \udce9.dat"),
    ],
)
def test_nonsense_is_a_failure(fault: str, metric: str, message: str, tmp_path: Path) -> None:
    """It is recorded, and does not end the study."""
    study = quiet({"odd": Odd(fault)}, {"made": BINARY}, metric=metric, predictions=True, directory=tmp_path, **SMALL)

    assert study.n_failed == 6
    assert len(study.predictions_to_frame()) == 0
    assert all(message in reason for reason in study.columns["failure"])


def test_constant_probabilities_have_a_score() -> None:
    study = run_study({"odd": Odd()}, {"made": BINARY}, metric="roc_auc", **SMALL)

    assert set(study.columns["score"]) == {0.5}


def test_classifier_without_scores_fails_where_they_are_needed() -> None:
    study = quiet({"svm": LinearSVC()}, {"made": BINARY}, metric="brier", **SMALL)

    assert study.columns["failure"][0] == "brier needs predict_proba, which LinearSVC does not have"


def test_fewer_positives_than_folds_fail_where_none_is_tested() -> None:
    rare = np.arange(40.0)[:, None], np.repeat([0, 1], [37, 3])
    with pytest.warns(EvalstatsWarning) as told:
        study = run_study({"NB": GaussianNB()}, {"rare": rare}, metric="roc_auc", n_folds=5, n_repeats=1, rng=1)

    assert str(told[0].message).startswith("class 1 of dataset 'rare' has 3 instances for 5 folds")
    assert study.n_failed == 2
    assert "roc_auc" in next(text for text in study.columns["failure"] if text)


# --- stopping rules ---------------------------------------------------------------------------------------------------


def test_fixed_number_of_runs() -> None:
    study = run_study(CLASSIFIERS, DATASETS, n_folds=3, rng=1, stopping_rule=FixedRuns(2))

    same(study, run_study(CLASSIFIERS, DATASETS, **SMALL))


@pytest.mark.parametrize("rule", [RankCorrelation(0.98), KolmogorovSmirnov(0.5)])
def test_rule_is_told_every_repeat_and_all_classifiers_keep_pace(rule: Any) -> None:
    study = run_study(CLASSIFIERS, DATASETS, n_folds=3, n_repeats=60, rng=1, stopping_rule=rule, predictions=True)
    frame = study.to_frame()
    predictions = study.predictions_to_frame()
    stops = {}
    for (dataset, classifier), own in frame.groupby(["dataset", "classifier"]):
        fresh = rule.fresh()
        for repeat, scores in own.groupby("repeat").score:
            if fresh.stopped:
                break
            if rule.needs == "estimate":
                fresh.update(scores.mean())
            else:
                fresh.update(probabilities(own[own.repeat == repeat], predictions))
        stops[dataset, classifier] = fresh.n_runs

    for dataset in DATASETS:
        assert set(frame[frame.dataset == dataset].groupby("classifier").repeat.max()) == {
            max(stops[dataset, name] for name in CLASSIFIERS)
        }


def probabilities(runs: pd.DataFrame, predictions: pd.DataFrame) -> np.ndarray:
    """Compute again what a classifier said in a repeat, by hand."""
    keys = ["dataset", "classifier", "repeat", "fold"]
    cases, y = DATASETS[runs.dataset.iloc[0]]
    proba = np.empty((len(y), len(np.unique(y))))
    for (_, classifier, _, _, seed), own in runs.merge(predictions, on=keys).groupby([*keys, "seed"]):
        estimator = clone(CLASSIFIERS[classifier])
        if classifier == "tree":
            estimator.set_params(random_state=seed)
        train = np.setdiff1d(np.arange(len(y)), own.row)
        proba[own.row] = estimator.fit(cases[train], y[train]).predict_proba(cases[own.row])
    return proba if proba.shape[1] > 2 else proba[:, 1]


def test_rule_of_pairs_is_told_the_means_of_both(tmp_path: Path) -> None:
    """A dataset continues until its last pair is decided, or to the largest number of repeats; a directory too."""
    classifiers = CLASSIFIERS | {"constant": DummyClassifier(), "same": DummyClassifier()}
    choices = {"n_folds": 3, "n_repeats": 12, "rng": 1, "stopping_rule": AnytimeValid(0.2)}
    without_same = {name: value for name, value in classifiers.items() if name != "same"}

    frame = run_study(without_same, DATASETS, directory=tmp_path, **choices).to_frame()

    for dataset, own in frame.groupby("dataset"):
        means = own.groupby(["repeat", "classifier"]).score.mean().unstack()
        decided = [sequential_sign_test(means[a], means[b]).n_to_decide(0.2) for a, b in combinations(without_same, 2)]
        expected = 12 if np.isnan(decided).any() else max(decided)
        assert len(means) == expected, dataset
    same(read_study(tmp_path), run_study(without_same, DATASETS, **choices))
    study = run_study(classifiers, {"made": BINARY}, **choices)
    assert study.columns["repeat"].max() == 12  # two that are the same are never told apart


def test_rule_of_pairs_needs_two_classifiers() -> None:
    with pytest.raises(InvalidValueError, match="compares classifiers, of which the study must have 2 or more"):
        run_study({"NB": GaussianNB()}, DATASETS, stopping_rule=AnytimeValid())


def test_pair_with_a_classifier_that_failed_has_no_say() -> None:
    classifiers = {"NB": GaussianNB(), "odd": Odd("label"), "constant": DummyClassifier()}
    study = quiet(classifiers, {"made": BINARY}, n_folds=3, n_repeats=40, rng=1, stopping_rule=AnytimeValid())

    assert study.columns["repeat"].max() == 8  # naive Bayes wins every repeat against the constant one


def test_stopped_study_goes_on_too(tmp_path: Path) -> None:
    choices = {"n_folds": 3, "n_repeats": 40, "rng": 1, "stopping_rule": RankCorrelation(0.98)}

    def interrupt(done: int, *_: Any) -> None:
        if done == 5:
            raise KeyboardInterrupt

    quiet(CLASSIFIERS, DATASETS, directory=tmp_path, progress=interrupt, **choices)

    same(run_study(CLASSIFIERS, DATASETS, directory=tmp_path, **choices), run_study(CLASSIFIERS, DATASETS, **choices))


def test_classifier_that_failed_has_no_say() -> None:
    study = quiet(
        {"NB": GaussianNB(), "odd": Odd("label")},
        {"made": BINARY},
        n_folds=3,
        n_repeats=9,
        rng=1,
        stopping_rule=FixedRuns(2),
    )

    assert study.columns["repeat"].max() == 2


def test_rule_that_needs_probabilities_fails_where_there_are_none() -> None:
    class Mute(ClassifierMixin, BaseEstimator):
        def fit(self, cases: Any, y: Any) -> Mute:
            self.classes_ = np.unique(y)
            return self

        def predict(self, cases: Any) -> Any:
            return np.full(len(cases), self.classes_[0])

    study = quiet({"mute": Mute()}, DATASETS, n_folds=3, n_repeats=9, rng=1, stopping_rule=RankCorrelation())

    assert set(study.columns["failure"]) == {"the stopping rule needs predict_proba, which Mute does not have"}
    assert study.columns["repeat"].max() == 1


def test_rule_that_needs_every_case_is_refused_for_samples() -> None:
    with pytest.raises(InvalidValueError, match="needs every instance in a test set once in each repeat"):
        run_study(CLASSIFIERS, DATASETS, scheme="e0", stopping_rule=RankCorrelation())


# --- what reads it ----------------------------------------------------------------------------------------------------


def test_table_of_folds_is_read_as_it_is(tmp_path: Path) -> None:
    study = run_study(CLASSIFIERS, DATASETS, directory=tmp_path / "runs", metric="error_rate", **SMALL)
    table = read_table(study.to_frame())
    frame = study.to_frame()

    assert (table.metric, table.greater_is_better, table.classifiers) == ("error_rate", False, ("NB", "tree"))
    iris = frame[(frame.dataset == "iris") & (frame.classifier == "NB")].score.mean()
    assert table.scores[0, 0] == pytest.approx(iris)
    assert [one.scores.shape for one in table.folds] == [(2, 3, 2)] * 2
    assert (table.folds[0].n_train, table.folds[0].n_test) == (100, 50)
    np.testing.assert_array_equal(read_table(tmp_path / "runs").scores, table.scores)
    assert report.text(compare(frame)) == report.text(compare(read_table(tmp_path / "runs")))


def test_one_dataset_is_compared_over_its_folds() -> None:
    frame = run_study(CLASSIFIERS, {"made": BINARY}, **SMALL).to_frame()

    assert compare(frame).dataset == "made"


def test_predictions_are_read_as_they_are(tmp_path: Path) -> None:
    study = run_study(CLASSIFIERS, {"made": BINARY}, directory=tmp_path, metric="roc_auc", predictions=True, **SMALL)
    predictions = read_predictions(study.predictions_to_frame())
    frame = study.to_frame()

    scored = score_predictions(predictions, metric="roc_auc", aggregate="mean")
    np.testing.assert_allclose(scored.scores[0], frame.groupby("classifier").score.mean(), rtol=1e-12)
    np.testing.assert_array_equal(read_predictions(tmp_path).y_score, predictions.y_score)


def test_leave_one_out_is_scored_over_all_cases() -> None:
    study = run_study({"NB": GaussianNB()}, {"made": BINARY}, scheme="leave-one-out", predictions=True, rng=1)
    predictions = read_predictions(study.predictions_to_frame())

    assert len(study.columns["score"]) == 60
    assert score_predictions(predictions, metric="accuracy").scores.item() == pytest.approx(
        study.columns["score"].mean()
    )


# --- messages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n_jobs": 0}, "n_jobs must be None or a whole number other than 0, not 0"),
        ({"rng": -1}, "rng must be at least 0"),
        ({"predictions": 1}, "predictions must be True or False"),
    ],
)
def test_wrong_arguments_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match=message):
        run_study(**{"classifiers": CLASSIFIERS, "datasets": DATASETS} | changed)


def test_directory_without_a_study_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()

    with pytest.raises(InvalidValueError, match="there is no study in"):
        read_study(tmp_path)
    with pytest.raises(
        InvalidValueError, match=r"must be new, empty or the directory of a study, but .* holds 'thesis.tex'"
    ):
        run_study({"dummy": DummyClassifier()}, {"made": BINARY}, directory=tmp_path)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(study_module, "find_spec", lambda name: None if name == "pyarrow" else name)

    with pytest.raises(EvalstatsError, match=r'a study needs pyarrow: pip install "classifier-evalstats\[study\]"'):
        run_study(CLASSIFIERS, {"made": BINARY}, directory=tmp_path, **SMALL)


@pytest.mark.long
def test_dead_worker_is_told_and_what_was_finished_is_kept(tmp_path: Path) -> None:
    told = (
        r"a worker process crashed \(EXIT\(1\).*\), .*; current tasks: .*'fatal' on 'made' "
        r"\(repeat \d, fold \d\).*; the "
    )

    with pytest.raises(EvalstatsError, match=told):
        run_study(
            {"dummy": DummyClassifier(), "fatal": Fatal()}, {"made": BINARY}, directory=tmp_path, n_jobs=2, **SMALL
        )


def test_what_cannot_be_sent_to_another_process_is_told() -> None:
    locked = Odd()
    locked.fault = threading.Lock()

    with pytest.raises(
        EvalstatsError, match="a classifier or a dataset cannot be sent to another process: TypeError: cannot"
    ):
        run_study({"odd": locked}, {"made": BINARY}, n_jobs=2, **SMALL)


def test_predictions_that_were_not_kept_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="kept no predictions; pass predictions=True"):
        run_study({"dummy": DummyClassifier()}, {"made": BINARY}, **SMALL).predictions_to_frame()


class WordlessError(Exception):
    """An error that cannot be told."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Leaving(ClassifierMixin, BaseEstimator):
    def __init__(self, kind: str = "wordless") -> None:
        self.kind = kind

    def fit(self, cases: Any, labels: Any) -> Any:
        raise WordlessError if self.kind == "wordless" else GeneratorExit


@pytest.mark.parametrize(("kind", "told"), [("wordless", "WordlessError:"), ("generator", "GeneratorExit:")])
def test_odd_exceptions_of_a_classifier_are_failures_of_it_alone(kind: str, told: str) -> None:
    study = quiet({"NB": GaussianNB(), "odd": Leaving(kind)}, {"iris": IRIS}, n_folds=2, n_repeats=1, rng=1)

    assert study.columns["failure"].tolist() == [None, None, told, told]


def test_a_study_of_which_runs_are_gone_is_not_complete(tmp_path: Path) -> None:
    directory = tmp_path / "runs"
    arguments = {"n_folds": 2, "n_repeats": 2, "rng": 1, "directory": directory}
    study = run_study({"NB": GaussianNB()}, {"iris": IRIS}, **arguments)
    sorted(directory.glob("scores/*"))[-1].unlink()

    with pytest.warns(EvalstatsWarning, match=r"1 repeat of a classifier is no longer in .*; the same call"):
        assert not read_study(directory).complete
    run_study({"NB": GaussianNB()}, {"iris": IRIS}, **arguments)
    assert read_study(directory).complete
    assert read_study(directory).columns["score"].tolist() == study.columns["score"].tolist()
