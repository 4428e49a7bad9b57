from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sklearn_metrics

from evalstats._errors import EvalstatsWarning
from evalstats.metrics import ranking
from evalstats.metrics.ranking import RANKING_METRICS, average_precision_score, precision_at_n, roc_auc_score

# Hanley & McNeil (1982), Table I: images rated 1 (definitely normal) to 5 (definitely abnormal), and the area

NORMAL_RATINGS, ABNORMAL_RATINGS = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
HANLEY_MCNEIL_AREA = 0.893

FOUR = ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])

Problem = Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray]]


# by hand


def test_three_of_four_pairs_are_in_order() -> None:
    assert roc_auc_score(*FOUR) == 0.75


def test_a_tie_counts_half() -> None:
    """Pairs (2, 1), (2, 2), (3, 1), (3, 2): three and a half of four."""
    assert roc_auc_score([0, 0, 1, 1], [1, 2, 2, 3]) == 3.5 / 4


def test_average_precision_by_hand() -> None:
    """Recall grows by a half at precision 1 and by a half at precision 2/3; the tied cases come together."""
    assert average_precision_score([0, 0, 1, 1], [1, 2, 2, 3]) == pytest.approx((1 + 2 / 3) / 2, rel=1e-15)


def test_half_of_the_first_two_is_positive() -> None:
    assert precision_at_n([1, 0, 1, 0], [4, 3, 2, 1], 2) == 0.5


# published


def test_ratings_of_hanley_and_mcneil() -> None:
    y = np.repeat([0, 1], [sum(NORMAL_RATINGS), sum(ABNORMAL_RATINGS)])
    rating = np.repeat([1, 2, 3, 4, 5] * 2, NORMAL_RATINGS + ABNORMAL_RATINGS)

    assert round(roc_auc_score(y, rating), 3) == HANLEY_MCNEIL_AREA


# the definition, counted slowly


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_precision_at_n_is_the_mean_over_all_orders_of_ties(n: int) -> None:
    y, score = np.array([1, 0, 1, 0, 0]), np.array([3, 2, 2, 2, 1])
    orders = [o for o in itertools.permutations(range(5)) if (np.diff(score[list(o)]) <= 0).all()]

    expected = np.mean([y[list(order[:n])].mean() for order in orders])

    assert precision_at_n(y, score, n) == pytest.approx(expected, rel=1e-14)


# scikit-learn


@pytest.mark.parametrize("n", [2, 3, 10, 200, 7000])
def test_area_equals_scikit_learn(kind: str, n: int, problem: Problem) -> None:
    y, score, weight = problem(kind, n)
    theirs = sklearn_metrics.roc_auc_score

    assert roc_auc_score(y, score) == pytest.approx(theirs(y, score), rel=1e-12)
    assert roc_auc_score(y, score, sample_weight=weight) == pytest.approx(
        theirs(y, score, sample_weight=weight), rel=1e-12
    )
    for max_fpr in (0.1, 0.5, 0.93, 1):
        ours = roc_auc_score(y, score, max_fpr=max_fpr, sample_weight=weight)
        assert ours == pytest.approx(theirs(y, score, max_fpr=max_fpr, sample_weight=weight), rel=1e-12)


def test_average_precision_equals_scikit_learn(kind: str, problem: Problem) -> None:
    y, score, weight = problem(kind, 200)
    theirs = sklearn_metrics.average_precision_score

    assert average_precision_score(y, score) == pytest.approx(theirs(y, score), rel=1e-12)
    assert average_precision_score(y, score, sample_weight=weight) == pytest.approx(
        theirs(y, score, sample_weight=weight), rel=1e-12
    )


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
@pytest.mark.parametrize("average", ["macro", "weighted", None])
def test_several_classes_equal_scikit_learn(multi_class: str, average: str | None) -> None:
    rng = np.random.default_rng(1)
    y, fold = rng.integers(0, 4, 200), rng.integers(0, 2, 200)
    proba = rng.dirichlet(np.ones(4), 200).round(3)
    proba[:, 0] = 1 - proba[:, 1:].sum(axis=1)
    if (multi_class, average) == ("ovo", None):
        with pytest.raises(ValueError, match="average must be 'macro' or 'weighted', not None"):
            roc_auc_score(y, proba, multi_class="ovo", average=None)
        return
    choices = {"multi_class": multi_class, "average": average}

    of_folds = [sklearn_metrics.roc_auc_score(y[fold == j], proba[fold == j], **choices) for j in (0, 1)]

    np.testing.assert_allclose(roc_auc_score(y, proba, **choices), sklearn_metrics.roc_auc_score(y, proba, **choices))
    np.testing.assert_allclose(roc_auc_score(y, proba, fold=fold, **choices), of_folds, rtol=1e-12)


def test_weighted_classes_equal_scikit_learn() -> None:
    rng = np.random.default_rng(2)
    y, proba, weight = rng.integers(0, 3, 90), rng.dirichlet(np.ones(3), 90), rng.random(90)
    choices = {"multi_class": "ovr", "average": "weighted", "sample_weight": weight}

    theirs = sklearn_metrics.roc_auc_score(y, proba, **choices)

    assert roc_auc_score(y, proba, **choices) == pytest.approx(theirs, rel=1e-12)


