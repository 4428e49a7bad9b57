"""Shares of right answers, whichever columns tell them."""

from __future__ import annotations

import pytest

from evalstats.gating.shares import has_answers, shares_of
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
    answers = item_answers(columns)

    assert has_answers(answers)
    assert shares_of(answers).tolist() == shares


def test_scores_alone_are_no_answers():
    assert not has_answers(item_answers({"id": [1, 2], "y_true": [0, 1], "y_score": [0.2, 0.7]}))
