"""One F and one accuracy out of many folds."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import accuracy_score, f1_score, fbeta_score

from evalstats._errors import EvalstatsWarning, InvalidTypeError, InvalidValueError
from evalstats.metrics.counts import confusion_counts
from evalstats.metrics.folds import (
    FOLD_PRESETS,
    F1FoldReport,
    F1Strategies,
    accuracy_over_folds,
    f1_over_folds,
    f1_report_over_folds,
)

# Forman & Scholz, HP Laboratories HPL-2009-359, Tables 1 and 2: TP, FP, FN of four folds
TABLE_1 = ([3, 4, 4, 3], [0, 1, 13, 5], [0, 0, 0, 1])
TABLE_2 = ([2, 0, 4, 4], [0, 0, 0, 0], [2, 4, 0, 0])
NOTHING = ([0, 0], [0, 0], [0, 0])

WAYS = [way.name for way in dataclasses.fields(F1Strategies)]

fold_counts = hnp.arrays(np.int64, st.tuples(st.just(3), st.integers(1, 5)), elements=st.integers(0, 4))


def percent(value: float) -> int:
    """Round as the paper does."""
    return round(100 * value)


def by_definition(tp: list[int], fp: list[int], fn: list[int]) -> dict[str, float]:
    """Follow section 2.3 of the paper word by word, one fold at a time."""
    f, precision, recall, valid = [], [], [], []
    for i in range(len(tp)):
        valid.append(tp[i] + fp[i] > 0 and tp[i] + fn[i] > 0)
        precision.append(tp[i] / (tp[i] + fp[i]) if tp[i] + fp[i] else 0)
        recall.append(tp[i] / (tp[i] + fn[i]) if tp[i] + fn[i] else 0)
        f.append(2 * tp[i] / (2 * tp[i] + fp[i] + fn[i]) if valid[i] else 0)

    def mean(values: list[float], kept: list[bool]) -> float:
        chosen = [v for v, is_kept in zip(values, kept, strict=True) if is_kept]
        return sum(chosen) / len(chosen) if chosen else np.nan

    def harmonic(a: float, b: float) -> float:
        return 2 * a * b / (a + b) if a + b != 0 else 0.0

    every = [True] * len(tp)
    if sum(tp) + sum(fp) + sum(fn) == 0:
        return dict.fromkeys(WAYS, np.nan)
    return {
        "tp_fp": 2 * sum(tp) / (2 * sum(tp) + sum(fp) + sum(fn)),
        "mean": mean(f, every),
        "mean_skip": mean(f, valid),
        "precision_recall": harmonic(mean(precision, every), mean(recall, every)),
        "precision_recall_skip": harmonic(mean(precision, valid), mean(recall, valid)),
    }


def test_two_folds_by_hand() -> None:
    """F of 1 and of 2/4; precision 1 and 1/3, recall 1 and 1; and 2 x 2 / (2 x 2 + 2) from the sums."""
    report = f1_report_over_folds([1, 1], [0, 2], [0, 0])

    assert report.mean == (1 + 2 / 4) / 2
    assert report.precision_recall == pytest.approx(2 * (2 / 3) / (2 / 3 + 1), rel=1e-15)
    assert report.tp_fp == 4 / 6


def test_table_1_of_forman_and_scholz() -> None:
    """69, 73 and 58%, from a mean precision of 60 and a mean recall of 94%; also in Raschka's restatement."""
    report = f1_report_over_folds(*TABLE_1)

    assert (percent(report.mean), percent(report.precision_recall), percent(report.tp_fp)) == (69, 73, 58)
    assert (percent(report.mean_precision), percent(report.mean_recall)) == (60, 94)
    assert [percent(f) for f in report.fold_f1] == [100, 89, 38, 50]
    assert report.precision_recall / report.tp_fp == pytest.approx(1.26, abs=0.005)


def test_table_2_of_forman_and_scholz() -> None:
    """67, 68, 77, 89 and 91%: nothing is predicted positive in the second fold."""
    report = f1_report_over_folds(*TABLE_2)

    assert [percent(getattr(report, way)) for way in WAYS] == [77, 67, 89, 68, 91]
    assert (report.mean_precision, report.mean_recall) == (0.75, 0.625)
    assert (report.n_undefined, report.n_without_predicted_positives, report.n_without_positives) == (1, 1, 0)