# batches and folds


SHAPES = [
    ((97,), (97,)),
    ((4, 97), (97,)),
    ((97,), (3, 97)),
    ((6, 5, 97), (5, 97)),
    ((5, 6, 97), (5, 1, 97)),
    ((2, 1, 97), (3, 97)),
]


@pytest.mark.parametrize(("shape", "fold_shape"), SHAPES)
@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score", "precision_at_n"])
def test_folds_equal_the_loop_over_them(name: str, shape: tuple[int, ...], fold_shape: tuple[int, ...]) -> None:
    """Each row of `fold` cuts the cases in its own way, into folds of different sizes."""
    rng = np.random.default_rng(3)
    y, score = rng.integers(0, 2, 97), rng.normal(size=shape).round(1)
    fold = rng.choice(["a", "b", "c"], fold_shape)
    function = getattr(ranking, name)
    more = (4,) if name == "precision_at_n" else ()
    batch = np.broadcast_shapes(shape, fold_shape)
    all_scores, all_folds = np.broadcast_to(score, batch), np.broadcast_to(fold, batch)

    together = function(y, score, *more, fold=fold)

    assert together.shape == (*batch[:-1], 3)
    for row in np.ndindex(batch[:-1]):
        for j, name_of_fold in enumerate("abc"):
            here = all_folds[row] == name_of_fold
            assert together[row][j] == function(y[here], all_scores[row][here], *more)


def test_batch_equals_the_loop_over_its_members(kind: str, problem: Problem) -> None:
    y = np.stack([problem(kind, 50, seed)[0] for seed in range(3)])
    score = np.stack([problem(kind, 50, seed)[1] for seed in range(12)]).reshape(4, 3, 50)

    together = roc_auc_score(y, score)

    assert together.tolist() == [[roc_auc_score(y[j], score[i, j]) for j in range(3)] for i in range(4)]


def test_order_of_the_cases_does_not_matter(problem: Problem) -> None:
    y, score, _ = problem("ties", 100)
    fold, order = np.arange(100) % 7, np.random.default_rng(5).permutation(100)

    expected = roc_auc_score(y, score, fold=fold, undefined="nan")

    np.testing.assert_array_equal(roc_auc_score(y[order], score[order], fold=fold[order], undefined="nan"), expected)


# laws


@given(st.lists(st.tuples(st.booleans(), st.integers(-9, 9)), min_size=1, max_size=20))
def test_laws_of_the_area(cases: list[tuple[bool, int]]) -> None:
    """Monotone transformations change nothing; swapped classes or turned scores mirror it."""
    y, score = (np.array(a) for a in zip(*[(False, 0), (True, 1), *cases], strict=True))
    area = roc_auc_score(y, score)

    assert 0 <= area <= 1
    assert roc_auc_score(y, np.exp(score / 3)) == area
    assert roc_auc_score(~y, score) == pytest.approx(1 - area, abs=1e-15)
    assert roc_auc_score(y, -score) == pytest.approx(1 - area, abs=1e-15)


@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), max_size=25))
def test_scores_stay_in_their_range(cases: list[tuple[bool, int]]) -> None:
    y, score = zip(*[(False, 0), (True, 1), *cases], strict=True)
    more = {"precision_at_n": (2,)}

    for record in RANKING_METRICS.values():
        low, high = record.range
        assert low <= getattr(ranking, record.function)(y, score, *more.get(record.function, ())) <= high


def test_weights_are_repetitions(problem: Problem) -> None:
    y, score, _ = problem("ties", 60)
    times = np.random.default_rng(7).integers(0, 4, 60)
    times[:2] = 1
    repeated = (np.repeat(y, times), np.repeat(score, times))

    for function in (roc_auc_score, average_precision_score):
        assert function(y, score, sample_weight=times) == pytest.approx(function(*repeated), rel=1e-13)


def test_whole_curve_is_the_partial_area_up_to_one(problem: Problem) -> None:
    y, score, _ = problem("ties", 60)

    assert roc_auc_score(y, score, max_fpr=1) == roc_auc_score(y, score)
    assert roc_auc_score(y, score, max_fpr=1 - 1e-13) == pytest.approx(roc_auc_score(y, score), abs=1e-11)


@pytest.mark.parametrize("max_fpr", [0.05, 0.3, 1])
def test_partial_area_is_rescaled(max_fpr: float) -> None:
    """Guessing gives a half and perfection 1, whatever the part."""
    assert roc_auc_score([0, 1], [5, 5], max_fpr=max_fpr) == 0.5
    assert roc_auc_score([0, 1], [5, 6], max_fpr=max_fpr) == 1


# degenerate


def test_one_class_is_refused_and_the_fold_is_named() -> None:
    with pytest.raises(ValueError, match=r"undefined in 1 of 2 scores, first in \[1\]: .* in fold 'b'"):
        roc_auc_score([0, 1, 1, 1], [1, 2, 3, 4], fold=["a", "a", "b", "b"])


