"""Shares of right answers, whichever columns tell them."""

from __future__ import annotations

import pytest

from evalstats.io.reader.answers import item_answers


@pytest.mark.parametrize(
    ("columns", "shares"),
    [
        ({"id": [1, 2], "correct": [1, 0]}, [1, 0]),
        ({"id": [1, 2], "y_true": ["a", "b"], "y_pred": ["b", "b"]}, [0, 1]),
        ({"item_id": [1, 1, 2, 2], "sample": [1, 2, 1, 2], "correct": [1, 0, 1, 1]}, [0.5, 1]),
        ({"id": [1, 2, 3, 4, 5], "model x": [1, 0, 1, 1, 0]}, [1, 0, 1, 1, 0]),
    ],
)
def test_shares(columns, shares):
    assert item_answers(columns).shares().tolist() == shares


def test_scores_alone_are_no_answers():
    assert item_answers({"id": [1, 2], "y_true": [0, 1], "y_score": [0.2, 0.7]}).shares() is None
