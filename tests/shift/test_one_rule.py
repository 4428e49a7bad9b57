"""1R by hand."""

from __future__ import annotations

import numpy as np

from evalstats.shift.one_rule import OneRule

X = np.array([[0, 1], [0, 2], [1, 1], [1, 2], [2, 1]])
Y = np.array(["no", "yes", "no", "yes", "no"])


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
