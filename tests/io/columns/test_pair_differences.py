"""What was computed from the scores of two classifiers is none of a third, whatever it is called."""

from __future__ import annotations

import io

import numpy as np
import pytest

from evalstats import compare, read_table
from evalstats.io.columns.computed import differences_of_pairs

NB = np.array([0.9643, 0.7342, 0.7230, 0.7170, 0.7167, 0.7436, 0.7063, 0.8321, 0.9822, 0.6962])
SVM = np.array([0.9944, 0.8134, 0.9151, 0.6616, 0.7167, 0.7708, 0.6221, 0.8063, 0.9358, 0.9990])
# Wilcoxon's ranks of the absolute differences, counted by hand; the fifth is zero and has none
RANKS = np.array([3, 6, 8, 5, np.nan, 2, 7, 1, 4, 9.0])
SIGNS = np.sign(NB - SVM)


@pytest.mark.parametrize(
    ("own", "decimals", "what"),
    [
        (NB - SVM, 4, "is {} minus {}"),
        (np.round(NB - SVM, 2), 2, "is {} minus {}"),
        (SVM - NB, 4, "is the difference between {} and {}"),
        (np.abs(NB - SVM), 4, "is the absolute difference between {} and {}"),
        (RANKS, 0, "holds the ranks of the differences between {} and {}"),
        (np.where(np.isnan(RANKS), 1, RANKS + 1), 0, "holds the ranks of the differences between {} and {}"),  # Pratt's
        (RANKS * SIGNS, 0, "holds the signed ranks of the differences between {} and {}"),
        (np.nan_to_num(-RANKS * SIGNS), 0, "holds the signed ranks of the differences between {} and {}"),
    ],
)
@pytest.mark.parametrize("name", ["x", "diff"])
def test_what_is_computed_is_known_by_its_values(own: np.ndarray, decimals: int, what: str, name: str) -> None:
    assert differences_of_pairs([NB, SVM, own], ["nb", "svm", name], [4, 4, decimals]) == {2: (0, 1, what)}


def test_the_difference_may_stand_before_the_scores() -> None:
    found = differences_of_pairs([np.abs(NB - SVM), NB, SVM], ["gap", "nb", "svm"], [4, 4, 4])

    assert found == {0: (1, 2, "is the absolute difference between {} and {}")}


@pytest.mark.parametrize(
    "own",
    [
        np.where(np.arange(10) == 7, 0.5, NB - SVM),  # not on one dataset
        NB - SVM + 0.001,
        np.where(np.arange(10) == 3, 6, RANKS),
        np.append(RANKS[:9], np.nan),  # without a rank where there is a difference
        np.zeros(10),
        (NB + SVM) / 2,
    ],
)
def test_what_agrees_with_all_but_one_is_not_computed(own: np.ndarray) -> None:
    assert differences_of_pairs([NB, SVM, own], ["nb", "svm", "x"], [4, 4, 4]) == {}


def test_numbers_that_are_too_rough_or_too_few_tell_nothing() -> None:
    assert differences_of_pairs([NB[:4], SVM[:4], (NB - SVM)[:4]], ["nb", "svm", "x"], [4] * 3) == {}
    assert (
        differences_of_pairs(
            [np.round(NB * 5), np.round(SVM * 5), np.round(NB * 5) - np.round(SVM * 5)], [*"abc"], [0] * 3
        )
        == {}
    )


def test_no_column_of_many_random_ones_is_called_computed() -> None:
    rng = np.random.default_rng(0)
    for decimals in (0, 1, 2, 3):
        for _ in range(50):
            columns = list(np.round(rng.random((15, 8)) * 10, decimals))
            assert differences_of_pairs(columns, [f"c{i}" for i in range(15)], [decimals] * 15) == {}


def test_the_printed_illustration_of_a_book_is_read() -> None:
    text = "data,nb,svm,differ,apart,signed\n" + "".join(
        f"{i},{a:.4f},{b:.4f},{a - b:.4f},{abs(a - b):.4f},{'Remove' if np.isnan(r) else int(r)}\n"
        for i, (a, b, r) in enumerate(zip(NB, SVM, RANKS * SIGNS, strict=True))
    )
    table = read_table(io.StringIO(text))

    assert table.classifiers == ("nb", "svm")
    assert {one.name for one in table.left_out} == {"differ", "apart", "signed"}
    assert table.scores.T.tolist() == [NB.tolist(), SVM.tolist()]


def test_what_is_to_be_kept_is_kept() -> None:
    text = "data,nb,svm,x\n" + "".join(
        f"d{i},{a:.4f},{b:.4f},{a - b:.4f}\n" for i, (a, b) in enumerate(zip(NB, SVM, strict=True))
    )

    assert read_table(io.StringIO(text)).left_out[0].reason == "is 'nb' minus 'svm'"
    assert read_table(io.StringIO(text), keep="x").classifiers == ("nb", "svm", "x")


def test_infinite_scores_are_left_to_who_refuses_them() -> None:
    assert differences_of_pairs([NB, np.where(NB > 0.9, np.inf, SVM), NB - SVM], [*"abc"], [4] * 3) == {}


def test_scores_near_the_largest_float_are_no_ranks() -> None:
    """Twice a score is larger than any float."""
    assert compare(np.full((6, 3), 1e308)).table.scores.max() == 1e308
