"""From labels and from counts the same score, one or many at a time; and choices that do not fit are refused."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from evalstats import metrics
from evalstats._errors import EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats.metrics import confusion_counts, count_undefined, f1_score, score_from_counts, scoring
from evalstats.metrics.formulas import AVERAGES, LABEL_METRICS

MULTICLASS = [a for a in AVERAGES if a != "binary"]
WAYS = [
    (name, {**({"beta": 0.5} if name == "fbeta" else {}), **choice})
    for name, record in LABEL_METRICS.items()
    for choice in (
        [{"average": a} for a in MULTICLASS]
        if record.average == "chosen"
        else [{}, *({"weights": w} for w in ("linear", "quadratic") if name == "cohen_kappa")]
    )
] + [("balanced_accuracy", {"adjusted": True})]

each_way = pytest.mark.parametrize(("name", "choices"), WAYS, ids=str)


def predictions(k: int = 4, n: int = 40, batch: tuple[int, ...] = (3, 5)) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(k)
    y_true = rng.integers(0, k, (*batch, n))
    return y_true, np.where(rng.random(y_true.shape) < 0.6, y_true, rng.integers(0, k, y_true.shape))


def from_labels(name: str, y_true: object, y_pred: object, **choices: object) -> object:
    return getattr(metrics, LABEL_METRICS[name].function)(y_true, y_pred, undefined="nan", **choices)


@each_way
def test_labels_and_counts_give_the_same_bits(name: str, choices: dict) -> None:
    y_true, y_pred = predictions()

    of_counts = score_from_counts(name, confusion_counts(y_true, y_pred), undefined="nan", **choices)

    np.testing.assert_array_equal(from_labels(name, y_true, y_pred, **choices), of_counts)


@each_way
def test_batch_equals_the_loop_over_its_members(name: str, choices: dict) -> None:
    y_true, y_pred = predictions(k=12)
    counts = confusion_counts(y_true, y_pred, sample_weight=np.random.default_rng(2).random(y_true.shape))

    batch = score_from_counts(name, counts, undefined="nan", **choices)

    for at in np.ndindex(3, 5):
        np.testing.assert_array_equal(batch[at], score_from_counts(name, counts[at], undefined="nan", **choices))


@each_way
def test_many_classes_need_no_table(name: str, choices: dict) -> None:
    """With more cells than cases only the sums of each class are counted, weights included."""
    y_true, y_pred = predictions(k=30, n=200)
    weight = np.random.default_rng(1).integers(0, 4, y_true.shape).astype(float)

    of_counts = score_from_counts(
        name, confusion_counts(y_true, y_pred, sample_weight=weight), undefined="nan", **choices
    )

    np.testing.assert_array_equal(from_labels(name, y_true, y_pred, sample_weight=weight, **choices), of_counts)


@pytest.mark.parametrize("size", [1, 16, 50])
def test_tables_may_be_scored_some_at_a_time(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = confusion_counts(*predictions())
    whole = score_from_counts("f1", counts, average=None)

    monkeypatch.setattr(scoring, "CELLS_AT_A_TIME", size)

    np.testing.assert_array_equal(score_from_counts("f1", counts, average=None), whole)


def test_ten_thousand_classes_are_scored() -> None:
    y = np.arange(10_000)

    assert metrics.accuracy_score(y, np.roll(y, 1)) == 0
    assert metrics.f1_score(y, y, average="macro") == 1


def test_one_problem_gives_a_float_and_a_batch_an_array() -> None:
    y_true, y_pred = predictions(k=2)

    assert type(f1_score(y_true[0, 0], y_pred[0, 0])) is float
    assert f1_score(y_true, y_pred).shape == (3, 5)
    assert f1_score(y_true, y_pred, average=None).shape == (3, 5, 2)
    assert type(count_undefined("f1", [[1, 0], [0, 1]])) is int


def test_listed_labels_are_scored_in_their_order() -> None:
    y_true, y_pred = predictions(batch=())

    every = f1_score(y_true, y_pred, average=None)

    assert f1_score(y_true, y_pred, labels=[3, 0], average=None).tolist() == [every[3], every[0]]
    assert f1_score(y_true, y_pred, labels=[3, 0], average="macro") == (every[3] + every[0]) / 2
    assert (
        score_from_counts("f1", confusion_counts(y_true, y_pred), labels=[3, 0], average="macro")
        == (every[3] + every[0]) / 2
    )


def test_listed_label_that_does_not_occur_is_undefined() -> None:
    assert math.isnan(f1_score([0, 1], [0, 1], labels=[0, 5], average=None, undefined="nan")[1])


def test_positive_class_that_does_not_occur_is_undefined() -> None:
    """Every case is negative, and rightly predicted so: nothing is found and nothing missed."""
    for y, positive in (([0, 0], 1), (["ham", "ham"], "spam"), ([False, False], True)):
        with pytest.warns(EvalstatsWarning, match="f1_score is undefined: no true or predicted label is the class"):
            assert f1_score(y, y, pos_label=positive) == 0


def test_count_of_undefined_classes_is_that_of_nan() -> None:
    counts = confusion_counts(*predictions(k=6, n=12))

    for name in ("precision", "recall", "f1", "jaccard", "informedness"):
        each = np.isnan(score_from_counts(name, counts, average=None, undefined="nan"))
        assert each.any()
        np.testing.assert_array_equal(count_undefined(name, counts, average=None), each)
        np.testing.assert_array_equal(count_undefined(name, counts, average="macro"), each.sum(axis=-1))


def test_undefined_class_without_weight_is_not_missed() -> None:
    """Recall weighted by true cases does not miss a class that has none."""
    counts = [[5, 1, 0], [2, 7, 0], [0, 0, 0]]

    assert count_undefined("recall", counts, average="macro") == 1
    assert count_undefined("recall", counts, average="weighted") == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert score_from_counts("recall", counts, average="weighted") == pytest.approx(12 / 15)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_nan_leaves_a_class_out_of_the_average(average: str) -> None:
    """Class 2 is never predicted: without it, precision is that of classes 0 and 1."""
    counts = [[5, 1, 0], [2, 7, 0], [1, 1, 0]]
    each = {"macro": (5 / 8 + 7 / 9) / 2, "weighted": (6 * 5 / 8 + 9 * 7 / 9) / 15}
    zero = {"macro": (5 / 8 + 7 / 9) / 3, "weighted": (6 * 5 / 8 + 9 * 7 / 9) / 17}

    assert score_from_counts("precision", counts, average=average, undefined="nan") == pytest.approx(each[average])
    assert score_from_counts("precision", counts, average=average, undefined="zero") == pytest.approx(zero[average])


@each_way
def test_no_weight_at_all_makes_every_score_undefined(name: str, choices: dict) -> None:
    counts = np.zeros((4, 3, 3))

    assert (count_undefined(name, counts, **choices) > 0).all()
    assert np.isnan(score_from_counts(name, counts, undefined="nan", **choices)).all()
    assert (score_from_counts(name, counts, undefined="zero", **choices) == 0).sum() >= 4 * (
        choices != {"adjusted": True}
    )


@pytest.mark.parametrize(
    ("metric", "counts", "choices", "error", "message"),
    [
        ("F1", [[1, 2], [3, 4]], {}, InvalidValueError, "metric must be 'accuracy' or .*, not 'F1'"),
        (
            "accuracy",
            [[1, 2], [3, 4]],
            {"average": "macro"},
            InvalidTypeError,
            "accuracy has no option 'average'; it takes undefined",
        ),
        (
            "f1",
            [[1, 2], [3, 4]],
            {"beta": 2},
            InvalidTypeError,
            "f1 has no option 'beta'; it takes average, labels, pos_label",
        ),
        (
            "f1",
            [[1, 2, 3]],
            {},
            InvalidValueError,
            r"counts must have the shape \(..., k, k\) with k of 1 or more, but its shape is \(1, 3\)",
        ),
        ("f1", [1, 2], {}, InvalidValueError, r"counts must have the shape \(..., k, k\)"),
        ("f1", [[1, -2], [3, 4]], {}, InvalidValueError, r"counts must be nonnegative, but counts\[0, 1\] is -2"),
        ("f1", [[1, 2], [3, np.nan]], {}, InvalidValueError, r"counts must be finite, but counts\[1, 1\] is nan"),
        ("f1", [["1", "2"], ["3", "4"]], {}, InvalidTypeError, r"counts must be numbers, but counts\[0, 0\] is '1'"),
        (
            "f1",
            np.ones((3, 3)),
            {},
            InvalidValueError,
            "average='binary' needs two classes, but there are 3: 0, 1, 2; choose 'macro'",
        ),
        (
            "f1",
            np.ones((3, 3)),
            {"average": "samples"},
            InvalidValueError,
            "average must be 'binary' or .*, not 'samples'",
        ),
        (
            "f1",
            np.ones((3, 3)),
            {"average": "macro", "labels": [3]},
            InvalidValueError,
            r"labels must be row numbers of counts \(0, 1, 2\)",
        ),
        (
            "f1",
            np.ones((3, 3)),
            {"average": "macro", "pos_label": 2},
            InvalidValueError,
            r"pos_label=2 needs average='binary'; labels=\[2\]",
        ),
        ("f1", np.ones((2, 2)), {"pos_label": 2}, InvalidValueError, "pos_label must be one of 0, 1, not 2"),
        (
            "fbeta",
            np.ones((2, 2)),
            {"beta": -1},
            InvalidValueError,
            "beta must be between 0 and 1e100, or infinite, not -1",
        ),
        (
            "fbeta",
            np.ones((2, 2)),
            {"beta": math.nan},
            InvalidValueError,
            "beta must be between 0 and 1e100, or infinite, not nan",
        ),
        ("fbeta", np.ones((2, 2)), {}, InvalidTypeError, r"beta must be numbers, but beta is None"),
        (
            "cohen_kappa",
            np.ones((2, 2)),
            {"weights": "cubic"},
            InvalidValueError,
            "weights must be 'linear' or 'quadratic', not 'cubic'",
        ),
        (
            "balanced_accuracy",
            np.ones((2, 2)),
            {"adjusted": 1},
            InvalidTypeError,
            "adjusted must be True or False, not 1",
        ),
    ],
)
def test_what_does_not_fit_is_refused(metric, counts, choices, error, message) -> None:
    with pytest.raises(error, match=message):
        score_from_counts(metric, counts, **choices)


@pytest.mark.parametrize(
    ("y_true", "y_pred", "choices", "message"),
    [
        (["ham", "spam"], ["ham", "ham"], {}, "pos_label must be one of 'ham', 'spam', not 1"),
        (["ham"], ["ham"], {}, "pos_label must be one of 'ham', not 1"),
        ([0, 1, 2], [0, 1, 1], {}, "average='binary' needs two classes, but there are 3: 0, 1, 2; choose 'macro'"),
        ([1, 2], [1, 2], {"pos_label": 3}, "pos_label must be one of 1, 2, not 3"),
        ([1, 2], [1, 2], {"pos_label": 2, "average": "macro"}, r"pos_label=2 needs average='binary'"),
    ],
    ids=str,
)
def test_positive_class_that_does_not_fit_is_refused(y_true, y_pred, choices, message) -> None:
    with pytest.raises(InvalidValueError, match=message):
        f1_score(y_true, y_pred, **choices)
