"""Labels of every kind become the same codes, and what is not a label is refused where it stands."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sklearn_metrics

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.metrics import (
    auc_estimate,
    average_precision_score,
    bootstrap_auc_interval,
    brier_score_loss,
    precision_at_n,
    roc_auc_score,
    roc_curve,
)
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import cases_of, one_is_usual, positive_cases, understand

CODES = np.array([[0, 2, 1, 1], [2, 2, 0, 1]])
WHOLE = (slice(None),) * 2
FOUR = ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])


class Animal(enum.IntEnum):
    CAT = 1
    DOG = 2


def codes(values: object, labels: list | None = None) -> np.ndarray:
    understood = classes.understand(values, "y")
    names = classes.in_order(classes.distinct(understood)) if labels is None else labels
    return classes.class_codes(understood, names).of((slice(None),) * understood.array.ndim)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", "f4", "f8", "O"])
def test_every_type_of_whole_number_is_a_label(dtype: str) -> None:
    np.testing.assert_array_equal(codes(CODES.astype(dtype)), CODES)


@pytest.mark.parametrize(
    "names",
    [
        np.array(["ant", "bee", "cat"]),
        np.array(["ant", "bee", "cat"], dtype=object),
        np.array([b"ant", b"bee", b"cat"]),
        np.array([-7, 0, 1000]),
        np.array([0, 10**12, 2 * 10**12]),
        np.array([0, 2**63, 2**64 - 1], dtype=np.uint64),
        np.array([2**63, 2**63 + 1, 2**63 + 2], dtype=np.uint64),
        np.array([0, 2**70, 2**71], dtype=object),
        np.array(["", "é", "日本"]),
    ],
    ids=str,
)
def test_codes_are_the_places_in_sorted_order(names: np.ndarray) -> None:
    np.testing.assert_array_equal(codes(names[CODES]), CODES)


@pytest.mark.parametrize("names", [["b", "c", "a"], [3, 1, 2], [20, -5, 10**15]], ids=str)
def test_codes_follow_the_order_of_the_classes_that_are_given(names: list) -> None:
    np.testing.assert_array_equal(codes(np.array(names)[CODES], names), CODES)


def test_booleans_are_zero_and_one() -> None:
    both = np.array([[False, True], [True, True]])

    np.testing.assert_array_equal(codes(both), both)
    np.testing.assert_array_equal(codes(both.astype(object)), both)


def test_any_hashable_object_is_a_label() -> None:
    pairs = np.empty(3, dtype=object)
    pairs[:] = [("a", 1), ("b", 0), ("a", 1)]

    np.testing.assert_array_equal(codes(pairs), [0, 1, 0])


def test_members_of_an_integer_enumeration_are_whole_numbers() -> None:
    assert codes([Animal.DOG, Animal.CAT]).tolist() == [1, 0]


@pytest.mark.parametrize("dtype", ["category", "string", "object"])
def test_series_of_text_is_text(dtype: str) -> None:
    series = pd.Series(["no", "yes", "no"], dtype=dtype)

    assert codes(series).tolist() == [0, 1, 0]


def test_series_of_nullable_integers_is_whole_numbers() -> None:
    assert codes(pd.Series([5, 3, 5], dtype="Int64")).tolist() == [1, 0, 1]


@pytest.mark.parametrize("array", [np.zeros((3, 4), dtype="i1"), np.full(9, "x"), np.full((2, 3, 4), None)], ids=str)
def test_blocks_cover_every_element_once(array: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in range(1, 30):
        monkeypatch.setattr(classes, "BLOCK", size)
        seen = np.zeros(array.shape, dtype=int)
        for block in classes.blocks(array.shape):
            seen[block] += 1
            assert seen[block].size <= size

        assert (seen == 1).all()


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ([], InvalidValueError, r"y must hold at least one label, but its shape is \(0,\)"),
        ("spam", InvalidValueError, "y must have at least one axis, but it is the single label 'spam'"),
        ([[1, 2], [1]], InvalidValueError, "y must be a regular array, but its rows have different lengths"),
        ([0, 1, np.nan], InvalidValueError, r"y must be finite, but y\[2\] is nan"),
        ([0, 1, np.inf], InvalidValueError, r"y must be finite, but y\[2\] is inf"),
        (["a", None], InvalidValueError, r"y must not contain missing labels, but y\[1\] is None"),
        (
            np.array(["a", np.nan], dtype=object),
            InvalidValueError,
            r"y must not contain missing labels, but y\[1\] is nan",
        ),
        (pd.Series([1, None], dtype="Int64"), InvalidValueError, r"y must be finite, but y\[1\] is nan"),
        (
            pd.Series(["a", None], dtype="string"),
            InvalidValueError,
            r"y must not contain missing labels, but y\[1\] is <NA>",
        ),
        (np.array([pd.NaT], dtype=object), InvalidValueError, r"y must not contain missing labels, but y\[0\] is NaT"),
        (
            np.ma.array([1, 2], mask=[0, 1]),
            InvalidValueError,
            r"y must not contain missing labels, but y\[1\] is masked",
        ),
        (
            [[0, 1], [0.25, 1]],
            InvalidValueError,
            r"y must hold labels, but y\[1, 0\] is 0.25; for scores and probabilities",
        ),
        ([1j], InvalidTypeError, "y must hold labels .*, not complex128"),
        (np.array(["2020-01-01"], "M8[D]"), InvalidTypeError, r"y must hold labels .*, not datetime64\[D\]"),
        (np.array([1, "a"], dtype=object), InvalidTypeError, r"labels of one kind, but y\[0\] is 1 and y\[1\] is 'a'"),
        (np.array([{}, 1], dtype=object), InvalidTypeError, r"y must hold hashable labels, but y\[0\] is {}"),
    ],
    ids=str,
)
def test_what_is_no_label_is_refused_with_its_place(value: object, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        classes.understand(value, "y")


@pytest.mark.parametrize(
    ("values", "names", "message"),
    [
        ([[0, 1], [1, 2]], [0, 1], r"y must hold labels among 0, 1, but y\[1, 1\] is 2"),
        (np.array([0, -128], dtype="i1"), range(200), r"but y\[1\] is -128"),
        (np.array([0, 255], dtype="u1"), range(200), r"but y\[1\] is 255"),
        ([3, 4], [3, 5], r"y must hold labels among 3, 5, but y\[1\] is 4"),
        ([3, 9], [3, 5], r"but y\[1\] is 9"),
        ([3, 10**12], [3, 10**15], r"but y\[1\] is 1000000000000"),
        (["a", "c"], ["a", "b"], r"y must hold labels among 'a', 'b', but y\[1\] is 'c'"),
        (np.array(["a", "0"], dtype=object), ["a", "b"], r"but y\[1\] is '0'"),
    ],
    ids=str,
)
def test_label_of_no_class_is_refused_with_its_place(values: object, names: list, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        codes(values, names)


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        ("ab", InvalidTypeError, "labels must be a sequence of classes, not 'ab'"),
        (3, InvalidTypeError, "labels must be a sequence of classes, not 3"),
        ([], InvalidValueError, "labels must hold at least one label"),
        (["a", "b", "a"], InvalidValueError, "labels must be distinct, but 'a' occurs twice"),
        (["a", None], InvalidValueError, r"labels must not contain missing labels, but labels\[1\] is None"),
        (
            [0, 1],
            InvalidTypeError,
            "labels must be of the same kind as the data, but labels holds numbers and the data hold text",
        ),
    ],
    ids=str,
)
def test_classes_that_do_not_fit_are_refused(names: object, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        classes.given_classes(names, "text")


def test_classes_without_an_order_must_be_listed() -> None:
    with pytest.raises(InvalidTypeError, match="the classes cannot be sorted, so labels must list them"):
        classes.in_order([("a", 1), ("a", "b")])


@pytest.mark.parametrize("labels", [["a", float("nan")], ["a", 1], ["a", None]])
def test_text_beside_something_else_is_refused(labels: list) -> None:
    """As text, nan would be a class of its own, and 1 the class '1'."""
    with pytest.raises((InvalidValueError, InvalidTypeError), match=r"y\[1\]|text"):
        classes.understand(labels, "y")


@pytest.mark.parametrize("label", [1e300, 2.0**63, -(2.0**70)])
def test_floats_that_no_integer_holds_are_no_labels(label: float) -> None:
    with pytest.raises(InvalidValueError, match=r"y must hold labels smaller than 2\^63, but y\[1\] is"):
        classes.understand([0.0, label], "y")


@pytest.mark.parametrize(
    ("y", "choices"),
    [
        ([False, False, True, True], {}),
        ([-1, -1, 1, 1], {}),
        ([0.0, 0.0, 1.0, 1.0], {}),
        ([3, 3, 7, 7], {"pos_label": 7}),
        (["ham", "ham", "spam", "spam"], {"pos_label": "spam"}),
        ([b"n", b"n", b"p", b"p"], {"pos_label": b"p"}),
        ([("n", 0), ("n", 0), ("p", 1), ("p", 1)], {"pos_label": ("p", 1)}),
    ],
    ids=str,
)
def test_labels_of_any_kind(y: list[Any], choices: dict[str, Any]) -> None:
    labels = np.empty(4, dtype=object)
    labels[:] = y

    assert roc_auc_score(labels, FOUR[1], **choices) == 0.75
    assert average_precision_score(labels, FOUR[1], **choices) == average_precision_score(*FOUR)


def test_the_greater_of_two_labels_is_positive() -> None:
    """As in scikit-learn; a curve of the other class would look as plausible, so there it must be named."""
    y = ["ham", "ham", "spam", "spam"]

    assert roc_auc_score(y, FOUR[1]) == sklearn_metrics.roc_auc_score(y, FOUR[1])
    with pytest.raises(ValueError, match=r"pos_label must name the positive class: y_true holds 'ham', 'spam'"):
        roc_curve(y, FOUR[1])


def test_all_other_classes_are_negative() -> None:
    assert roc_auc_score([0, 2, 1, 1], FOUR[1], pos_label=1) == 0.75


def test_one_is_positive_by_custom() -> None:
    """Of 0 and 1, and of -1 and 1, though only one of them occurs; booleans are 0 and 1."""
    usual = [{0, 1}, {0}, {1}, {-1, 1}, {-1}, {False, True}]
    unusual = [{1, 2}, {-1, 0}, {-1, 0, 1}, {"a", "b"}]

    assert [one_is_usual(present) for present in [*usual, *unusual]] == [True] * 6 + [False] * 4


def test_one_helper_serves_rankings_probabilities_and_intervals() -> None:
    """Turning labels and scores around changes nothing for any of them."""
    y, score = ["ham", "spam", "ham", "spam"], np.array([0.1, 0.4, 0.35, 0.8])

    assert auc_estimate(y, score, pos_label="spam").estimate == auc_estimate(y, -score, pos_label="ham").estimate
    assert bootstrap_auc_interval(y, score, rng=0).estimate == 1 - bootstrap_auc_interval(y, -score, rng=0).estimate
    assert brier_score_loss(y, score, pos_label="spam") == pytest.approx(
        brier_score_loss(y, 1 - score, pos_label="ham")
    )
    assert precision_at_n(y, score, 2, pos_label="spam") == 1 - precision_at_n(y, score, 2, pos_label="ham")


def test_tuples_are_labels_not_arrays() -> None:
    labels = np.empty(3, dtype=object)
    labels[:] = [("p", 1), ("n", 0), ("p", 1)]

    assert cases_of(labels, ("p", 1)).tolist() == [True, False, True]


def test_positive_class_must_occur_unless_one_class_is_there() -> None:
    assert positive_cases(understand([0, 0], "y_true"), 7).tolist() == [False, False]
    with pytest.raises(ValueError, match="pos_label must be one of 0, 1, not 7"):
        positive_cases(understand([0, 1], "y_true"), 7)