def test_ratio_printed_below_table_2_is_one_of_rounded_numbers() -> None:
    """Section 3.1 prints 1.34, which is 91/68; the ratio is 4/3."""
    report = f1_report_over_folds(*TABLE_2)

    assert report.precision_recall_skip / report.precision_recall == pytest.approx(4 / 3, rel=1e-15)


@pytest.mark.parametrize(
    ("aggregate", "undefined", "way"),
    [
        ("tp_fp", "zero", "tp_fp"),
        ("tp_fp", "skip", "tp_fp"),
        ("mean", "zero", "mean"),
        ("mean", "skip", "mean_skip"),
        ("precision_recall", "zero", "precision_recall"),
        ("precision_recall", "skip", "precision_recall_skip"),
    ],
)
def test_choices_name_the_five_ways(aggregate: str, undefined: str, way: str) -> None:
    value = f1_over_folds(*TABLE_2, aggregate=aggregate, undefined=undefined)

    assert value == getattr(f1_report_over_folds(*TABLE_2), way)


def test_default_is_the_recommended_way() -> None:
    assert f1_over_folds(*TABLE_1) == f1_over_folds(*TABLE_1, **FOLD_PRESETS["recommended"].f1) == 28 / 48


def test_presets_of_weka() -> None:
    """Explorer: F of the summed counts; Experimenter: the mean, with 0 for undefined folds."""
    assert percent(f1_over_folds(*TABLE_2, **FOLD_PRESETS["weka-explorer"].f1)) == 77
    assert percent(f1_over_folds(*TABLE_2, **FOLD_PRESETS["weka-experimenter"].f1)) == 67
    assert FOLD_PRESETS["weka-explorer"].auc == {"aggregate": "merge"}
    assert FOLD_PRESETS["weka-experimenter"].auc == FOLD_PRESETS["recommended"].auc == {"aggregate": "mean"}


@given(fold_counts)
def test_report_is_the_definition(counts: np.ndarray) -> None:
    report = f1_report_over_folds(*counts)

    expected = by_definition(*counts.tolist())
    assert [getattr(report, way) for way in WAYS] == pytest.approx([expected[way] for way in WAYS], nan_ok=True)


@given(hnp.arrays(np.int64, (3, 4, 3), elements=st.integers(0, 3)))
def test_batch_is_the_loop(counts: np.ndarray) -> None:
    tp, fp, fn = counts

    batch = f1_report_over_folds(tp, fp, fn)

    loop = [f1_report_over_folds(*problem) for problem in zip(tp, fp, fn, strict=True)]
    for name in [*WAYS, "spread", "n_undefined"]:
        np.testing.assert_array_equal(getattr(batch, name), [getattr(one, name) for one in loop])
    assert batch.reason.tolist() == [one.reason for one in loop]


@given(fold_counts, st.randoms())
def test_order_of_the_folds_does_not_matter(counts: np.ndarray, random: object) -> None:
    order = list(range(counts.shape[1]))
    random.shuffle(order)

    here, there = (f1_report_over_folds(*c) for c in (counts, counts[:, order]))
    assert [getattr(here, way) for way in WAYS] == pytest.approx([getattr(there, way) for way in WAYS], nan_ok=True)


@given(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9), st.integers(1, 6))
def test_equal_folds_leave_nothing_to_choose(tp: int, fp: int, fn: int, k: int) -> None:
    report = f1_report_over_folds([tp] * k, [fp] * k, [fn] * k)

    assert report.spread < 1e-14


def test_summed_counts_do_not_care_which_case_is_in_which_fold() -> None:
    """The reason why this way is nearly unbiased, where the mean depends on the draw."""
    dealt, dealt_again = ([2, 2], [1, 1], [1, 1]), ([4, 0], [2, 0], [0, 2])

    assert f1_over_folds(*dealt) == f1_over_folds(*dealt_again)
    assert f1_over_folds(*dealt, aggregate="mean") != f1_over_folds(*dealt_again, aggregate="mean")


def labels(seed: int, n_folds: int = 6) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y_true = (rng.random(90) < 0.15).astype(int)
    return y_true, np.where(rng.random(90) < 0.8, y_true, 1 - y_true), rng.integers(0, n_folds, 90)


