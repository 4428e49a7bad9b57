"""Claims are numbers, verdicts and pairs of classifiers that are in the table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats import InvalidTypeError, InvalidValueError, friedman_test
from evalstats.multiple import check_published_ranks

FOLDS = ("2-fold", "5-fold", "10-fold")
SCORES = [[0.93, 0.95, 0.90], [0.71, 0.50, 0.60], [0.80, 0.90, 0.70], [0.60, 0.60, 0.50]]


def test_names_and_indexes_say_the_same() -> None:
    by_name = check_published_ranks(
        [2.5, 1.6, 1.9], 20, names=FOLDS, control="2-fold", claims={"different": [FOLDS[:2]]}
    )
    by_index = check_published_ranks([2.5, 1.6, 1.9], 20, names=FOLDS, control=0, claims={"different": [(0, 1)]})

    assert by_name.to_dict() == by_index.to_dict()


def test_statistics_of_equal_mean_ranks_may_be_claimed() -> None:
    """Equal mean ranks make chi2 and F 0, and a publication may say so."""
    assert check_published_ranks([2, 2, 2], 10, claims={"chi2": 0, "F": 0.0}).ok


@pytest.mark.parametrize("pairs", [5, None])
def test_claims_about_pairs_are_a_list(pairs: object) -> None:
    with pytest.raises(InvalidTypeError, match=r"claims\['different'\] must be a list of pairs"):
        check_published_ranks([1, 2], 5, claims={"different": pairs})


def found(mean_ranks: object, scores: object = SCORES, **options: object) -> list[tuple[str, str]]:
    findings = check_published_ranks(mean_ranks, scores=scores, **options).findings
    return [(one.severity, one.code) for one in findings if one.code in ("scores", "direction", "n-datasets")]


def test_own_mean_ranks_of_scores() -> None:
    """By hand: ranks 2 1 3, 1 3 2, 2 1 3 and, with a tie, 1.5 1.5 3."""
    assert found(["1.625", "1.625", "2.750"]) == []


def test_other_mean_ranks_are_an_error_with_their_own() -> None:
    audit = check_published_ranks(["1.250", "2.000", "2.750"], scores=SCORES)

    assert not audit.ok
    assert [one.sentence for one in audit.findings if one.code == "scores"] == [
        f"the published scores give {name} the mean rank 1.625, not {printed}; more digits of equal scores can make it "
        "1.500 to 1.750"
        for name, printed in (("1", "1.250"), ("2", "2.000"))
    ]


def test_tie_that_more_digits_can_break_is_a_note() -> None:
    assert found(["1.50", "1.75", "2.75"]) == [("note", "scores")] * 2


def test_ranks_the_other_way_round_are_named_so() -> None:
    turned = ["2.375", "2.375", "1.250"]

    assert found(turned) == [("warning", "direction")]
    assert found(turned, greater_is_better=False) == []


def test_another_number_of_datasets_is_a_caution() -> None:
    assert found([1.5, 1.5, 3.0], n_datasets=5) == [("warning", "n-datasets")]


def test_columns_are_found_by_their_names() -> None:
    frame = pd.DataFrame(SCORES, columns=["NB", "SVM", "RF"])[["RF", "NB", "SVM"]]

    assert found({"NB": "1.625", "SVM": "1.625", "RF": "2.750"}, frame) == []


@settings(max_examples=repetitions(60))
@given(st.integers(1, 12), st.integers(2, 5), st.integers(0, 2), st.integers(0, 10**6))
def test_rounded_scores_never_contradict_the_ranks_of_the_exact_ones(n: int, k: int, digits: int, seed: int) -> None:
    scores = np.random.default_rng(seed).random((n, k))
    ranks = friedman_test(scores, method="chi2").mean_ranks

    audit = check_published_ranks(np.round(ranks, 3), scores=scores.round(digits), decimals=3)

    assert [one for one in audit.findings if one.severity == "error"] == []


@pytest.mark.parametrize(
    ("mean_ranks", "options", "message"),
    [
        ([1, 2], {"scores": SCORES}, "scores must have one row per dataset and 2 columns"),
        ([[1, 2], [1, 2]], {"scores": [[1, 2]]}, r"scores require mean_ranks of the shape \(k,\)"),
        ([1, 2], {}, "n_datasets must be passed if there are no scores"),
        (
            {"a": 1.0, "b": 2.0},
            {"scores": pd.DataFrame([[1, 2]], columns=["a", "c"])},
            r"the columns of scores must be the classifiers of mean_ranks, \['a', 'b'\], not \['a', 'c'\]",
        ),
        ([1, 2], {"scores": [[1, float("nan")]]}, "scores must be finite"),
    ],
    ids=str,
)
def test_values_that_are_refused(mean_ranks: object, options: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        check_published_ranks(mean_ranks, **options)
