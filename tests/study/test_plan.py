"""What a study is asked for is understood, or refused with the argument, the rule and the value."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from evalstats._errors import EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats.reproducibility.stopping import FixedRuns, KolmogorovSmirnov
from evalstats.study.plan import Plan, description_of, made_with, plan_of

CASES = np.arange(40.0)[:, None]
Y = np.tile([0, 1], 20)
PAIRS = [(np.arange(20), np.arange(20, 40)), (np.arange(20, 40), np.arange(20))]
USUAL = {
    "scheme": "k-fold",
    "n_folds": None,
    "n_repeats": None,
    "splits": None,
    "test_size": 0.25,
    "stratify": True,
    "metric": "accuracy",
    "pos_label": None,
    "stopping_rule": None,
    "predictions": False,
    "seed": 1,
}


def planned(classifiers: Any = None, datasets: Any = None, **choices: Any) -> Plan:
    classifiers = {"NB": GaussianNB()} if classifiers is None else classifiers
    return plan_of(classifiers, {"d": (CASES, Y)} if datasets is None else datasets, **USUAL | choices)


@pytest.mark.parametrize(
    ("choices", "folds", "repeats"),
    [
        ({}, 10, 10),
        ({"scheme": "5x2"}, 2, 5),
        ({"scheme": "leave-one-out"}, None, 1),
        ({"scheme": "hold-out"}, None, 100),
        ({"scheme": ".632+"}, None, 100),
        ({"scheme": "temporal", "n_folds": 3}, 3, 1),
        ({"stopping_rule": FixedRuns(3)}, 10, 500),
        ({"splits": PAIRS}, None, 1),
        ({"splits": PAIRS * 3, "n_folds": 2}, 2, 3),
        ({"splits": PAIRS, "n_repeats": 4}, None, 4),
    ],
)
def test_folds_and_repeats_that_are_not_given(choices: dict[str, Any], folds: int | None, repeats: int) -> None:
    plan = planned(**choices)

    assert (plan.n_folds, plan.n_repeats) == (folds, repeats)


@pytest.mark.parametrize(
    ("y", "given", "positive"),
    [
        ([0, 1], None, "1"),
        ([1, 2], None, "1"),
        (["1", "2"], None, "1"),
        (["no", "yes"], None, "yes"),
        ([-1, 1], -1, "-1"),
        ([0.0, 1.0], {"d": 0}, "0"),
        ([False, True], None, "True"),
    ],
)
def test_positive_label(y: list[Any], given: Any, positive: str) -> None:
    """As read_predictions chooses it."""
    plan = planned(datasets={"d": (CASES, y * 20)}, pos_label=given)

    assert description_of(plan)["datasets"]["d"]["positive"] == positive


def test_description_tells_parameters_but_no_addresses_and_no_random_states() -> None:
    def described(estimator: Any) -> str:
        return description_of(planned({"c": estimator}))["classifiers"]["c"]

    piped = make_pipeline(FunctionTransformer(np.log1p), DecisionTreeClassifier(max_depth=2, random_state=3))
    assert " at 0x" not in described(make_pipeline(FunctionTransformer(lambda x: x), GaussianNB()))
    assert "max_depth=2" in described(piped)
    assert "random_state" not in described(piped)
    assert described(GaussianNB(priors=np.array([0.5, 0.5]))) != described(GaussianNB(priors=np.array([0.4, 0.6])))
    assert set(made_with()) == {"python", "evalstats", "numpy", "scikit-learn", "joblib"}


def test_metric_and_rule_are_told_without_addresses() -> None:
    """A study would otherwise not be the same one in another process."""

    class Rule(KolmogorovSmirnov):
        __repr__ = object.__repr__

    described = description_of(planned(metric=functools.partial(max), stopping_rule=Rule()))

    assert " at 0x" not in described["metric"] + described["stop"]


def test_labels_of_a_data_frame_are_texts() -> None:
    y = np.array(["no", "yes"], dtype=object)[Y]

    assert description_of(planned(datasets={"d": (CASES, y)}))["datasets"]["d"]["positive"] == "yes"
    with pytest.raises(InvalidValueError, match="all labels are 'no'"):
        planned(datasets={"d": (CASES, y[Y * 0])})
    with pytest.warns(EvalstatsWarning, match="class 'yes' of dataset 'd' has 4 instances for 10 folds"):
        planned(datasets={"d": (CASES[:24], y[np.arange(24) % 6 // 5])})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"classifiers": {}}, "classifiers must hold at least one"),
        ({"classifiers": [GaussianNB()]}, "classifiers must be a dict of names, not list"),
        ({"classifiers": {"NB": GaussianNB}}, r"must be an estimator, not its class: write GaussianNB\(\)"),
        ({"classifiers": {"NB": 3}}, "must be an estimator, but it has no fit: 3"),
        ({"classifiers": {"": GaussianNB()}}, "names of visible characters and single spaces, not ''"),
        ({"classifiers": {"a\n": GaussianNB()}}, "not 'a.n'"),
        ({"datasets": {"d": CASES}}, r"datasets\['d'\] must be a pair \(X, y\)"),
        ({"datasets": {"d": (None, Y)}}, "must have a table of instances, but X is None"),
        ({"datasets": {"d": (CASES, Y[:3])}}, r"X has 40 and y has the shape \(3,\)"),
        ({"datasets": {"d": (CASES, Y * 0)}}, "two classes or more, but all labels are 0"),
        ({"datasets": {"d": (CASES, Y + 0.5)}}, "labels of classes, but y holds 0.5"),
        ({"datasets": {"d": (CASES, np.where(Y, 1, np.nan))}}, "labels of classes, but y holds nan"),
        ({"datasets": {"d": (CASES, [None, "a"] * 20)}}, "labels of one type, with none missing"),
        ({"scheme": "loo"}, "scheme must be 'k-fold' or"),
        ({"scheme": "precomputed"}, "needs splits"),
        ({"scheme": "e0", "splits": PAIRS}, "splits cannot be combined with scheme 'e0'"),
        ({"scheme": "e0", "n_folds": 3}, "n_folds cannot be combined with scheme 'e0'"),
        ({"scheme": "5x2", "n_folds": 3}, "n_folds cannot be combined with scheme '5x2'"),
        ({"scheme": "5x2", "n_repeats": 6}, "n_repeats of scheme '5x2' must be at most 5, not 6"),
        ({"splits": PAIRS, "n_folds": 3}, "a whole number of repeats of 3 folds"),
        ({"n_folds": 1}, "n_folds must be at least 2, not 1"),
        ({"n_folds": 41}, "dataset 'd' has 40 instances, but k-fold needs 41 or more"),
        ({"n_repeats": 0}, "n_repeats must be at least 1"),
        ({"test_size": 1}, "test_size must lie between 0 and 1"),
        ({"stratify": "yes"}, "stratify must be True or False"),
        ({"pos_label": 7}, "pos_label must be a label of"),
        ({"stopping_rule": 3}, "stopping_rule must be a stopping rule"),
        ({"stopping_rule": FixedRuns}, "stopping_rule must be a stopping rule"),
    ],
)
def test_messages(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match=message):
        planned(**arguments)