@pytest.mark.parametrize("seed", range(5))
def test_labels_by_scikit_learn(seed: int) -> None:
    """The mean is what averaging scikit-learn's scores gives, the default what it gives without folds."""
    y_true, y_pred, fold = labels(seed)
    counts = confusion_counts(y_true, y_pred, fold=fold)
    tp, fp, fn = counts[:, 1, 1], counts[:, 0, 1], counts[:, 1, 0]

    folds = [fold == i for i in range(6)]
    each = [f1_score(y_true[f], y_pred[f], zero_division=0.0) for f in folds]
    assert f1_over_folds(tp, fp, fn, aggregate="mean") == pytest.approx(np.mean(each), rel=1e-12)
    assert f1_over_folds(tp, fp, fn) == pytest.approx(f1_score(y_true, y_pred), rel=1e-12)
    for beta in (0.5, 2):
        expected = fbeta_score(y_true, y_pred, beta=beta)
        assert f1_over_folds(tp, fp, fn, beta=beta) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("fold", "value"), [((0, 0, 0), None), ((0, 3, 0), 0), ((0, 0, 2), 0)])
def test_equation_2_is_zero_over_zero_for_nothing_only(fold: tuple[int, int, int], value: float | None) -> None:
    """Raschka says that this way does not suffer from it; Forman & Scholz (2010), section 2.2, say that it does."""
    tp, fp, fn = ([count] for count in fold)

    report = f1_report_over_folds(tp, fp, fn)
    assert np.isnan(report.tp_fp) if value is None else report.tp_fp == value


@pytest.mark.parametrize("aggregate", ["tp_fp", "mean", "precision_recall"])
@pytest.mark.parametrize("undefined", ["zero", "skip"])
def test_nothing_in_every_fold_is_nan_with_a_reason(aggregate: str, undefined: str) -> None:
    with pytest.warns(
        EvalstatsWarning, match="no instance is positive or predicted positive in any fold; the result is nan"
    ):
        value = f1_over_folds(*NOTHING, aggregate=aggregate, undefined=undefined)

    report = f1_report_over_folds(*NOTHING)
    assert np.isnan(value)
    assert report.reason == "no instance is positive or predicted positive in any fold"
    assert np.isnan([getattr(report, way) for way in WAYS]).all()


def test_no_fold_left_is_nan_with_a_reason() -> None:
    """Positives in each fold, none of them predicted: 0 by the other ways."""
    counts = ([0, 0], [0, 0], [2, 3])

    with pytest.warns(EvalstatsWarning, match="no fold is left"):
        value = f1_over_folds(*counts, aggregate="mean", undefined="skip")

    report = f1_report_over_folds(*counts)
    assert np.isnan(value)
    assert report.reason.startswith("no fold is left")
    assert [report.tp_fp, report.mean, report.precision_recall] == [0, 0, 0]


def test_one_warning_for_a_batch() -> None:
    tp, fp, fn = np.zeros((3, 4, 2)), np.zeros((4, 2)), np.array([[1, 1], [0, 0], [1, 0], [0, 0]])

    with pytest.warns(EvalstatsWarning) as caught:
        value = f1_over_folds(tp, fp, fn)

    assert len(caught) == 1
    assert "undefined in 6 of 12 problems, first in [0, 1]" in str(caught[0].message)
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(np.isnan(value), [[False, True, False, True]] * 3)


def test_warn_is_zero_with_a_warning() -> None:
    with pytest.warns(EvalstatsWarning, match=r"in 1 of 4 folds, first in \[1\]: no instance is predicted positive"):
        value = f1_over_folds(*TABLE_2, aggregate="mean", undefined="warn")

    assert value == f1_over_folds(*TABLE_2, aggregate="mean", undefined="zero")


def test_summed_counts_know_no_undefined_fold() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = {f1_over_folds(*TABLE_2, undefined=policy) for policy in ("zero", "skip", "raise", "warn")}

    assert values == {10 / 13}


def test_raise_names_the_fold_and_the_reason() -> None:
    with pytest.raises(
        InvalidValueError, match=r"F is undefined in 1 of 4 folds, first in \[1\]: no instance is predicted"
    ):
        f1_over_folds(*TABLE_2, aggregate="mean", undefined="raise")
    with pytest.raises(InvalidValueError, match="no instance is positive, so recall is 0/0"):
        f1_over_folds([0, 1], [1, 0], [0, 0], aggregate="precision_recall", undefined="raise")
    with pytest.raises(InvalidValueError, match="no instance is positive or predicted positive in any fold"):
        f1_over_folds(*NOTHING, undefined="raise")


