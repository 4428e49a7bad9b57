"""Patterns of right answers hold what the answers hold."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import cochran_q_test, mcnemar_test, pairwise_mcnemar_test, read_predictions
from evalstats.multiple.cochran import cochran_q_of_patterns
from evalstats.pairwise.mcnemar import pairwise_mcnemar_from_both
from evalstats.tables.correct_answers import RightPatterns, patterns_of_words, right_patterns


def patterns(k: int, n: int = 40) -> tuple[RightPatterns, np.ndarray]:
    """Return patterns of predictions, and who is right in which case."""
    right = np.random.default_rng(k).random((k, n)) < 0.7
    rows = {
        "dataset": ["d"] * (k * n),
        "classifier": [f"model {j}" for j in range(k) for _ in range(n)],
        "row": list(range(n)) * k,
        "y_true": ["yes"] * (k * n),
        "y_pred": ["yes" if is_right else "no" for is_right in right.ravel()],
    }
    return right_patterns(read_predictions(rows)), right


@pytest.mark.parametrize("k", [2, 5, 20, 70])
def test_patterns_count_the_cases(k: int) -> None:
    found, right = patterns(k)

    assert found.n == 40
    assert (found.both == right.astype(int) @ right.T.astype(int)).all()
    assert (found.select([1, 0]).both == found.both[1::-1, 1::-1]).all()


@pytest.mark.parametrize("k", [2, 4, 9])
def test_tests_of_patterns_are_those_of_the_cases(k: int) -> None:
    found, right = patterns(k)

    assert (found.tables[0, 1] == mcnemar_test(right[0], right[1]).table).all()
    assert repr(cochran_q_of_patterns(*found).to_dict()) == repr(cochran_q_test(right.T).to_dict())
    for control in (None, 1):
        of_pairs = pairwise_mcnemar_from_both(found.both, found.n, control=control, adjust="holm")
        assert repr(of_pairs.to_dict()) == repr(pairwise_mcnemar_test(right.T, control=control).to_dict())


def test_bits_of_words_are_classifiers() -> None:
    found = patterns_of_words([np.array([1 << 61, 1]), np.array([0, 2])], np.array([3, 4]), 64)

    assert np.argwhere(found.is_right).tolist() == [[0, 61], [1, 0], [1, 63]]
    assert found.n_instances.tolist() == [3, 4]
