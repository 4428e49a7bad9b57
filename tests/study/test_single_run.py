"""One repeat is computed from names and seeds alone, and tells what went wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import BaggingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from evalstats import _checks
from evalstats.study.metric import understand_metric
from evalstats.study.single_run import Data, Protocol, run_repeat
from evalstats.study.splits import Splitting

RNG = np.random.default_rng(2)
Y = np.tile(["no", "yes"], 20)
CASES = RNG.normal(size=(40, 3)) + (Y == "yes")[:, None]
DATA = Data(name="d", X=CASES, y=Y, codes=(Y == "yes").astype(int), classes=np.array(["no", "yes"]), positive=1)


def protocol(metric: str = "accuracy", scheme: str = "k-fold") -> Protocol:
    splitting = Splitting(scheme=scheme, dataset="d", seed=1, folds=4, test_size=0.25, stratify=True)
    return Protocol(splitting=splitting, metric=understand_metric(metric), keep_predictions=True)


def test_every_case_is_predicted_once() -> None:
    repeat = run_repeat(DATA, "NB", GaussianNB(), protocol(), 1)
    said = repeat.predictions

    assert sorted(said["row"].tolist()) == list(range(40))
    assert said["y_true"].tolist() == Y[said["row"]].tolist()
    assert ((said["y_score"] > 0.5) == (said["y_pred"] == "yes")).all()
    right = [(said["y_true"] == said["y_pred"])[said["fold"] == fold].mean() for fold in repeat.runs["fold"]]
    assert repeat.runs["score"] == pytest.approx(right)


def test_seed_of_a_run_depends_on_classifier_and_fold() -> None:
    seeds = [run_repeat(DATA, name, GaussianNB(), protocol(), 1).runs["seed"] for name in ("a", "b")]

    assert len({seed for own in seeds for seed in own}) == 8


def test_parts_of_a_classifier_get_seeds_of_their_own() -> None:
    """Bagging of trees has two random states; both follow from the seed of the run."""
    bagging = make_pipeline(BaggingClassifier(DecisionTreeClassifier(max_features=1), n_estimators=3))
    first, second = (run_repeat(DATA, "b", bagging, protocol("roc_auc"), 1) for _ in range(2))

    assert first.runs["score"] == second.runs["score"]
    assert bagging.get_params()["baggingclassifier__random_state"] is None


def test_repeat_0_trains_and_tests_on_everything() -> None:
    repeat = run_repeat(DATA, "tree", DecisionTreeClassifier(), protocol(scheme=".632+"), 0)

    assert (repeat.runs["score"], repeat.runs["n_train"], repeat.runs["n_test"]) == ([1.0], [40], [40])
    assert repeat.runs["no_information"] == [0.5]
    assert repeat.predictions is None


def test_class_that_was_not_trained_has_probability_0() -> None:
    class Half(BaseEstimator):
        def fit(self, cases: Any, y: Any) -> Half:
            self.classes_ = np.array(["yes"])
            return self

        def predict(self, cases: Any) -> Any:
            return np.full(len(cases), "yes")

        def predict_proba(self, cases: Any) -> Any:
            return np.ones((len(cases), 1))

    repeat = run_repeat(DATA, "half", Half(), protocol("brier"), 1)

    assert repeat.runs["score"] == [0.5] * 4
    assert set(repeat.predictions["y_score"]) == {1.0}


def test_predictions_stay_where_only_the_score_is_undefined() -> None:
    class Never(BaseEstimator):
        def fit(self, cases: Any, y: Any) -> Never:
            return self

        def predict(self, cases: Any) -> Any:
            return np.full(len(cases), "no")

    repeat = run_repeat(DATA, "never", Never(), protocol("precision"), 1)

    assert np.isnan(repeat.runs["score"]).all()
    assert "precision" in repeat.runs["failure"][0]
    assert len(repeat.predictions["row"]) == 40


def test_interrupt_is_not_a_failure() -> None:
    class Stopped(BaseEstimator):
        def fit(self, cases: Any, y: Any) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_repeat(DATA, "stopped", Stopped(), protocol(), 1)


@pytest.mark.parametrize(("label", "text"), [(1.0, "1"), (1, "1"), ("b", "b"), (True, "True"), (-1.0, "-1")])
def test_labels_are_written_as_tables_read_them(label: Any, text: str) -> None:
    assert _checks.label_text(label) == text