def test_report_has_every_value_of_every_fold() -> None:
    report = f1_report_over_folds([0, 1], [1, 0], [0, 1])

    assert isinstance(report, F1FoldReport)
    np.testing.assert_array_equal(report.fold_precision, [0, 1])
    np.testing.assert_array_equal(report.fold_recall, [np.nan, 0.5])
    np.testing.assert_allclose(report.fold_f1, [np.nan, 2 / 3])
    assert report.to_dict()["n_without_positives"] == 1


def test_accuracy_of_raschka() -> None:
    """(30 + 40) / 100 = (30/50 + 40/50) / 2, because the folds have the same size."""
    assert accuracy_over_folds([30, 40], [50, 50]) == 0.7
    assert accuracy_over_folds([30, 40], [50, 50], aggregate="mean") == pytest.approx(0.7, rel=1e-15)


def test_accuracy_of_unequal_folds() -> None:
    """Stated without this condition by Raschka; see Forman & Scholz (2010), section 4.1."""
    assert accuracy_over_folds([30, 10], [50, 10]) == 40 / 60
    assert accuracy_over_folds([30, 10], [50, 10], aggregate="mean") == pytest.approx(0.8, rel=1e-15)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=6))
def test_accuracies_differ_by_the_covariance_with_size(folds: list[tuple[int, int]]) -> None:
    correct, cases = np.array([(min(c, n), n) for c, n in folds]).T

    pooled, mean = (accuracy_over_folds(correct, cases, aggregate=a) for a in ("pooled", "mean"))
    covariance = np.mean((cases - cases.mean()) * (correct / cases))
    assert mean - pooled == pytest.approx(-covariance / cases.mean(), abs=1e-12)


def test_pooled_accuracy_is_that_of_scikit_learn() -> None:
    y_true, y_pred, fold = labels(1)

    correct = [int((y_true == y_pred)[fold == i].sum()) for i in range(6)]
    cases = [int((fold == i).sum()) for i in range(6)]
    assert accuracy_over_folds(correct, cases) == pytest.approx(accuracy_score(y_true, y_pred), rel=1e-15)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (([1, -1], [0, 0], [0, 0]), r"tp must be counts, 0 or more, but tp\[1\] is -1"),
        (([1, 0.5], [0, 0], [0, 0]), r"tp must be counts, whole numbers, but tp\[1\] is 0.5"),
        (([1, np.nan], [0, 0], [0, 0]), r"tp must be finite, but tp\[1\] is nan"),
        (
            ([1, 1], [0, 0, 0], [0, 0]),
            "the counts must have one value for each of the same folds, but tp has 2, fp has 3, fn has 2",
        ),
        ((1, [0], [0]), r"tp must have one count for each fold, but its shape is \(\)"),
        (([], [], []), r"tp must have one count for each fold, but its shape is \(0,\)"),
        ((np.ones((2, 3)), np.ones((3, 3)), [0, 0, 0]), "the leading axes must broadcast"),
    ],
)
def test_counts_that_are_none(counts: tuple[object, object, object], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        f1_over_folds(*counts)


def test_series_of_other_folds_are_refused() -> None:
    tp, fp = pd.Series([1, 2], index=["a", "b"]), pd.Series([0, 1], index=["b", "a"])

    with pytest.raises(InvalidValueError, match="equal indexes"):
        f1_over_folds(tp, fp, [0, 0])


def test_options_are_checked() -> None:
    with pytest.raises(
        InvalidValueError, match="aggregate must be 'tp_fp' or 'mean' or 'precision_recall', not 'micro'"
    ):
        f1_over_folds(*TABLE_1, aggregate="micro")
    with pytest.raises(InvalidValueError, match="undefined must be 'zero' or 'skip' or 'raise' or 'warn', not 'nan'"):
        f1_over_folds(*TABLE_1, undefined="nan")
    with pytest.raises(InvalidValueError, match="beta must be greater than 0 and at most 1e100, not 0"):
        f1_over_folds(*TABLE_1, beta=0)
    with pytest.raises(InvalidTypeError, match="beta must be a number, not '1'"):
        f1_report_over_folds(*TABLE_1, beta="1")
    with pytest.raises(InvalidTypeError, match="tp must be numbers"):
        f1_over_folds(["a"], [0], [0])


def test_accuracies_that_cannot_be() -> None:
    with pytest.raises(InvalidValueError, match=r"n_correct must not exceed n_instances, but n_correct\[1\] is 6 of 5"):
        accuracy_over_folds([1, 6], [5, 5])
    with pytest.raises(InvalidValueError, match=r"each fold must hold an instance, but n_instances\[1\] is 0"):
        accuracy_over_folds([1, 0], [5, 0])
