"""The experiment on the flu domain: errors by hand, and what follows from the definition."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from evalstats import EvalstatsError
from evalstats.shift import make_flu_patients, performance_deterioration, simulate_flu_shift
from evalstats.shift.experiment import MISSING, OneRule
from evalstats.shift.flu import CHANGES

TREE = {"tree": DecisionTreeClassifier(min_samples_leaf=5)}
SMALL = {"n_train": 60, "n_test": 80, "n_repeats": 2, "rng": 3}
X = np.array([[0, 1], [0, 2], [1, 1], [1, 2], [2, 1]])
Y = np.array(["no", "yes", "no", "yes", "no"])


def test_errors_are_those_of_classifiers_fitted_by_hand():
    found = simulate_flu_shift(TREE, changes=["W", "no elderly"], **SMALL)
    generator = np.random.default_rng(3)
    seed = int(generator.integers(2**31))

    def fitted(patients):
        return DecisionTreeClassifier(min_samples_leaf=5, random_state=seed).fit(patients.X, patients.y)

    usual, tested = make_flu_patients(60, rng=generator), make_flu_patients(80, rng=generator)
    winter, winter_train = (
        make_flu_patients(80, change="W", rng=generator),
        make_flu_patients(60, change="W", rng=generator),
    )
    lacking = make_flu_patients(60, exclude=["elderly"], rng=generator)
    old = fitted(usual)

    assert found.error_before[0, 0] == (old.predict(tested.X) != tested.y).mean()
    assert found.error_test[0, 0, 0] == (old.predict(winter.X) != winter.y).mean()
    assert found.error_ideal[0, 0, 0] == (fitted(winter_train).predict(winter.X) != winter.y).mean()
    assert found.error_test[0, 1, 0] == (fitted(lacking).predict(tested.X) != tested.y).mean()
    assert found.error_ideal[0, 1, 0] == found.error_before[0, 0]
    assert found.error_trivial[0, 0] == min(winter.y.mean(), 1 - winter.y.mean())


def test_deterioration_is_that_of_the_errors():
    found = simulate_flu_shift(TREE, **SMALL)

    assert found.changes == (*list(CHANGES)[1:], *MISSING)
    wanted = performance_deterioration(found.error_test, found.error_ideal, found.error_trivial[..., None]).estimate
    np.testing.assert_array_equal(found.deterioration, wanted)
    of_means = [array.mean(axis=0) for array in (found.error_test, found.error_ideal, found.error_trivial[..., None])]
    np.testing.assert_array_equal(found.mean_deterioration, performance_deterioration(*of_means).estimate)


def test_classifiers_of_the_paper_are_better_than_the_trivial_one():
    found = simulate_flu_shift(changes=["W"], n_train=300, n_repeats=2)
    errors = dict(zip(found.classifiers, found.error_before.mean(axis=0), strict=True))

    assert list(errors) == ["1R", "tree", "perceptron", "MLP"]
    assert errors["tree"] < errors["1R"] < 0.33
    assert errors["MLP"] < errors["perceptron"] < 0.33


def test_same_seed_same_experiment():
    one, other = (simulate_flu_shift(TREE, changes=["MC"], **SMALL) for _ in range(2))

    assert one.error_test.tolist() == other.error_test.tolist()
    assert one.seed == 3


@pytest.mark.parametrize(
    ("classifiers", "choices", "message"),
    [
        (TREE, {"changes": ["snow"]}, "changes must be among none, DP"),
        (TREE, {"changes": [np.eye(2)]}, "changes must be among none, DP"),
        (TREE, {"changes": []}, "changes must name at least one"),
        (TREE, {"n_train": 5}, "n_train must be at least 20"),
        ({}, {}, "classifiers must hold at least one"),
        ({"a": DummyClassifier}, {}, "classifiers must have fit, predict and get_params"),
        ([DummyClassifier()], {}, "classifiers must be a dict"),
        ({3: DummyClassifier()}, {}, "a name of classifiers must be text"),
    ],
)
def test_bad_choices_are_refused(classifiers, choices, message):
    with pytest.raises(EvalstatsError, match=message):
        simulate_flu_shift(classifiers, **choices)


def test_attribute_with_the_fewest_errors_is_the_rule():
    fitted = OneRule().fit(X, Y)

    assert fitted.attribute_ == 1
    assert fitted.predict(X).tolist() == Y.tolist()


def test_unseen_value_gets_the_most_frequent_class():
    assert OneRule().fit(X, Y).predict([[0, 7]]).tolist() == ["no"]


def test_of_equal_attributes_the_first_is_taken():
    assert OneRule().fit(np.column_stack([X[:, 1], X[:, 1]]), Y).attribute_ == 0


def test_no_parameter():
    assert OneRule().get_params() == {}
    assert isinstance(OneRule().set_params(), OneRule)