@pytest.mark.parametrize(("undefined", "value"), [("nan", math.nan), ("zero", 0.0)])
def test_one_class_as_the_user_wants_it(undefined: str, value: float) -> None:
    areas = roc_auc_score([[0, 1], [1, 1]], [1, 2], undefined=undefined)

    np.testing.assert_array_equal(areas, [1.0, value])


def test_one_warning_for_the_whole_batch() -> None:
    with pytest.warns(EvalstatsWarning, match="undefined in 2 of 3 scores") as caught:
        areas = roc_auc_score([[0, 1], [1, 1], [0, 0]], [1, 2], undefined="warn")

    assert len(caught) == 1
    np.testing.assert_array_equal(areas, [1.0, math.nan, math.nan])


def test_empty_fold_is_undefined() -> None:
    areas = roc_auc_score([0, 1], [1, 2], fold=[1, 1], n_folds=3, undefined="nan")

    np.testing.assert_array_equal(areas, [math.nan, 1.0, math.nan])
    np.testing.assert_array_equal(
        average_precision_score([0, 1], [1, 2], fold=[1, 1], n_folds=3, undefined="zero"), [0.0, 1.0, 0.0]
    )


def test_absent_class_is_left_out_of_the_mean() -> None:
    y, proba = [0, 0, 1, 1], np.eye(3)[[0, 1, 1, 1]]
    choices = {"multi_class": "ovr", "labels": [0, 1, 2]}

    each = roc_auc_score(y, proba, average=None, undefined="nan", **choices)

    assert each[:2].tolist() == [0.75, 0.75]
    assert math.isnan(each[2])
    assert roc_auc_score(y, proba, undefined="nan", **choices) == 0.75
    assert roc_auc_score(y, proba, undefined="zero", **choices) == 0.5
    with pytest.raises(ValueError, match="undefined for a class"):
        roc_auc_score(y, proba, **choices)


def test_no_positive_case() -> None:
    """scikit-learn's value with a warning."""
    with pytest.warns(EvalstatsWarning, match="average_precision_score is undefined: there is no positive instance"):
        assert average_precision_score([0, 0], [1, 2], undefined="warn") == 0


# messages


@pytest.mark.parametrize(
    ("y", "score", "choices", "message"),
    [
        ([0, 1], [1, math.nan], {}, r"y_score must be finite, but y_score\[1\] is nan"),
        ([0, 1], [1, math.inf], {}, r"y_score must be finite, but y_score\[1\] is inf"),
        ([0, 1, 1], [1, 2], {}, "must be paired: y_true has 3 instances, y_score has 2"),
        ([0, 1], [[1, 2]] * 3, {"sample_weight": [[1, 1]] * 2}, "the leading axes must broadcast"),
        (
            [0, 1],
            [1, 2],
            {"sample_weight": [1, -2]},
            r"sample_weight must be nonnegative, but sample_weight\[1\] is -2",
        ),
        ([0, 1, 2], [1, 2, 3], {}, "y_true holds 3 classes, 0, 1, 2: choose multi_class='ovr'"),
        ([0, 1], [1, 2], {"pos_label": 3}, "pos_label must be one of 0, 1, not 3"),
        (["a", "a"], [1, 2], {}, "pos_label must name the positive class: y_true holds 'a'"),
        ([0, 1], [1, 2], {"max_fpr": 0}, "max_fpr must be greater than 0 and at most 1, not 0"),
        ([0, 1], [1, 2], {"n_folds": 2}, "n_folds needs fold"),
        ([0, 1], [1, 2], {"fold": [0, 2], "n_folds": 2}, r"fold\[1\] is 2"),
        ([0, 1], [1, 2], {"multi_class": "auto"}, "multi_class must be 'raise' or 'ovr' or 'ovo'"),
        ([0, 1, 2], [[1, 2]] * 3, {"multi_class": "ovr"}, "one column for each of 3 classes"),
        ([0, 1], [1, 2], {"undefined": "skip"}, "undefined must be"),
        ([], [], {}, "at least one label"),
    ],
)
def test_bad_input_is_named(y: Any, score: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        roc_auc_score(y, score, **choices)


def test_kinds_that_cannot_be_understood() -> None:
    with pytest.raises(TypeError, match="y_score must be numbers"):
        roc_auc_score([0, 1], ["a", "b"])
    with pytest.raises(TypeError, match="pos_label must be of the same kind as y_true"):
        roc_auc_score([0, 1], [1, 2], pos_label="1")


def test_more_places_than_cases() -> None:
    with pytest.raises(ValueError, match="n must be at most 2, the number of instances, not 3"):
        precision_at_n([0, 1], [1, 2], 3)
    with pytest.raises(ValueError, match="n must be at most 1, the number of instances in fold 'b', not 2"):
        precision_at_n([0, 1, 1], [1, 2, 3], 2, fold=["a", "a", "b"])


# the declarations


@pytest.mark.parametrize("name", RANKING_METRICS)
def test_declared_functions_exist(name: str) -> None:
    record = RANKING_METRICS[name]

    assert record.function in ranking.__all__
    assert record.sklearn is None or hasattr(sklearn_metrics, record.sklearn)
