"""A text tells its decimals, a dict and a Series tell the names, and what is no number is refused."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidTypeError, InvalidValueError, check_published_ranks

NAMES = ["A", "B", "C"]
RANKS = ["2.50", "1.60", "1.90"]


@pytest.mark.parametrize(
    "printed",
    [
        dict(zip(NAMES, RANKS, strict=True)),
        pd.Series(RANKS, index=NAMES),
        dict(zip(NAMES, map(Decimal, RANKS), strict=True)),
        {"A": " 2,50 ", "B": "+1,6", "C": 1.9},
    ],
    ids=["dict", "Series", "Decimal", "mixed"],
)
def test_labelled_texts_are_the_numbers_with_names_and_decimals(printed: object) -> None:
    wanted = check_published_ranks([2.5, 1.6, 1.9], 20, names=NAMES, decimals=2, control="B").to_dict()

    assert check_published_ranks(printed, 20, control="B").to_dict() == wanted


def test_trailing_zeros_of_texts_count() -> None:
    """Over 7 datasets no mean rank is 2.00 to 2.01 but 2 itself; the float 2.0 may be anything from 1.95."""
    assert check_published_ranks(["1.00", "2.00", "3.00"], 7).decimals == 2
    assert check_published_ranks([1.0, 2.0, 3.0], 7).decimals == 0


def test_texts_are_a_batch_too() -> None:
    batch = check_published_ranks(np.array([RANKS, ["1.5", "2.0", "2.5"]]), 20)

    assert batch.decimals.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("claim", "ok"), [("3.5", True), ("3.00", False), (3.0, False), (3, True), (np.float64(3), False)], ids=repr
)
def test_claimed_number_is_rounded_as_it_is_written(claim: object, ok: bool) -> None:
    """The critical difference of 9 classifiers over 12 datasets is 3.468, which is 3 to no decimals, but not 3.0."""
    mean_ranks = ["2.000", "3.000", "4.000", "5.000", "5.000", "5.000", "6.000", "7.000", "8.000"]

    assert check_published_ranks(mean_ranks, 12, claims={"cd": claim}).ok is ok


@pytest.mark.parametrize(
    ("mean_ranks", "options", "message"),
    [
        (["1.5", "x"], {}, r"mean_ranks must be numbers, but mean_ranks\[1\] is 'x'"),
        ({"A": "1.5", "B": "1e0"}, {}, r"mean_ranks must be numbers, but mean_ranks\[1\] is '1e0'"),
        ({1: 1.0, 2: 2.0}, {}, r"the keys of mean_ranks must be names, not \[1, 2\]"),
        ([1, 2], {"claims": {"cd": "?"}}, r"claims\['cd'\] is '\?'"),
    ],
    ids=str,
)
def test_types_that_are_refused(mean_ranks: object, options: dict, message: str) -> None:
    with pytest.raises(InvalidTypeError, match=message):
        check_published_ranks(mean_ranks, 5, **options)


@pytest.mark.parametrize(
    ("mean_ranks", "options", "message"),
    [
        ({"A": 1.0, "B": 2.0}, {"names": ["B", "A"]}, "names must be left out, or be the keys of mean_ranks"),
        (["1." + 13 * "0", "2"], {}, "mean_ranks must have at most 12 decimals, but one of them has 13"),
        ([1, 2], {"claims": {"cd": [1.0]}}, r"claims\['cd'\] must be one number, not \[1.0\]"),
        ({}, {}, "mean_ranks must hold 2 or more classifiers"),
    ],
    ids=str,
)
def test_values_that_are_refused(mean_ranks: object, options: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        check_published_ranks(mean_ranks, 5, **options)


@pytest.mark.parametrize("labels", [[10, 30, 20], ["NB", "NB", "SVM"]])
def test_labels_that_are_no_different_names_name_nobody(labels: list[object]) -> None:
    audit = check_published_ranks(pd.Series([2.65, 1.95, 1.40], index=labels), 20)

    assert audit.names == check_published_ranks([2.65, 1.95, 1.40], 20).names
