"""Claims are numbers, verdicts and pairs of classifiers that are in the table."""

from __future__ import annotations

import pytest

from evalstats import InvalidTypeError, check_published_ranks

FOLDS = ("2-fold", "5-fold", "10-fold")


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
